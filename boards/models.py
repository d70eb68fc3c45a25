import uuid

from django.conf import settings
from django.core.validators import MaxValueValidator
from django.db import models
from django.db.models import F, Q
from django.utils import timezone

from accounts.identifiers import SYSTEM
from accounts.models import AuctionSystem
from boards.querysets import BoardQuerySet
from boards.validators import fits_in_a_line
from deals.bridge.contract import Contract
from deals.bridge.scoring import score
from deals.bridge.seats import Seat
from deals.bridge.vulnerability import Vulnerability
from deals.models import Deal
from themes.models import Theme


class Board(models.Model):
    """A deal to look at: with dealer, vulnerability, and what was bid and played.

    Written only from a BoardRecord that passed its check (boards.records), so that the auction, the contract, the
    lead and the play never contradict each other or the cards. A draft has no `published_at`.
    """

    class Dealer(models.TextChoices):
        NORTH = "N"
        EAST = "E"
        SOUTH = "S"
        WEST = "W"

    class Vulnerability(models.TextChoices):
        NONE = "None", "None"
        NS = "NS", "NS"
        EW = "EW", "EW"
        ALL = "All", "All"

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    deal = models.ForeignKey(Deal, on_delete=models.PROTECT, related_name="boards", editable=False)
    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, default=SYSTEM, related_name="boards"
    )
    themes = models.ManyToManyField(Theme, blank=True, related_name="boards")
    auction_system = models.ForeignKey(
        AuctionSystem, on_delete=models.PROTECT, null=True, blank=True, related_name="boards"
    )

    board_number = models.PositiveIntegerField(null=True, blank=True, validators=[MaxValueValidator(99_999)])
    title = models.CharField(max_length=200, blank=True, validators=[fits_in_a_line])
    commentary = models.TextField(blank=True)
    event = models.CharField(max_length=200, blank=True, validators=[fits_in_a_line])
    site = models.CharField(max_length=200, blank=True, validators=[fits_in_a_line])
    date = models.CharField(
        max_length=40, blank=True, help_text="As PBN writes it: 2026.11.21, parts may be ??"
    )
    scoring = models.CharField(max_length=80, blank=True, help_text="As PBN writes it: IMP, MP …")

    dealer = models.CharField(max_length=1, choices=Dealer, editable=False)
    vulnerability = models.CharField(max_length=4, choices=Vulnerability, editable=False)
    auction = models.JSONField(
        null=True,
        editable=False,
        help_text='The calls from the dealer on: "1NT", or ["1NT", alert, explanation]',
    )
    contract = models.CharField(max_length=5, blank=True, editable=False, help_text="4SX, Pass, or nothing")
    declarer = models.CharField(max_length=1, blank=True, choices=Dealer, editable=False)
    opening_lead = models.CharField(max_length=2, blank=True, editable=False)
    play = models.JSONField(null=True, editable=False, help_text='Cards as they were played: ["HK", …]')
    tricks = models.PositiveSmallIntegerField(null=True, editable=False, help_text="Won by declarer")

    fingerprint = models.CharField(
        max_length=64,
        unique=True,
        editable=False,
        help_text="Of all that makes this board this one (boards.records)",
    )
    up_votes = models.PositiveIntegerField(default=0, editable=False)
    down_votes = models.PositiveIntegerField(default=0, editable=False)
    published_at = models.DateTimeField(null=True, blank=True, editable=False)
    created_at = models.DateTimeField(auto_now_add=True)
    updated_at = models.DateTimeField(auto_now=True)

    objects = BoardQuerySet.as_manager()

    class Meta:
        ordering = ("-created_at", "id")
        indexes = (
            models.Index(
                name="board_newest", fields=("-published_at", "id"), condition=Q(published_at__isnull=False)
            ),
            models.Index(
                F("down_votes") - F("up_votes"),
                F("published_at").desc(),
                "id",
                name="board_top",
                condition=Q(published_at__isnull=False),
            ),
        )
        constraints = (
            models.CheckConstraint(name="board_dealer_known", condition=Q(dealer__in=("N", "E", "S", "W"))),
            models.CheckConstraint(
                name="board_vulnerability_known", condition=Q(vulnerability__in=("None", "NS", "EW", "All"))
            ),
            models.CheckConstraint(name="board_number_from_one", condition=Q(board_number__gte=1)),
            models.CheckConstraint(name="board_tricks_to_thirteen", condition=Q(tricks__lte=13)),
            models.CheckConstraint(
                name="board_declarer_with_contract",
                condition=Q(contract__in=("", "Pass"), declarer="", tricks__isnull=True)
                | ~Q(contract__in=("", "Pass")) & ~Q(declarer=""),
            ),
        )

    def __str__(self) -> str:
        return self.title or (f"Board {self.board_number}" if self.board_number else str(self.pk))

    def publish(self) -> bool:
        """Show it to everybody. Whether that changed anything; publishing again keeps the first date."""
        if self.published_at is not None:
            return False
        self.published_at = timezone.now()
        self.save(update_fields=["published_at", "updated_at"])
        return True

    def unpublish(self) -> bool:
        """Make it a draft again; its votes stay."""
        if self.published_at is None:
            return False
        self.published_at = None
        self.save(update_fields=["published_at", "updated_at"])
        return True

    @property
    def is_liked(self) -> bool:
        """By more than dislike it."""
        return self.up_votes > self.down_votes

    @property
    def final_contract(self) -> Contract | None:
        if not self.contract:
            return None
        return Contract.parse(self.contract, Seat(self.declarer) if self.declarer else None)

    @property
    def score(self) -> int | None:
        """North-South's points; None without a contract or a result."""
        contract = self.final_contract
        if contract is None or (self.tricks is None and not contract.passed_out):
            return None
        return score(contract, Vulnerability(self.vulnerability), self.tricks)
