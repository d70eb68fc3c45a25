"""What ends impersonations beside a request to stop one."""

from collections.abc import Collection

from django.db.models.signals import post_save, pre_delete
from django.dispatch import receiver
from django.utils import timezone

from accounts.models import ROLE_AND_STATUS, Account, Session
from config.edge.security.security_log import origin
from impersonation import services
from impersonation.audit import AuditContext
from impersonation.middleware import IMPERSONATION
from impersonation.models import Impersonation


@receiver(post_save, sender=Account)
def end_those_that_a_change_forbids(
    sender: type[Account], instance: Account, created: bool, update_fields: Collection[str] | None, **kwargs: object
) -> None:
    """End them in the transaction of the change, so that a change back does not revive one."""
    if not created and (update_fields is None or not ROLE_AND_STATUS.isdisjoint(update_fields)):
        services.end_invalid(Impersonation.objects.involving(instance), timezone.now())


@receiver(pre_delete, sender=Session)
def end_that_of_a_session(sender: type[Session], instance: Session, **kwargs: object) -> None:
    """End the impersonation of a session that ends, in whichever way: the actor cannot go on with it."""
    if instance.kind == Session.Kind.ADMIN and (pk := instance.get_decoded().get(IMPERSONATION)):
        context = AuditContext(origin() or "the session ended")
        services.end(Impersonation.objects.filter(pk=pk), context=context)
