"""A person's data: what each table holds, how it is exported (GDPR article 15), erased (17) and how long it is kept.

Accounts are below the apps that keep what people make. So each app registers its tables in its own module
`personal_data`, which is found as Django finds `admin` (docs/decisions/0007-erasing-a-person.md). For accounts itself
that module is this package.
"""

from accounts.personal_data import tables

__all__ = ["tables"]
