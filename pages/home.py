"""The page /."""

from django.contrib.auth.models import AnonymousUser
from django.http import HttpRequest, HttpResponse

from boards.catalogue.deals import first_deals
from boards.collections.reading import count_boards, newest_collections
from boards.events.listing import read_latest
from config.values.languages import accepted_languages
from pages.practice.daily import latest_days, tell
from pages.practice.pages import SaidQuery
from pages.presenters.ballots import ballot_of
from pages.presenters.deal_cards import build_cards
from pages.site.base import PageView

SHOWN_DEALS = 3


class HomePage(PageView):
    """GET / → 200: the hand of the day as a question, that of the day before, the last evening, a lesson, and what
    readers liked.

    ?said=2C.3C replies to the last of these answers, if they are possible. pages.practice.pages counts it.
    """

    def get(self, request: HttpRequest) -> HttpResponse:
        said, languages = SaidQuery.parse(request.GET).get("said") or (), accepted_languages(request)
        newest, top = first_deals(SHOWN_DEALS)
        cards = build_cards(top or newest, languages)
        days = latest_days(2)
        day = days[0] if days else None
        self.noindex = bool(said)
        context = {
            "day": day,
            **(day.context(said) if day else {}),
            "over": tell(days),
            "evening": read_latest(),
            "lesson": next(iter(count_boards(list(newest_collections(1)), AnonymousUser())), None),
            "cards": cards,
            "liked": bool(top),
            "ballot": ballot_of(request, [card.board.pk for card in cards]),
        }
        return self.render_page("home.html", context)
