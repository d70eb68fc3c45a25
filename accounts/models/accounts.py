from collections.abc import Collection, Iterator, Mapping
from typing import Any

from django.conf import settings
from django.contrib.auth.base_user import AbstractBaseUser
from django.contrib.auth.models import PermissionsMixin
from django.core.validators import MaxValueValidator, RegexValidator
from django.db import models, router, transaction
from django.utils import timezone
from django.utils.crypto import salted_hmac

from accounts.identifiers import PATTERN
from accounts.querysets import AccountManager, AuctionSystemQuerySet
from accounts.tokens.claims import MAX_EMAIL_LENGTH, MAX_NAME_LENGTH
from config.edge.security.security_log import acting_account, log_change, origin
from config.values.countries import validate_country
from config.values.identifiers import MAX_ACCOUNT_ID_LENGTH
from config.values.labels import english_label, validate_text_labels
from config.values.languages import MAX_TAG_LENGTH
from config.values.request_id import MAX_REQUEST_ID_LENGTH, request_id
from config.values.web_addresses import WebAddressValidator

ERASED = "This person was erased. The account cannot be switched on again."

ROLE_AND_STATUS = frozenset({"role", "is_active"})
"""The columns of an account that say what it may do. Each change of one is stored as an AccountChange."""

DEFAULT_AUCTION_SYSTEM = "other"
"""The id of the auction system of an account that has not chosen one."""


class AuctionSystem(models.Model):
    """A bidding system, what a partnership's bids mean: Acol, SAYC, Precision …"""

    id = models.CharField(
        primary_key=True, max_length=64, editable=False, help_text="The first identifier. Never changes."
    )
    identifier = models.SlugField(
        max_length=64, unique=True, help_text="A short name for programs, such as two_over_one."
    )
    labels = models.JSONField(
        default=dict, validators=[validate_text_labels], help_text='Its name in each language, such as {"en": "Acol"}.'
    )
    sort_order = models.PositiveIntegerField(
        default=0,
        db_index=True,
        validators=[MaxValueValidator(99_999)],
        help_text="Its place in lists. The smallest number comes first.",
    )

    aliases = models.TextField(
        blank=True,
        default="",
        db_default="",
        help_text="Other names that bridge files give it, one a line. Case and punctuation do not count.",
    )

    objects = AuctionSystemQuerySet.as_manager()

    class Meta:
        ordering = ("sort_order", "identifier")

    def __str__(self) -> str:
        return english_label(self.labels, self.identifier)

    def save(self, *args: Any, **kwargs: Any) -> None:
        self.id = self.id or self.identifier
        super().save(*args, **kwargs)


