import uuid

from django.core.validators import URLValidator
from django.db import models

from deals.bridge.layout import Layout
from deals.double_dummy import Table
from deals.querysets import DealQuerySet

validate_source_url = URLValidator(["http", "https"])


class Deal(models.Model):
    """52 cards in four hands. The cards identify the deal: the same cards, however written, are the same row."""

    class DoubleDummyStatus(models.TextChoices):
        PENDING = "pending"
        DONE = "done"
        FAILED = "failed"
        UNAVAILABLE = "unavailable"

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    cards = models.CharField(
        max_length=69,
        unique=True,
        editable=False,
        help_text='The four hands in PBN: "N:", then N E S W, ranks descending.',
    )
    source_name = models.CharField(max_length=200, blank=True, help_text="Who or what dealt the cards.")
    source_url = models.CharField(
        max_length=500,
        blank=True,
        validators=[validate_source_url],
        help_text="The web address of the source.",
    )
    source_licence = models.CharField(
        max_length=200, blank=True, help_text="The licence under which the source gives the deal."
    )
    double_dummy_status = models.CharField(
        max_length=16,
        choices=DoubleDummyStatus,
        default=DoubleDummyStatus.PENDING,
        editable=False,
        help_text="Pending deals are the worker's list. Unavailable: the worker has no solver.",
    )
    double_dummy = models.CharField(
        max_length=20,
        blank=True,
        editable=False,
        help_text="Tricks in hexadecimal: seats N E S W × denominations C D H S NT.",
    )
    par = models.JSONField(
        null=True,
        editable=False,
        help_text='By vulnerability: {"None": {"score": NS-signed, "contracts": […]}, …}.',
    )
    solver_attempts = models.PositiveSmallIntegerField(
        default=0, editable=False, help_text="How often the solver failed on this deal alone."
    )
    claimed_until = models.DateTimeField(
        null=True, editable=False, help_text="When the lease of the worker that solves the deal expires."
    )
    created_at = models.DateTimeField(auto_now_add=True, help_text="When the deal was brought in.")
    updated_at = models.DateTimeField(
        auto_now=True, help_text="When the source or the double dummy last changed."
    )

    objects = DealQuerySet.as_manager()

    class Meta:
        ordering = ("-created_at", "id")
        indexes = (
            models.Index(name="deal_newest", fields=("-created_at", "id")),
            models.Index(
                name="deal_to_solve",
                fields=("created_at", "id"),
                condition=models.Q(double_dummy_status="pending"),
            ),
        )
        constraints = (
            models.CheckConstraint(
                name="deal_table_when_done",
                condition=models.Q(double_dummy_status="done", par__isnull=False) & ~models.Q(double_dummy="")
                | ~models.Q(double_dummy_status="done") & models.Q(double_dummy="", par__isnull=True),
            ),
        )

    def __str__(self) -> str:
        return self.cards

    @property
    def layout(self) -> Layout:
        """Return the cards as the value type of the bridge rules."""
        return Layout.from_canonical(self.cards)

    @property
    def key(self) -> str:
        return self.layout.key

    @property
    def table(self) -> Table | None:
        return Table(self.double_dummy) if self.double_dummy else None
