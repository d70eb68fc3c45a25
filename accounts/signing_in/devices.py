"""The browsers in which an account is signed in, and how they are signed out."""

from django.db.models import QuerySet
from django.utils import timezone

from accounts.models import Account, Session
from config.edge.security.security_log import log_change


def sessions_of(account: Account) -> QuerySet[Session]:
    """Return the sessions of an account that have not ended, the one that was used last first."""
    return Session.objects.filter(account=account, expire_date__gt=timezone.now())


def end_sessions(sessions: QuerySet[Session], *, why: str) -> int:
    """End sessions, at their next request in every process. Return how many there were."""
    ended = 0
    for key, account_id in sessions.values_list("pk", "account_id"):
        deleted, _ = Session.objects.filter(pk=key).delete()
        ended += deleted
        if deleted:
            log_change("session_ended", subject=account_id, why=why)
    return ended