class Account(AbstractBaseUser, PermissionsMixin):
    """A person, organisation or service that calls this one. Its id is the `sub` of the identity provider's tokens.

    What staff may do follows from the role alone: rights come from the group named after it
    (accounts.backends), so there is no second list of them to keep in step.
    """

    class Role(models.TextChoices):
        MEMBER = "member"
        SUPPORT = "support"
        ADMIN = "admin"

    id = models.CharField(
        primary_key=True,
        max_length=MAX_ACCOUNT_ID_LENGTH,
        validators=[RegexValidator(rf"^{PATTERN}\Z")],
        help_text="The subject (sub) of the identity provider's tokens. Never changes.",
    )
    role = models.CharField(
        max_length=16,
        choices=Role,
        default=Role.MEMBER,
        help_text="Support and admins may log in here. Only admins give roles.",
    )
    is_active = models.BooleanField(
        "active", default=True, help_text="If this is off, every token of the account is refused."
    )
    email = models.EmailField(
        max_length=MAX_EMAIL_LENGTH,
        blank=True,
        help_text="Several accounts may have the same address: only the id names an account.",
    )
    display_name = models.CharField(
        max_length=MAX_NAME_LENGTH, blank=True, help_text="The name that others see; without one they see the id."
    )
    first_name = models.CharField(max_length=MAX_NAME_LENGTH, blank=True, help_text="Given name.")
    last_name = models.CharField(max_length=MAX_NAME_LENGTH, blank=True, help_text="Family name.")
    organisation_name = models.CharField(
        max_length=200, blank=True, help_text="Name of the club, school or company. An organisation must have one."
    )
    is_organisation = models.BooleanField(
        "organisation", default=False, help_text="Whether the account belongs to an organisation, not to a person."
    )
    show_email_publicly = models.BooleanField(
        default=False, help_text="Whether everybody with an account sees the e-mail address."
    )
    country = models.CharField(
        max_length=2,
        blank=True,
        validators=[validate_country],
        help_text="ISO 3166-1 alpha-2, two capital letters such as NL.",
    )
    language = models.CharField(
        max_length=MAX_TAG_LENGTH, blank=True, help_text="BCP 47 language tag such as en or pt-BR."
    )
    auction_system = models.ForeignKey(
        AuctionSystem,
        on_delete=models.PROTECT,
        default=DEFAULT_AUCTION_SYSTEM,
        related_name="accounts",
        help_text="The bidding system that the account plays.",
    )
    avatar_url = models.CharField(
        max_length=500,
        blank=True,
        validators=[WebAddressValidator(["https"])],
        help_text="Address of a picture, beginning with https://.",
    )
    erased_at = models.DateTimeField(
        null=True,
        blank=True,
        editable=False,
        help_text="When the person was erased. The account stays switched off for ever.",
    )
    rights_version = models.PositiveIntegerField(
        default=0,
        db_default=0,
        editable=False,
        help_text="Counted up by the database whenever the account is switched off, or gets or loses a staff role.",
    )
    created_at = models.DateTimeField(auto_now_add=True, help_text="When the account was made.")
    updated_at = models.DateTimeField(auto_now=True, help_text="When the account was last changed.")

    # None removes a field that is inherited.
    groups = None  # type: ignore[assignment]
    user_permissions = None  # type: ignore[assignment]

    objects = AccountManager()

    in_member_session = False
    """Whether this request is of a member's session: that gives no staff rights, whatever the role."""

    USERNAME_FIELD = "id"
    EMAIL_FIELD = "email"

    class Meta:
        ordering = ("id",)
        constraints = (
            models.CheckConstraint(
                name="account_role_known", condition=models.Q(role__in=("member", "support", "admin"))
            ),
            models.CheckConstraint(
                name="account_organisation_named",
                condition=models.Q(is_organisation=False) | ~models.Q(organisation_name=""),
                violation_error_code="organisation_unnamed",
                violation_error_message="An organisation needs an organisationName.",
            ),
            models.CheckConstraint(
                name="account_erased_is_off",
                condition=models.Q(erased_at=None) | models.Q(is_active=False, role="member"),
                violation_error_code="erased",
                violation_error_message=ERASED,
            ),
        )

    def __str__(self) -> str:
        return self.display_name or self.id

    def get_session_auth_hash(self) -> str:
        """Return what a session must match: those from before a suspension, promotion or demotion never do again."""
        return self.session_hash()

    def get_session_auth_fallback_hash(self) -> Iterator[str]:
        return map(self.session_hash, settings.SECRET_KEY_FALLBACKS)

    def session_hash(self, secret: str | None = None) -> str:
        value = f"{self.rights_version} {self.password}"
        return salted_hmac("accounts.session", value, secret=secret, algorithm="sha256").hexdigest()

    def save(self, *args: Any, **kwargs: Any) -> None:
        """Record a change of role or status in the transaction that makes it, wherever the account is saved."""
        fields = kwargs.get("update_fields")
        if fields is not None and ROLE_AND_STATUS.isdisjoint(fields):
            super().save(*args, **kwargs)
            return
        using = kwargs.get("using") or router.db_for_write(type(self), instance=self)
        with transaction.atomic(using=using):
            before = None
            if not kwargs.get("force_insert"):
                # As it is stored and stays until the commit: what this object was loaded with may be old.
                stored = Account._base_manager.using(using).filter(pk=self.pk)
                before = stored.select_for_update(no_key=True).values(*ROLE_AND_STATUS).first()
            super().save(*args, **kwargs)
            AccountChange.record(self, before, fields)

    @property
    def is_staff(self) -> bool:
        return not self.in_member_session and self.role in (self.Role.SUPPORT, self.Role.ADMIN)

    @property
    def is_superuser(self) -> bool:  # type: ignore[override]  # follows from the role, so nobody sets it
        return not self.in_member_session and self.role == self.Role.ADMIN

    @property
    def is_active_admin(self) -> bool:
        return self.is_superuser and self.is_active


