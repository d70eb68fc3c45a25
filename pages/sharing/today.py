"""The board of the day: its page, its feed and its frame. boards.services.days chooses it."""

from datetime import UTC, datetime
from functools import cached_property

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.urls import reverse

from boards.models import BoardOfTheDay
from bridge.dates import in_words, write
from bridge.replay import Position, calls_of
from bridge.seats import Seat
from pages.presenters.boards import BoardDetail
from pages.sharing.embed import FramedPage
from pages.sharing.feed import item_of_board
from pages.sharing.sharing import FRAME_SIZE, write_frame
from pages.site.base import PageView
from pages.site.feeds import answer_feed

SHOWN = 8
"""The days on the page: the latest, and a week before it."""

IN_FEED = 30
TITLE = "Board of the day"


class Day(BoardDetail):
    """A day with its board, as South sees it who is about to make the first call."""

    def __init__(self, row: BoardOfTheDay) -> None:
        super().__init__(row.board, (), (), (Seat.SOUTH.key,))
        self.day = row.day

    @cached_property
    def position(self) -> Position:
        before = (Seat.SOUTH.index - self.record.dealer.index) % 4
        return Position(min(before, len(calls_of(self.record))), 0)

    @property
    def in_words(self) -> str:
        """Return the day as in "Tuesday, 24 November 2026"."""
        return f"{self.day:%A}, {in_words(write(self.day))}"

    @property
    def short(self) -> str:
        """Return the day as in "Tuesday 24 November"."""
        return f"{self.day:%A} {self.day.day} {self.day:%B}"

    @property
    def is_today(self) -> bool:
        return self.day == datetime.now(UTC).date()


def latest_days(limit: int) -> list[Day]:
    """Return the latest days whose boards are published, the newest first. It takes one query."""
    days = BoardOfTheDay.objects.filter(board__published_at__isnull=False).order_by("-day")
    related = days.select_related("board__deal", "board__auction_system", "board__analysis")
    return [Day(row) for row in related[:limit]]


class TodayPage(PageView):
    """GET /today → 200: the board of the day without what would give it away, and the days before."""

    section = "today"
    vary = ()

    def get(self, request: HttpRequest) -> HttpResponse:
        days = latest_days(SHOWN)
        frame = write_frame(settings.PUBLIC_BASE_URL + reverse("today-embed"), TITLE, *FRAME_SIZE)
        context = {"latest": days[0] if days else None, "earlier": days[1:], "frame": frame}
        return self.render_page("boards/today.html", context)


class TodayFeed(PageView):
    """GET /today.atom → 200: the boards of the last days, for feed readers. A title says the day and nothing more."""

    vary = ()

    def get(self, request: HttpRequest) -> HttpResponse:
        items, page = [], settings.PUBLIC_BASE_URL + reverse("today")
        for day in latest_days(IN_FEED):
            midnight = datetime(day.day.year, day.day.month, day.day.day, tzinfo=UTC)
            title, unique_id = f"{TITLE}, {in_words(write(day.day))}", f"{page}#{day.day}"
            dates = {"pubdate": midnight, "updateddate": midnight}
            items.append(item_of_board(day.board, title=title, unique_id=unique_id, **dates))
        return answer_feed(TITLE, reverse("today"), reverse("today-feed"), items)


class TodayEmbed(FramedPage):
    """GET /today/embed → 200, what /today shows of the board of the day in a frame, or 404 before the first.

    Both have it from boards/today_board.html. The links open a tab, so that the frame itself never tells more.
    """

    def get(self, request: HttpRequest) -> HttpResponse:
        days = latest_days(1)
        if not days:
            raise Http404
        return self.render_page("boards/today_embed.html", {"latest": days[0]}, path=reverse("today"))
