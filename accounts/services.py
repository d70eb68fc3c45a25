from django.db import connection

from accounts.identifiers import SYSTEM
from accounts.models import Account
from config.api.errors import LastAdmin


def lock_if_active(account_id: str) -> bool:
    """Tell whether an account exists and is active, which it then stays until the transaction ends.

    Call it in the transaction that stores something for the account, before anything else is locked: an erasure locks
    the account first, too, then deletes what is stored. Requests of one account do not wait for each other (FOR SHARE,
    which the ORM has no word for). Nobody switches the account `system` off.
    """
    if account_id == SYSTEM:
        return True
    sql = "SELECT is_active FROM accounts_account WHERE id = %s"
    with connection.cursor() as cursor:
        cursor.execute(f"{sql} FOR SHARE" if connection.vendor == "postgresql" else sql, [account_id])
        return any(is_active for (is_active,) in cursor.fetchall())


def lock_alone(account_id: str) -> bool:
    """Tell whether an account is active, and let no other request of it store anything until the transaction ends.

    Call it instead of `lock_if_active` where the account's rows are counted, and none may be added until then.
    """
    locked = Account.objects.select_for_update(no_key=True, of=("self",)).filter(pk=account_id)
    return any(locked.values_list("is_active", flat=True))


def require_another_admin(account_id: str) -> None:
    """Raise LastAdmin when this account is the only active admin.

    Call it inside the transaction that demotes or deactivates the account. Until that ends, the row of the account
    `system` is locked, which nobody changes and which represents the set of admins. So of two admins who demote each
    other at once, the second waits here, and then finds that nobody else is left. Lock the account's own row before.
    """
    Account.objects.select_for_update(no_key=True, of=("self",)).get(pk=SYSTEM)
    admins = Account.objects.filter(role=Account.Role.ADMIN, is_active=True)
    if list(admins.values_list("pk", flat=True)[:2]) == [account_id]:
        raise LastAdmin
