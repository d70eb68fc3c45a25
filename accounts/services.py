from accounts.identifiers import SYSTEM
from accounts.models import Account
from config.api.errors import LastAdmin


def require_another_admin(account_id: str) -> None:
    """Raise LastAdmin when this account is the only active admin.

    Call it inside the transaction that demotes or deactivates the account. Until that ends, the row of the account
    `system` is locked, which nobody changes and which stands for the set of admins. So of two admins who demote each
    other at once, the second waits here, and then finds that nobody else is left. Lock the account's own row before.
    """
    Account.objects.select_for_update(no_key=True, of=("self",)).get(pk=SYSTEM)
    admins = Account.objects.filter(role=Account.Role.ADMIN, is_active=True)
    if list(admins.values_list("pk", flat=True)[:2]) == [account_id]:
        raise LastAdmin
