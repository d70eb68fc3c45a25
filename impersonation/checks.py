"""A check that the service's database role cannot take the audit log's triggers away."""

from collections.abc import Sequence
from typing import Any

from django.core import checks
from django.db import DatabaseError, connections

from impersonation.models import ImpersonationEvent

# The owner of a table drops its triggers, and that of its schema the table. Its members become the owner by SET ROLE.
IS_OWNER = """
    SELECT pg_has_role(relowner, 'MEMBER') OR pg_has_role(nspowner, 'MEMBER')
    FROM pg_class JOIN pg_namespace ON pg_namespace.oid = relnamespace WHERE pg_class.oid = to_regclass(%s)
"""


@checks.register(checks.Tags.database, deploy=True)
def warn_of_the_owner(databases: Sequence[str] | None = None, **kwargs: Any) -> list[checks.CheckMessage]:
    """Warn where the role of DATABASE_URL owns the audit log, by `check --deploy --database default`."""
    return [
        checks.Warning(
            "The service's database role owns the audit log, and can drop the triggers that keep it.",
            hint="Run deploy/postgresql/roles.sql, and name boards_service in DATABASE_URL. Migrate as the owner.",
            id="impersonation.W001",
        )
        for alias in databases or ()
        if owns_audit_log(alias)
    ]


def owns_audit_log(alias: str) -> bool:
    """Tell whether the role of a database can drop the log's triggers. False where there is no log, and on SQLite."""
    connection = connections[alias]
    if connection.vendor != "postgresql":
        return False
    try:
        with connection.cursor() as cursor:
            cursor.execute(IS_OWNER, [ImpersonationEvent._meta.db_table])
            row = cursor.fetchone()
    except DatabaseError:  # It does not answer. /readyz says so.
        return False
    return bool(row and row[0])
