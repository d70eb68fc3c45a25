import base64
import secrets
import uuid

from django.db import models
from django.dispatch import Signal
from django.utils import timezone

from bridge.double_dummy import DoubleDummyTable
from bridge.layout import Layout
from config.values.web_addresses import WebAddressValidator
from deals.querysets import DealQuerySet
from deals.webhooks.addresses import validate_endpoint_url

validate_source_url = WebAddressValidator(["http", "https"])

double_dummy_changed = Signal()
"""For the apps above: the double dummy of `deal_ids` or its status has changed. Sent in the transaction of that."""


class SolverStatus(models.TextChoices):
    """Whether something is computed that the worker computes by its solver. What is pending is the worker's list."""

    PENDING = "pending"
    DONE = "done"
    FAILED = "failed"
    UNAVAILABLE = "unavailable"


class Deal(models.Model):
    """52 cards in four hands. The cards identify the deal: the same cards, however written, are the same row."""

    class SolverPriority(models.IntegerChoices):
        PUBLISHED = 1
        REQUESTED = 2

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    cards = models.CharField(
        max_length=69,
        unique=True,
        editable=False,
        help_text='The four hands in PBN: "N:", then N E S W, ranks descending.',
    )
    source_name = models.CharField(max_length=200, blank=True, help_text="Who or what dealt the cards.")
    source_url = models.CharField(
        max_length=500, blank=True, validators=[validate_source_url], help_text="The web address of the source."
    )
    source_licence = models.CharField(
        max_length=200, blank=True, help_text="The licence under which the source gives the deal."
    )
    double_dummy_status = models.CharField(
        max_length=16,
        choices=SolverStatus,
        default=SolverStatus.PENDING,
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
        null=True, editable=False, help_text='By vulnerability: {"None": {"score": NS-signed, "contracts": […]}, …}.'
    )
    solver_attempts = models.PositiveSmallIntegerField(
        default=0, editable=False, help_text="How often the solver failed on this deal alone."
    )
    solver_priority = models.PositiveSmallIntegerField(
        choices=SolverPriority,
        null=True,
        editable=False,
        help_text="What is solved first: the highest. Blank for a deal that came in a file.",
    )
    wanted_at = models.DateTimeField(
        null=True, editable=False, help_text="When the deal got its priority: among equals the latest is solved first."
    )
    claimed_until = models.DateTimeField(
        null=True, editable=False, help_text="When the lease of the worker that solves the deal expires."
    )
    brought_by_member = models.BooleanField(
        default=False,
        db_default=False,
        editable=False,
        help_text="Only members' files have brought it: it goes with the last of its boards that a member deletes.",
    )
    created_at = models.DateTimeField(auto_now_add=True, help_text="When the deal was brought in.")
    updated_at = models.DateTimeField(auto_now=True, help_text="When the source or the double dummy last changed.")

    objects = DealQuerySet.as_manager()

    class Meta:
        ordering = ("-created_at", "id")
        indexes = (
            models.Index(name="deal_newest", fields=("-created_at", "id")),
            models.Index(
                name="deal_to_solve", fields=("created_at", "id"), condition=models.Q(double_dummy_status="pending")
            ),
            models.Index(
                name="deal_to_solve_first",
                fields=("-solver_priority", "-wanted_at", "id"),
                condition=models.Q(double_dummy_status="pending", solver_priority__isnull=False),
            ),
            models.Index(
                name="deal_failed", fields=("-created_at", "id"), condition=models.Q(double_dummy_status="failed")
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
    def table(self) -> DoubleDummyTable | None:
        return DoubleDummyTable(self.double_dummy) if self.double_dummy else None


class SolverFault(models.Model):
    """A worker whose solver does not run, and why. Kept for /readyz alone; see deals.solver.queues."""

    worker = models.CharField(primary_key=True, max_length=64, help_text="Its host and process.")
    reason = models.CharField(max_length=300, help_text="What happened to the solver's process.")
    seen_at = models.DateTimeField(help_text="When the worker last tried.")

    def __str__(self) -> str:
        return self.worker


class FeedEvent(models.Model):
    """Something that happened, for those who follow the feed. deals.events says how it is written and read.

    It names rows without foreign keys, because it stays when they are deleted.
    """

    class Type(models.TextChoices):
        DEAL_IMPORTED = "deal.imported"
        DEAL_ANALYSED = "deal.analysed"
        BOARD_PUBLISHED = "board.published"
        BOARD_CHANGED = "board.changed"
        BOARD_UNPUBLISHED = "board.unpublished"
        BOARD_VOTES_CHANGED = "board.votes_changed"
        COLLECTION_PUBLISHED = "collection.published"
        COLLECTION_UNPUBLISHED = "collection.unpublished"

    type = models.CharField(max_length=24, choices=Type, help_text="What happened.")
    deal_id = models.UUIDField(
        null=True, help_text="The deal, or the deal of the board. Blank for a collection's event."
    )
    board_id = models.UUIDField(null=True, help_text="The board. Blank for a deal's event.")
    collection_id = models.UUIDField(null=True, help_text="The collection, in its events alone.")
    votes_of = models.UUIDField(
        null=True, unique=True, help_text="The board again, in the only row that tells of its votes."
    )
    up_votes = models.PositiveIntegerField(null=True, help_text="The votes for the board after the change.")
    down_votes = models.PositiveIntegerField(null=True, help_text="The votes against the board after the change.")
    created_at = models.DateTimeField(default=timezone.now, help_text="When it happened.")
    position = models.BigIntegerField(
        null=True, unique=True, help_text="The place in the feed. Blank until the event is given one."
    )

    class Meta:
        indexes = (
            models.Index(
                name="feed_event_pending", fields=("votes_of", "id"), condition=models.Q(position__isnull=True)
            ),
        )

    def __str__(self) -> str:
        return f"{self.type}: {self.collection_id or self.board_id or self.deal_id}"

    @property
    def cursor(self) -> str:
        return str(self.position)


class FeedState(models.Model):
    """How far the feed goes. There is one row, and who gives positions to events locks it."""

    id = models.PositiveSmallIntegerField(primary_key=True, default=1, editable=False)
    last_position = models.BigIntegerField(default=0, help_text="The highest position that was given.")
    pruned_position = models.BigIntegerField(default=0, help_text="The highest position that `prune` deleted.")

    def __str__(self) -> str:
        return f"{self.pruned_position}–{self.last_position}"


def make_secret() -> str:
    """Return a new random secret as Standard Webhooks writes it, such as whsec_MfKQ9r8G…, of 24 to 64 bytes."""
    return "whsec_" + base64.b64encode(secrets.token_bytes(32)).decode()


class WebhookEndpoint(models.Model):
    """A URL to which the worker sends the events of the feed, in their order (deals.webhooks.delivering)."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    url = models.CharField(
        "URL",
        max_length=500,
        validators=[validate_endpoint_url],
        help_text="Where events are posted to: https, and a public address.",
    )
    event_types = models.JSONField(
        default=list, blank=True, help_text="The types of events that are sent. None selected: all."
    )
    is_enabled = models.BooleanField("enabled", default=True, help_text="Clear it to send nothing.")
    secret = models.CharField(
        max_length=100, default=make_secret, editable=False, help_text="The key of the signatures."
    )
    previous_secret = models.CharField(
        max_length=100, blank=True, editable=False, help_text="The key before, with which messages are signed too."
    )
    rotated_at = models.DateTimeField(
        null=True, blank=True, editable=False, help_text="When the present secret was made."
    )
    position = models.BigIntegerField(
        default=0, editable=False, help_text="The place in the feed up to which events were accepted."
    )
    due_at = models.DateTimeField(
        default=timezone.now,
        editable=False,
        help_text="When the next attempt may begin. While a worker sends, the end of its lease.",
    )
    failures = models.PositiveIntegerField(
        "failures in a row", default=0, editable=False, help_text="The attempts since the last success."
    )
    failing_since = models.DateTimeField(
        null=True, blank=True, editable=False, help_text="When the first of these attempts failed."
    )
    last_success_at = models.DateTimeField(
        "last success", null=True, blank=True, editable=False, help_text="When an event was last accepted."
    )
    last_error = models.CharField(max_length=300, blank=True, editable=False, help_text="Why the last attempt failed.")
    created_at = models.DateTimeField(auto_now_add=True, help_text="When the endpoint was added.")

    class Meta:
        ordering = ("created_at", "id")

    def __str__(self) -> str:
        return self.url

    def wants(self, event_type: str) -> bool:
        return not self.event_types or event_type in self.event_types

    def start_again(self) -> None:
        """Forget the failures, so that it is tried at once. It goes on where it was, not at the end."""
        self.failures, self.failing_since, self.last_error = 0, None, ""
        self.due_at = timezone.now()

    def rotate_secret(self) -> None:
        """Make a new secret. For a day messages are signed with both, so that the endpoint's operator can change it."""
        self.previous_secret, self.secret = self.secret, make_secret()
        self.rotated_at = timezone.now()
        self.save(update_fields=["secret", "previous_secret", "rotated_at"])


class WebhookDelivery(models.Model):
    """An attempt to send a message to an endpoint, or a test that waits for the worker. The latest few are kept."""

    TEST = "webhook.test"

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    endpoint = models.ForeignKey(
        WebhookEndpoint, on_delete=models.CASCADE, related_name="deliveries", help_text="Where it was sent."
    )
    event_type = models.CharField(max_length=24, help_text="The type of the event, webhook.test for a test.")
    message_id = models.CharField(max_length=40, help_text="The id that the message had.")
    sent_at = models.DateTimeField(null=True, help_text="When it was sent. Blank while a test waits for the worker.")
    status = models.PositiveSmallIntegerField(null=True, help_text="The HTTP status of the answer. Blank without one.")
    error = models.CharField(max_length=300, blank=True, help_text="Why it was not accepted.")

    class Meta:
        ordering = ("-sent_at", "id")
        constraints = (
            models.UniqueConstraint(
                name="webhook_one_waiting_test", fields=("endpoint",), condition=models.Q(sent_at__isnull=True)
            ),
        )

    def __str__(self) -> str:
        return f"{self.event_type} ({self.message_id})"


class Heartbeat(models.Model):
    """The last sign of life of one loop of one worker process. Operators see it in /metrics and /readyz."""

    class Loop(models.TextChoices):
        SOLVER = "solver"
        TASKS = "tasks"
        WEBHOOKS = "webhooks"

    worker = models.CharField(max_length=80, editable=False, help_text="The worker's host and process id.")
    loop = models.CharField(max_length=8, choices=Loop, editable=False, help_text="Which of its loops.")
    beat_at = models.DateTimeField(editable=False, help_text="When the loop last went round.")

    class Meta:
        constraints = (models.UniqueConstraint(name="heartbeat_of_a_loop", fields=("worker", "loop")),)

    def __str__(self) -> str:
        return f"{self.worker} {self.loop}"
