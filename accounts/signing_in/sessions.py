"""Sessions in the database, with whose they are and since when. settings.SESSION_ENGINE names this module.

A session ends when it has not been used for a while, and at last at a certain age: the two limits of its door. Both
stand in its row as `expire_date`, so that Django's own look at that column keeps them.
"""

from datetime import UTC, datetime, timedelta
from typing import Any

from django.contrib.auth import BACKEND_SESSION_KEY, SESSION_KEY
from django.contrib.sessions.backends.db import SessionStore as DatabaseStore
from django.db import transaction
from django.utils import timezone

from accounts.models import Session
from accounts.models.sessions import MAX_AGENT_LENGTH, MAX_PROVIDER_SESSION_LENGTH, absolute_expiry, expiry, limits_of
from accounts.signing_in.doors import MEMBERS
from accounts.tokens.claims import clean_text

BEGAN, SEEN, AGENT, PROVIDER_SESSION = "began", "seen", "agent", "provider_session"
AUTHENTICATED = "authenticated"
"""The key for the second at which the person proved who they are, which may be long before the session began."""

MAX_UNSEEN = timedelta(minutes=10)
"""How old the time of the last use may be before it is written again, or a sixtieth of what the door lets be idle."""

CLEARED_AT_ONCE = 10


class SessionStore(DatabaseStore):
    """Django's store, with the columns of accounts.models.Session and its limits."""

    @classmethod
    def get_model_class(cls) -> type[Session]:
        return Session

    def create_model_instance(self, data: dict[str, Any]) -> Session:
        now = timezone.now()
        began_at = began(data)
        return Session(
            session_key=self.session_key or "",
            session_data=self.encode({**data, SEEN: int(now.timestamp())}),
            expire_date=expiry(door_of(data), began_at, now),
            account_id=data.get(SESSION_KEY),
            door=door_of(data),
            provider_session=data.get(PROVIDER_SESSION, ""),
            agent=data.get(AGENT, ""),
            began_at=began_at,
            seen_at=now,
        )

    def get_expiry_age(self, **kwargs: Any) -> int:
        """Return the seconds for which the browser keeps the cookie. When the session ends, the row decides."""
        data = dict(self.items())
        rest = absolute_expiry(door_of(data), began(data)) - timezone.now()
        return max(0, int(rest.total_seconds()))

    @classmethod
    def clear_some_expired(cls) -> None:
        """Delete a few rows that have ended, before a stranger makes one: no flood outgrows an hour's sign-ins."""
        ended = Session.objects.filter(expire_date__lt=timezone.now()).order_by("expire_date")
        Session.objects.filter(pk__in=list(ended.values_list("pk", flat=True)[:CLEARED_AT_ONCE])).delete()

    def begin(self, agent: str) -> None:
        """Store when the session was signed in to, and in which browser. Each sign-in has a key of its own.

        Django keeps the key of a person who signs in again, which would make staff of whoever has that of the member.
        """
        if BEGAN in self:
            self.pop(PROVIDER_SESSION, None)
            self.cycle_key()
        self[BEGAN] = self[AUTHENTICATED] = int(timezone.now().timestamp())
        self[AGENT] = clean_text(agent, MAX_AGENT_LENGTH)

    def remember_login(self, sid: object, authenticated_at: int) -> None:
        """Store the provider's name of the login, by which it may end this session, and when it says that it was."""
        self[PROVIDER_SESSION] = clean_text(sid, MAX_PROVIDER_SESSION_LENGTH)
        self[AUTHENTICATED] = authenticated_at

    def touch(self) -> None:
        """Write that the session was used, so that it does not count as idle. Each commit makes kept answers old.

        The row is read again under its lock: another request of the browser may have stored something since.
        """
        now = timezone.now()
        idle, _ = limits_of(door_of(dict(self.items())))
        unseen = timedelta(seconds=now.timestamp() - self.get(SEEN, 0))
        if SESSION_KEY not in self or unseen < min(idle / 60, MAX_UNSEEN):
            return
        with transaction.atomic():
            row = Session.objects.select_for_update().filter(pk=self.session_key).first()
            if row is None:
                return
            row.session_data = self.encode({**row.get_decoded(), SEEN: int(now.timestamp())})
            row.seen_at, row.expire_date = now, expiry(row.door, row.began_at, now)
            row.save(update_fields=["session_data", "seen_at", "expire_date"])


def began(data: dict[str, Any]) -> datetime:
    return datetime.fromtimestamp(data[BEGAN], UTC) if BEGAN in data else timezone.now()


def door_of(data: dict[str, Any]) -> str:
    """Return through which door a session came, "" for one that nobody has signed in to."""
    backend = data.get(BACKEND_SESSION_KEY)
    if backend is None:
        return ""
    return Session.Door.MEMBER if backend == MEMBERS.backend else Session.Door.ADMIN
