import uuid
from datetime import datetime
from functools import cache
from typing import Any

from django.conf import settings
from django.core.validators import MaxValueValidator
from django.db import models
from django.db.models import F, Q
from django.utils import timezone

from accounts.identifiers import SYSTEM
from accounts.models import AuctionSystem
from boards.identity import slug_of
from boards.models.index import take_numbers
from boards.models.names import full_name_of
from boards.querysets import BoardQuerySet
from boards.validators import validate_pbn_line
from bridge.board import TEXTS
from bridge.contract import Contract
from bridge.play_analysis import Trace
from bridge.scores import score_if_known
from bridge.seats import Seat
from bridge.vulnerability import Vulnerability
from deals.models import Deal
from search.models import leave_numbers
from themes.models import Theme

MAX_BOARD_NUMBER = 99_999
SEAT_CHOICES = [(seat.value, seat.full_name) for seat in Seat]
PUBLICATION = ("number", "published_at", "first_published_at", "updated_at")
"""The columns that change when a board is published or unpublished."""
VULNERABILITY_CHOICES = [(vulnerability.value, vulnerability.value) for vulnerability in Vulnerability]


def choices_of(name: str) -> list[tuple[str, str]]:
    """Return the values of a text, which files know too, with their labels."""
    return [(value, value.capitalize()) for value in TEXTS[name].choices]


def text_column(max_length: int, help_text: str, **options: Any) -> "models.CharField[str, str]":
    """Return the column of a text that is "" where it is not known."""
    return models.CharField(max_length=max_length, blank=True, help_text=help_text, **options)


ADDED: dict[str, Any] = {"default": "", "db_default": ""}
"""The options of a column that came later: a worker of the version before stores boards without it."""

OF_FILES: dict[str, Any] = {**ADDED, "editable": False}
"""The options of one that staff see and do not change."""


