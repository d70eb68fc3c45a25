"""The page /."""

from django.contrib.auth.models import AnonymousUser
from django.http import HttpRequest, HttpResponse
from rest_framework import serializers

from boards.catalogue.deals import first_deals
from boards.collections.reading import count_boards, newest_collections
from boards.events.listing import read_latest
from config.api.serializers import QuerySerializer
from config.values.languages import accepted_languages
from pages.practice.daily import find_daily_question
from pages.presenters.ballots import ballot_of
from pages.presenters.deal_cards import build_cards
from pages.site.base import PageView

SHOWN_DEALS = 3


class HomeQuery(QuerySerializer):
    said = serializers.CharField(required=False, allow_blank=True)


class HomePage(PageView):
    """GET / → 200: the hand of the day as a question, the last evening, a lesson, and what readers liked.

    ?said=2C replies to that call, if it is possible (pages.practice.pages counts it and leads here).
    """

    def get(self, request: HttpRequest) -> HttpResponse:
        said, languages = HomeQuery.parse(request.GET).get("said", ""), accepted_languages(request)
        newest, top = first_deals(SHOWN_DEALS)
        cards = build_cards(top or newest, languages)
        daily = find_daily_question()
        self.noindex = bool(said)
        context = {
            "daily": daily,
            **(daily.context(languages, said) if daily else {}),
            "evening": read_latest(),
            "lesson": next(iter(count_boards(list(newest_collections(1)), AnonymousUser())), None),
            "cards": cards,
            "liked": bool(top),
            "ballot": ballot_of(request, [card.board.pk for card in cards]),
        }
        return self.render_page("home.html", context)
