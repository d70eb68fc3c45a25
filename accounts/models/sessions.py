"""Sessions in the database, with whose they are and since when. settings.SESSION_ENGINE names this module.

A session ends when it has not been used for a while, and at last at a certain age: the two limits of its kind. Both
are in its row as `expire_date`, so that Django's own look at that column keeps them.
"""

import hashlib
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from typing import Any, ClassVar

from django.conf import settings
from django.contrib.auth import BACKEND_SESSION_KEY, SESSION_KEY
from django.contrib.sessions.backends.db import SessionStore as DatabaseStore
from django.contrib.sessions.base_session import AbstractBaseSession, BaseSessionManager
from django.db import Error, models, transaction
from django.utils import timezone

from accounts.tokens.claims import clean_text

MEMBER_BACKEND = "accounts.backends.MemberBackend"
"""The backend of a member's session."""

BEGAN, SEEN, AGENT, PROVIDER_SESSION = "began", "seen", "agent", "provider_session"
AUTHENTICATED = "authenticated"
"""The key for the second at which the person proved who they are, which may be long before the session began."""

MAX_UNSEEN = timedelta(minutes=10)
"""How old the time of the last use may be before it is written again, or a sixtieth of what it may be idle."""

CLEARED_AT_ONCE = 10
MAX_AGENT_LENGTH = 300
MAX_PROVIDER_SESSION_LENGTH = 255
FLOW_LIMITS = timedelta(hours=1), timedelta(hours=1)
"""The limits of a session whose user has not yet returned from the identity provider."""


class Session(AbstractBaseSession):
    """A browser that is signed in as a member or in the admin, or is about to be. Who deletes the row signs it out."""

    class Kind(models.TextChoices):
        MEMBER = "member", "member"
        ADMIN = "admin", "administration"

    account = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.CASCADE,
        null=True,
        related_name="sessions",
        help_text="Who is signed in. Blank until the identity provider has said it.",
    )
    kind = models.CharField(max_length=8, choices=Kind, blank=True, help_text="Where the account signed in.")
    provider_session = models.CharField(
        max_length=MAX_PROVIDER_SESSION_LENGTH,
        blank=True,
        help_text="The provider's name of the login (sid), by which it may end this session.",
    )
    agent = models.CharField(
        max_length=MAX_AGENT_LENGTH, blank=True, help_text="What the browser said of itself (User-Agent)."
    )
    began_at = models.DateTimeField(help_text="When the account signed in.")
    seen_at = models.DateTimeField(help_text="When it was last used, to some minutes.")

    objects: ClassVar[BaseSessionManager] = BaseSessionManager()

    class Meta(AbstractBaseSession.Meta):
        abstract = False
        ordering = ("-seen_at", "session_key")

    def __str__(self) -> str:
        """Return what names it in the admin and its log: never the key, which is the browser's secret."""
        return f"{self.account_id or 'nobody'}, {self.device}"

    @classmethod
    def get_session_store_class(cls) -> type["SessionStore"]:
        return SessionStore

    @property
    def name(self) -> str:
        """Return an id for pages, from which nobody can compute the key."""
        return hashlib.sha256(f"session {self.session_key}".encode()).hexdigest()[:32]

    @property
    def device(self) -> str:
        """Return the browser and its system in words, as far as a person needs it: "Firefox on Android"."""
        browser = next((name for product, name in BROWSERS.items() if f"{product}/" in self.agent), "")
        system = next((mark for mark in SYSTEMS if mark in self.agent), "")
        return " on ".join(filter(None, (browser, system))) or "an unknown device"