class OneTimeCode(models.Model):
    """The secret by which an account's app computes its codes, and how far they are used up."""

    account = models.OneToOneField(
        settings.AUTH_USER_MODEL,
        on_delete=models.CASCADE,
        primary_key=True,
        related_name="one_time_code",
        help_text="Account that logs in with the codes",
    )
    secret = models.CharField(max_length=200, help_text="Encrypted with keys that are derived from SECRET_KEY")
    last_step = models.PositiveBigIntegerField(
        default=0, help_text="Number of the half minute whose code was used last. No code up to it is taken"
    )
    created_at = models.DateTimeField(default=timezone.now, editable=False, help_text="When it was enrolled")

    def __str__(self) -> str:
        return f"one-time code of {self.account_id}"


class AccountChange(models.Model):
    """A change of an account's role or status: the record of who may do what, beside the admin's own log.

    It has plain ids and no foreign keys, since it outlives what staff can see of an account. `prune` deletes it.
    """

    class Field(models.TextChoices):
        ROLE = "role"
        IS_ACTIVE = "is_active", "active"

    subject_id = models.CharField(
        max_length=MAX_ACCOUNT_ID_LENGTH, db_index=True, help_text="Id of the account that was changed"
    )
    actor_id = models.CharField(
        max_length=MAX_ACCOUNT_ID_LENGTH,
        blank=True,
        db_index=True,
        help_text="Id of the account that changed it. Empty for an operator's command",
    )
    field = models.CharField(max_length=16, choices=Field, help_text="What was changed")
    old = models.CharField(max_length=16, blank=True, help_text="Before. Empty for a new account")
    new = models.CharField(max_length=16, help_text="Afterwards")
    route = models.CharField(max_length=200, blank=True, help_text="URL pattern of the request, or the command")
    request_id = models.CharField(
        max_length=MAX_REQUEST_ID_LENGTH, blank=True, help_text="X-Request-Id of the request, as in the logs"
    )
    created_at = models.DateTimeField(auto_now_add=True, db_index=True, help_text="When it was changed")

    class Meta:
        ordering = ("-created_at", "-id")

    def __str__(self) -> str:
        return f"{self.subject_id}: {self.field} {self.old} → {self.new}"

    @classmethod
    def record(cls, account: Account, before: Mapping[str, Any] | None, update_fields: Collection[str] | None) -> None:
        """Store and log what a save has changed. Call it inside the transaction of the save.

        `before` is None for a new account, of which only a staff role is recorded.
        """
        if before is None and account.role == Account.Role.MEMBER:
            return
        old = before or {"role": "", "is_active": account.is_active}
        for field in sorted(ROLE_AND_STATUS):
            new = getattr(account, field)
            if new == old[field] or (update_fields is not None and field not in update_fields):
                continue
            values = {"field": field, "old": _as_text(old[field]), "new": _as_text(new)}
            cls.objects.create(
                subject_id=account.pk,
                actor_id=acting_account(),
                route=origin()[:200],
                request_id=request_id.get(),
                **values,
            )
            log_change("account_changed", actor=acting_account() or None, subject=account.pk, **values)


def _as_text(value: str | bool) -> str:
    return str(value).lower() if isinstance(value, bool) else value
