"""The hand of the day: its page, its feed and its frame. boards.services.days chooses it."""

from datetime import UTC, datetime, timedelta

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.urls import reverse

from bridge.dates import in_words, write
from pages.practice.daily import latest_days, tell
from pages.practice.pages import SaidQuery
from pages.sharing.embed import FramedPage
from pages.sharing.feed import item_of_board
from pages.sharing.sharing import FRAME_SIZE, write_frame
from pages.site.base import PageView
from pages.site.feeds import answer_feed

SHOWN = 8
"""The days on the page: the latest, and a week before it."""

IN_FEED = 30
TITLE = "Hand of the day"


class TodayPage(PageView):
    """GET /today → 200: the hand of the day without what would give it away, and the days before.

    Of the last one it tells what readers said. ?said=2C.3C replies to the last of these answers, if they are possible.
    """

    section = "today"
    vary = ()

    def get(self, request: HttpRequest) -> HttpResponse:
        days, said = latest_days(SHOWN), SaidQuery.parse(request.GET).get("said") or ()
        self.noindex = bool(said)
        frame = write_frame(settings.PUBLIC_BASE_URL + reverse("today-embed"), TITLE, *FRAME_SIZE)
        over = tell(days[:2])
        earlier = days[1 + len(over) :]
        context = {"latest": days[0] if days else None, "over": over, "earlier": earlier, "frame": frame}
        context |= days[0].context(said) if days else {}
        return self.render_page("practice/today.html", context)


class TodayFeed(PageView):
    """GET /today.atom → 200: the boards of the last days, for feed readers. A title says the day and nothing more.

    What readers said is added, and the entry is updated, when the day is over.
    """

    vary = ()

    def get(self, request: HttpRequest) -> HttpResponse:
        items, page = [], settings.PUBLIC_BASE_URL + reverse("today")
        days = latest_days(IN_FEED)
        tell(days)
        for day in days:
            midnight = datetime(day.day.year, day.day.month, day.day.day, tzinfo=UTC)
            title, unique_id = f"{TITLE}, {in_words(write(day.day))}", f"{page}#{day.day}"
            dates = {"pubdate": midnight, "updateddate": midnight + timedelta(days=bool(day.answers_in_words))}
            item = item_of_board(day.board, title=title, unique_id=unique_id, **dates)
            item["description"] = ". ".join(filter(None, (item["description"], day.answers_in_words)))
            items.append(item)
        return answer_feed(TITLE, reverse("today"), reverse("today-feed"), items)


class TodayEmbed(FramedPage):
    """GET /today/embed → 200, what /today shows of the hand of the day in a frame, or 404 before the first.

    Both have it from practice/today_board.html. The links open a tab, so that the frame itself never tells more.
    """

    def get(self, request: HttpRequest) -> HttpResponse:
        days = latest_days(1)
        if not days:
            raise Http404
        return self.render_page("practice/today_embed.html", {"latest": days[0]}, path=reverse("today"))