class SessionStore(DatabaseStore):
    """Django's store, with the columns of accounts.models.Session and its limits."""

    is_loaded = False

    @classmethod
    def get_model_class(cls) -> type[Session]:
        return Session

    def create_model_instance(self, data: dict[str, Any]) -> Session:
        now = timezone.now()
        began_at = began(data)
        return Session(
            session_key=self.session_key or "",
            session_data=self.encode({**data, SEEN: int(now.timestamp())}),
            expire_date=expiry(kind_of(data), began_at, now),
            account_id=data.get(SESSION_KEY),
            kind=kind_of(data),
            provider_session=data.get(PROVIDER_SESSION, ""),
            agent=data.get(AGENT, ""),
            began_at=began_at,
            seen_at=now,
        )

    def load(self) -> dict[str, Any]:
        """Return what is stored, and note that the session is used."""
        data: dict[str, Any] = super().load()
        with suppress(Error):  # A session that looks idle for some minutes more does no harm.
            self.touch(data)
        self.is_loaded = True
        return data

    @property
    def account_id(self) -> str | None:
        """Return whose session it is, without asking the database: None before it is loaded."""
        return self.get(SESSION_KEY) if self.is_loaded else None

    def get_expiry_age(self, **kwargs: Any) -> int:
        """Return the seconds for which the browser keeps the cookie. When the session ends, the row decides."""
        _, max_age = limits_of(kind_of(self))
        return max(0, int((began(self) + max_age - timezone.now()).total_seconds()))

    @classmethod
    def clear_some_expired(cls) -> None:
        """Delete a few rows that have ended, before a stranger makes one: no flood outgrows an hour's sign-ins."""
        ended = Session.objects.filter(expire_date__lt=timezone.now()).order_by("expire_date")
        Session.objects.filter(pk__in=list(ended.values_list("pk", flat=True)[:CLEARED_AT_ONCE])).delete()

    def begin(self, agent: str) -> None:
        """Store when the session was signed in to, and in which browser. Each sign-in gets a new key.

        Django would keep the key of a person who signs in again, and anyone with the member's key would become staff.
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

    def touch(self, data: dict[str, Any]) -> None:
        """Write that the session is used, so that it does not count as idle. Each commit makes kept answers old.

        The row is read again under its lock: another request of the browser may have stored something since.
        """
        now = timezone.now()
        idle, _ = limits_of(kind_of(data))
        unseen = timedelta(seconds=now.timestamp() - data.get(SEEN, 0))
        if SESSION_KEY not in data or unseen < min(idle / 60, MAX_UNSEEN):
            return
        with transaction.atomic():
            row = Session.objects.select_for_update().filter(pk=self.session_key).first()
            if row is None:
                return
            row.session_data = self.encode({**row.get_decoded(), SEEN: int(now.timestamp())})
            row.seen_at, row.expire_date = now, expiry(row.kind, row.began_at, now)
            row.save(update_fields=["session_data", "seen_at", "expire_date"])


Data = SessionStore | dict[str, Any]
"""A session, or what is stored of it."""


def began(data: Data) -> datetime:
    return datetime.fromtimestamp(data[BEGAN], UTC) if BEGAN in data else timezone.now()


def kind_of(data: Data) -> str:
    """Return the kind of a session, "" for one that nobody has signed in to."""
    backend = data.get(BACKEND_SESSION_KEY)
    if backend is None:
        return ""
    return Session.Kind.MEMBER if backend == MEMBER_BACKEND else Session.Kind.ADMIN


def limits_of(kind: str) -> tuple[timedelta, timedelta]:
    """Return for how long a session may be idle, and how old it may become."""
    limits = {"admin": settings.ADMIN_SESSION_LIMITS, "member": settings.MEMBER_SESSION_LIMITS}
    return limits.get(kind, FLOW_LIMITS)


def expiry(kind: str, began_at: datetime, seen_at: datetime) -> datetime:
    """Return when a session ends that was last used at this moment."""
    max_idle, max_age = limits_of(kind)
    return min(seen_at + max_idle, began_at + max_age)


BROWSERS = {
    "Edg": "Edge",
    "OPR": "Opera",
    "Firefox": "Firefox",
    "FxiOS": "Firefox",
    "Chrome": "Chrome",
    "CriOS": "Chrome",
    "Safari": "Safari",
}
"""The names of browsers by the product that their User-Agent has. The first that is found counts: many name others."""

SYSTEMS = ("iPhone", "iPad", "Android", "Windows", "Mac", "Linux")
"""The marks of systems. The first that is found counts here too: an iPhone says that it is like a Mac."""
