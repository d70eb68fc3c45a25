"""A person's data on request (GDPR, articles 15 and 17): all of it in one file, or none of it any more.

Accounts stand below the apps that keep what people make, so each app says in its module `privacy` what it holds; those
are found as Django finds `admin`, and nothing here names them (docs/decisions/0007-erasing-a-person.md).
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.contrib.admin.models import LogEntry
from django.contrib.contenttypes.models import ContentType
from django.db import transaction
from django.db.models import Model, Q, QuerySet
from django.utils import timezone

from accounts.identifiers import SYSTEM
from accounts.models import DEFAULT_AUCTION_SYSTEM, Account
from accounts.permissions import Caller, is_admin
from config.api.errors import PermissionRefused
from config.api.fields import TimestampField
from config.api.renderers import dump_json

CHUNK = 500
SECRET = frozenset({"password"})
BLANK = (
    "email",
    "display_name",
    "first_name",
    "last_name",
    "organisation_name",
    "country",
    "language",
    "avatar_url",
)


@dataclass(frozen=True, slots=True)
class Holding:
    """What one table has about a person. `name` is its place in the export.

    `erase` takes the person out of it and says of how many rows; None where the rows are a record that stays. It is
    called inside a transaction that has the account's row locked.
    """

    name: str
    rows: Callable[[Account], QuerySet]
    erase: Callable[[Account], int] | None = None


HOLDINGS: list[Holding] = []


def holds(*holdings: Holding) -> None:
    """For the module `privacy` of an app, when it is imported."""
    HOLDINGS.extend(holdings)


def export(account: Account) -> Iterator[bytes]:
    """One JSON object: the account, then each holding's rows. In bounded memory, a few hundred rows at a time."""
    yield b'{"exportedAt":' + dump_json(wire_value(timezone.now())) + b',"account":' + as_json(account)
    for holding in HOLDINGS:
        yield b"," + dump_json(holding.name) + b":["
        separator = b""
        for chunk in walk(holding.rows(account)):
            yield separator + b",".join(as_json(row) for row in chunk)
            separator = b","
        yield b"]"
    yield b"}\n"


def walk(rows: QuerySet) -> Iterator[list[Model]]:
    """By key and not by cursor: no transaction stays open for a slow reader."""
    rows = rows.order_by("pk")
    chunk = list(rows[:CHUNK])
    while chunk:
        yield chunk
        chunk = list(rows.filter(pk__gt=chunk[-1].pk)[:CHUNK])


def as_json(row: Model) -> bytes:
    """The columns of a row, named as the API names its fields."""
    columns = [field.attname for field in row._meta.concrete_fields if field.attname not in SECRET]
    return dump_json({wire_name(column): wire_value(getattr(row, column)) for column in columns})


def wire_name(column: str) -> str:
    first, *rest = column.split("_")
    return first + "".join(word.capitalize() for word in rest)


def wire_value(value: Any) -> Any:
    return TimestampField().to_representation(value) if isinstance(value, datetime) else value


def may_erase(account: Account, by: Caller) -> bool:
    return is_admin(by) and account.pk not in (by.pk, SYSTEM)


def erase(*, account_id: str, by: Caller | None) -> dict[str, int]:
    """Make the account nobody's, for good; rows changed by holding. `by` is None for an operator at the machine.

    The row stays, switched off and blank, so that the person's token is refused and makes no new account. Repeating it
    is safe, and takes along what a request under way at the time has left. PermissionRefused for the account `system`,
    for oneself, and to anybody but admins.
    """
    with transaction.atomic():
        # Not FOR UPDATE: a vote under way holds its board and asks for the account's key, which would be a deadlock.
        account = Account.objects.select_for_update(no_key=True, of=("self",)).get(pk=account_id)
        if account.pk == SYSTEM or (by is not None and not may_erase(account, by)):
            raise PermissionRefused("This account cannot be erased by you.")
        blank(account)
        return {holding.name: holding.erase(account) for holding in HOLDINGS if holding.erase}


def blank(account: Account) -> None:
    for name in BLANK:
        setattr(account, name, "")
    account.is_organisation = account.show_email_publicly = account.is_active = False
    account.role = Account.Role.MEMBER
    account.auction_system_id = DEFAULT_AUCTION_SYSTEM
    account.last_login = None
    account.set_unusable_password()
    account.save()


def administration_of(account: Account) -> QuerySet[LogEntry]:
    about = Q(content_type=ContentType.objects.get_for_model(Account), object_id=account.pk)
    return LogEntry.objects.filter(about | Q(user=account))


def forget_names(account: Account) -> int:
    """The admin's log calls each account by the name it had."""
    about = ContentType.objects.get_for_model(Account)
    named = LogEntry.objects.filter(content_type=about, object_id=account.pk).exclude(object_repr=account.pk)
    return named.update(object_repr=account.pk[:200])


holds(Holding("administration", administration_of, forget_names))