class Board(models.Model):
    """A deal with a dealer and a vulnerability, perhaps with its auction, contract, play and result.

    It is written only from a BoardRecord that passed its check (boards.records), so that the auction, the contract,
    the lead and the play never contradict each other or the cards. A draft is a board without `published_at`.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    deal = models.ForeignKey(
        Deal,
        on_delete=models.PROTECT,
        related_name="boards",
        editable=False,
        help_text="The 52 cards. Several boards may show the same deal.",
    )
    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.PROTECT,
        default=SYSTEM,
        related_name="boards",
        help_text="The account that may see the board while it is a draft.",
    )
    themes = models.ManyToManyField(Theme, blank=True, related_name="boards", help_text="What the board teaches.")
    auction_system = models.ForeignKey(
        AuctionSystem,
        on_delete=models.PROTECT,
        null=True,
        blank=True,
        related_name="boards",
        help_text="The bidding system of the auction. Leave blank when it is not known.",
    )

    board_number = models.PositiveIntegerField(
        null=True,
        blank=True,
        validators=[MaxValueValidator(MAX_BOARD_NUMBER)],
        help_text="The number on the board, from 1. Leave blank when there is none.",
    )
    title = text_column(
        200,
        "A heading for the board's page. The board number is shown when there is no title.",
        validators=[validate_pbn_line],
    )
    deal_title = text_column(
        200,
        "A heading for the deal, the same at all its tables.",
        validators=[validate_pbn_line],
        **ADDED,
    )
    difficulty = text_column(
        12,
        "Whom the board is for: beginner, intermediate, advanced or expert.",
        choices=choices_of("difficulty"),
        **ADDED,
    )
    student = text_column(
        1, "The seat whose calls and lead practice asks for. Leave blank for South.", choices=SEAT_CHOICES, **ADDED
    )
    commentary = models.TextField(
        max_length=20_000, blank=True, help_text="Plain text. A blank line begins a new paragraph."
    )
    deal_commentary = models.TextField(
        max_length=20_000,
        blank=True,
        help_text="What there is to say of the deal, the same at all its tables. Plain text, as the commentary.",
        **ADDED,
    )
    event = text_column(200, "The tournament or match, such as Friday pairs.", validators=[validate_pbn_line])
    site = text_column(200, "Where the event was held.", validators=[validate_pbn_line])
    date = text_column(40, "In PBN notation: 2026.11.21. Unknown parts are question marks.")
    scoring = text_column(80, "In PBN notation: IMP, MP (matchpoints) and others.")
    stage = text_column(
        200, "The part of the event, such as Final or Round 3.", validators=[validate_pbn_line], **ADDED
    )

    room = text_column(6, "The room of a team match: Open or Closed.", choices=choices_of("room"), **OF_FILES)
    table = text_column(80, "The table's number or name.", **OF_FILES)
    home_team = text_column(200, "The home team of a match.", **OF_FILES)
    visit_team = text_column(200, "The visiting team of a match.", **OF_FILES)
    pair_ns = text_column(
        20, "The number of the pair that sat North-South, such as 3.", verbose_name="pair North-South", **OF_FILES
    )
    pair_ew = text_column(
        20, "The number of the pair that sat East-West, such as 7.", verbose_name="pair East-West", **OF_FILES
    )
    adjustment = text_column(
        40,
        "The director's score where the board had no result (Law 12C), such as A60-40 or AVE+.",
        verbose_name="adjusted score",
        **OF_FILES,
    )
    system_text = text_column(
        200, "What a file says of the bidding system, when it names none of this site's.", **OF_FILES
    )

    dealer = models.CharField(
        max_length=1, choices=SEAT_CHOICES, editable=False, help_text="The seat that calls first."
    )
    vulnerability = models.CharField(
        max_length=4, choices=VULNERABILITY_CHOICES, editable=False, help_text="Which sides are vulnerable."
    )
    auction = models.JSONField(
        null=True,
        editable=False,
        help_text='The calls in order, starting with the dealer: "1NT", or ["1NT", alert, explanation].',
    )
    contract = text_column(
        5, "Such as 4SX; Pass when the board was passed out; blank when it is not known.", editable=False
    )
    declarer = text_column(
        1,
        "The seat that plays the contract. Blank when there is no contract.",
        choices=SEAT_CHOICES,
        editable=False,
    )
    opening_lead = text_column(2, "The first card played, such as HK. Blank when it is not known.", editable=False)
    play = models.JSONField(null=True, editable=False, help_text='The cards in the order they were played: ["HK", …].')
    tricks = models.PositiveSmallIntegerField(
        null=True, editable=False, help_text="The number of tricks that declarer won."
    )

    fingerprint = models.CharField(
        max_length=64,
        unique=True,
        editable=False,
        help_text="A hash of what identifies the board (boards.records). The same board is stored only once.",
    )
    up_votes = models.PositiveIntegerField(
        default=0, editable=False, help_text="The number of accounts that voted for the board."
    )
    down_votes = models.PositiveIntegerField(
        default=0, editable=False, help_text="The number of accounts that voted against the board."
    )
    published_at = models.DateTimeField(
        null=True, blank=True, editable=False, help_text="When the board was published. Blank for a draft."
    )
    first_published_at = models.DateTimeField(
        null=True,
        blank=True,
        editable=False,
        help_text="The date that a draft had while it was published, and gets again. Blank if it never was.",
    )
    number = models.BigIntegerField(
        unique=True,
        editable=False,
        help_text="Sorts lists, the greatest first. A board gets one when it is stored, another when it is published.",
    )
    created_at = models.DateTimeField(
        default=timezone.now,
        editable=False,
        help_text="When the board was stored. The boards of a file differ by microseconds, the first is the latest.",
    )
    updated_at = models.DateTimeField(
        auto_now=True, help_text="When the board was last changed. Votes change no board."
    )

    objects = BoardQuerySet.as_manager()

    class Meta:
        ordering = ("-created_at", "id")
        indexes = (
            models.Index(name="board_changed", fields=("updated_at",)),
            # An import asks what is stored of its evening.
            models.Index(name="board_of_evening", fields=("event", "date", "board_number")),
            # The admin's list begins with the latest of all.
            models.Index(name="board_stored", fields=("-created_at", "id")),
            models.Index(
                F("down_votes") - F("up_votes"),
                F("number").desc(),
                F("up_votes"),  # so that the index alone tells the votes
                F("down_votes"),
                name="board_voted",
                condition=~Q(up_votes=F("down_votes")),
            ),
        )
        constraints = (
            models.CheckConstraint(name="board_dealer_known", condition=Q(dealer__in=tuple(dict(SEAT_CHOICES)))),
            models.CheckConstraint(
                name="board_vulnerability_known", condition=Q(vulnerability__in=tuple(dict(VULNERABILITY_CHOICES)))
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
        return full_name_of(self) or str(self.pk)

    def save(self, *args: Any, **kwargs: Any) -> None:
        if not self.number:
            (self.number,) = take_numbers(1)
        super().save(*args, **kwargs)

    def delete(self, *args: Any, **kwargs: Any) -> tuple[int, dict[str, int]]:
        return Board.objects.filter(pk=self.pk).delete()

    def publish(self) -> bool:
        """Publish the board. Return whether it was a draft; a published board keeps its date and its number."""
        if self.published_at is not None:
            return False
        leave_numbers([self.number])
        self.set_published(timezone.now(), *take_numbers(1))
        self.save(update_fields=PUBLICATION)
        return True

    def unpublish(self) -> bool:
        """Make the board a draft again. Return whether it was published. Its votes stay."""
        if self.published_at is None:
            return False
        self.set_draft()
        self.save(update_fields=PUBLICATION)
        return True

    def set_published(self, moment: datetime, number: int) -> None:
        """Give a draft a number, and the date that it had before, or else this one. Save PUBLICATION afterwards."""
        self.number = number
        self.published_at = self.first_published_at or moment
        self.updated_at = timezone.now()

    def set_draft(self) -> None:
        """Keep the date of a published board for the next time. Save PUBLICATION afterwards."""
        self.first_published_at, self.published_at = self.published_at, None
        self.updated_at = timezone.now()

    @property
    def event_slug(self) -> str:
        return slug_of(self.event, self.date, self.site)

    @property
    def trace(self) -> Trace | None:
        """Return declarer's tricks at each moment of the play, or None until they are computed."""
        analysis = getattr(self, "analysis", None)
        return Trace(analysis.trace) if analysis and analysis.trace else None

    @property
    def final_contract(self) -> Contract | None:
        return parse_stored_contract(self.contract, self.declarer) if self.contract else None

    @property
    def score(self) -> int | None:
        """Return North-South's points, or None when the contract or the result is not known."""
        return score_if_known(self.final_contract, Vulnerability(self.vulnerability), self.tricks)


@cache
def parse_stored_contract(text: str, declarer: str) -> Contract:
    """Return the contract of two columns of a board. There are a few hundred, and each is parsed once."""
    return Contract.parse(text, Seat(declarer) if declarer else None)
