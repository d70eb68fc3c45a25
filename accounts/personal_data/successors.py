"""The accounts of what erased people leave published: one for each erasure, so that nobody's boards mix with another's.

An account of this kind is never the club's, and nobody signs in as it. Nothing leads from the person's old id to it.
"""

from datetime import UTC, datetime
from functools import cached_property
from uuid import uuid4

from accounts.models import Account

NO_MOMENT = datetime(1970, 1, 1, tzinfo=UTC)
"""Its dates. The moment of the erasure, which the old account has too, would lead from one to the other."""


class Successor:
    """The account that published boards and themes of an erased person pass to. It is stored once its id is read."""

    @cached_property
    def id(self) -> str:
        account = Account(pk=f"erased-{uuid4().hex}", is_active=False, erased_at=NO_MOMENT)
        account.set_unusable_password()
        account.save(force_insert=True)
        Account.objects.filter(pk=account.pk).update(created_at=NO_MOMENT, updated_at=NO_MOMENT)
        return account.pk
