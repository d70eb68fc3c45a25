"""The page /boards/how-to-search: searches in players' words to press, by kind."""

from datetime import UTC, datetime
from functools import lru_cache
from typing import NamedTuple

from django.http import HttpRequest, HttpResponse
from django.urls import reverse

from pages.presenters.boards import boards_path
from pages.site.base import PageView, path_with_query
from search.language.understanding import understand
from themes.labels import LabelCache, get_label_cache, get_revision

EXAMPLES = (
    ("Hands", ("South has 5 spades and 4 hearts", "balanced 15-17", "void in spades", "two-suiter", "singleton ace")),
    ("Both hands", ("NS have 25-26 points", "10-card fit", "4-3 fit made game")),
    ("Auctions", ("Stayman", "weak two in hearts", "opened 1NT", "takeout double", "competitive")),
    ("Contracts and results", ("3NT down", "small slam", "made with an overtrick", "missed slam", "lucky game")),
    ("Leads", ("spade lead", "trump lead", "lead cost a trick")),
    ("People, places and days", ("board 7", "dealer North", "love all", "last Friday", "for beginners")),
)
"""What a reader may type, by kind. The search box suggests the same."""


class Example(NamedTuple):
    """A search, its page, and what it finds, in words."""

    text: str
    path: str
    meaning: str


@lru_cache(maxsize=1)
def examples(labels: LabelCache) -> list[tuple[str, list[Example]]]:
    """Return the examples of each kind. What they mean in words is the same on each day."""
    today = datetime.now(UTC).date()

    def explain(text: str) -> Example:
        meanings = [part.meaning for part in understand(text, labels, today).parts]
        return Example(text, path_with_query(boards_path(), {"q": text}), "; ".join(meanings))

    return [(kind, [explain(text) for text in texts]) for kind, texts in EXAMPLES]


class HowToSearchPage(PageView):
    """GET /boards/how-to-search → 200."""

    section = "boards"

    def get(self, request: HttpRequest) -> HttpResponse:
        context = {"kinds": examples(get_label_cache(get_revision())), "guide": reverse("guide", args=["search"])}
        return self.render_page("search/how_to_search.html", context)
