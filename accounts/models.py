from typing import Any

from django.contrib.auth.base_user import AbstractBaseUser
from django.contrib.auth.models import PermissionsMixin
from django.core.validators import MaxValueValidator, RegexValidator, URLValidator
from django.db import models

from accounts.identifiers import PATTERN
from accounts.managers import AccountManager, AuctionSystemQuerySet
from config.values.labels import english_label, validate_text_labels

DEFAULT_AUCTION_SYSTEM = "other"
"""The id of the auction system of an account that has not chosen one."""


class AuctionSystem(models.Model):
    """What a partnership's bids mean: Acol, SAYC, Precision …"""

    id = models.CharField(
        primary_key=True, max_length=64, editable=False, help_text="Never changes; at first the identifier."
    )
    identifier = models.SlugField(
        max_length=64, unique=True, help_text="A short name for programs: two_over_one"
    )
    labels = models.JSONField(
        default=dict,
        validators=[validate_text_labels],
        help_text='Its name in each language: {"en": "Acol"}',
    )
    sort_order = models.PositiveIntegerField(
        default=0,
        db_index=True,
        validators=[MaxValueValidator(99_999)],
        help_text="Its place in lists, from 0",
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
    """Somebody who calls the service. Its id is the `sub` of the identity provider's tokens.

    What staff may do follows from the role alone: rights come from the group named after it
    (accounts.backends), so there is no second list of them to keep in step.
    """

    class Role(models.TextChoices):
        MEMBER = "member"
        SUPPORT = "support"
        ADMIN = "admin"

    id = models.CharField(primary_key=True, max_length=255, validators=[RegexValidator(rf"^{PATTERN}\Z")])
    role = models.CharField(max_length=16, choices=Role, default=Role.MEMBER)
    is_active = models.BooleanField(
        "active", default=True, help_text="Off: every token of the account is refused."
    )
    email = models.EmailField(blank=True, help_text="Need not be unique: the id is what names an account.")
    display_name = models.CharField(max_length=150, blank=True)
    first_name = models.CharField(max_length=150, blank=True)
    last_name = models.CharField(max_length=150, blank=True)
    organisation_name = models.CharField(max_length=200, blank=True)
    is_organisation = models.BooleanField("organisation", default=False)
    show_email_publicly = models.BooleanField(default=False)
    country = models.CharField(max_length=2, blank=True, help_text="ISO 3166-1 alpha-2: NL")
    language = models.CharField(max_length=35, blank=True, help_text="BCP 47: en, pt-BR")
    auction_system = models.ForeignKey(
        AuctionSystem, on_delete=models.PROTECT, default=DEFAULT_AUCTION_SYSTEM, related_name="accounts"
    )
    avatar_url = models.CharField(max_length=500, blank=True, validators=[URLValidator(["https"])])
    created_at = models.DateTimeField(auto_now_add=True)
    updated_at = models.DateTimeField(auto_now=True)

    # Django takes an inherited field off a model where it is None.
    groups = None  # type: ignore[assignment]
    user_permissions = None  # type: ignore[assignment]

    objects = AccountManager()

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
        )

    def __str__(self) -> str:
        return self.display_name or self.id

    @property
    def is_staff(self) -> bool:
        return self.role in (self.Role.SUPPORT, self.Role.ADMIN)

    @property
    def is_superuser(self) -> bool:  # type: ignore[override]  # follows from the role, so nobody sets it
        return self.role == self.Role.ADMIN
