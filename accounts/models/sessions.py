import hashlib
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, ClassVar

from django.conf import settings
from django.contrib.sessions.base_session import AbstractBaseSession, BaseSessionManager
from django.db import models

if TYPE_CHECKING:
    from accounts.signing_in.sessions import SessionStore

MAX_AGENT_LENGTH = 300
MAX_PROVIDER_SESSION_LENGTH = 255
FLOW_LIMITS = timedelta(hours=1), timedelta(hours=1)
"""The limits of a session of somebody who has gone to the identity provider and has not come back yet."""


class Session(AbstractBaseSession):
    """A browser that is signed in, through the door of members or that of the admin, or is about to be.

    `expire_date` is when it ends unless it is used before: SessionStore moves it. Who deletes the row ends the session
    at its next request in every process.
    """

    class Door(models.TextChoices):
        MEMBER = "member", "member"
        ADMIN = "admin", "administration"

    account = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.CASCADE,
        null=True,
        related_name="sessions",
        help_text="Who is signed in. Blank until the identity provider has said it.",
    )
    door = models.CharField(max_length=8, choices=Door, blank=True, help_text="Where the account signed in.")
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
        from accounts.signing_in.sessions import SessionStore

        return SessionStore

    @property
    def name(self) -> str:
        """Return an id for pages, from which nobody can compute the key."""
        return hashlib.sha256(f"session {self.session_key}".encode()).hexdigest()[:32]

    @property
    def device(self) -> str:
        """Return the browser and its system in words, such as "Firefox on Android"."""
        return describe_agent(self.agent)


def limits_of(door: str) -> tuple[timedelta, timedelta]:
    """Return for how long a session may be idle, and how old it may become."""
    limits = {"admin": settings.ADMIN_SESSION_LIMITS, "member": settings.MEMBER_SESSION_LIMITS}
    return limits.get(door, FLOW_LIMITS)


def absolute_expiry(door: str, began_at: datetime) -> datetime:
    """Return when a session ends at last, however it is used."""
    return began_at + limits_of(door)[1]


def expiry(door: str, began_at: datetime, seen_at: datetime) -> datetime:
    """Return when a session ends that was last used at this moment."""
    return min(seen_at + limits_of(door)[0], absolute_expiry(door, began_at))


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

SYSTEMS = {
    "iPhone": "iPhone",
    "iPad": "iPad",
    "Android": "Android",
    "Windows": "Windows",
    "Mac OS X": "Mac",
    "Linux": "Linux",
}


def describe_agent(agent: str) -> str:
    """Say in words what a User-Agent names, as far as a person needs it to know a device again."""
    browser = next((name for product, name in BROWSERS.items() if f"{product}/" in agent), "")
    system = next((name for mark, name in SYSTEMS.items() if mark in agent), "")
    return " on ".join(filter(None, (browser, system))) or "a device that says nothing of itself"
