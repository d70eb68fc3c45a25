"""Reading: every page of every list is what a plain query over the boards would give."""

import random
from collections.abc import Iterator
from itertools import combinations
from typing import Any

import pytest
from rest_framework.test import APIClient

from boards.models import Board
from search.index.folding import fold_all
from tests import factories
from tests.search.ways import IN_SEGMENTS
from tests.undone import undone
from themes.models import Theme

pytestmark = pytest.mark.django_db

FILTERS = {
    "theme": ("themes__identifier", "overcalls"),  # Two types have a theme of this name.
    "themeType": ("themes__type", "lesson"),
    "dealer": ("dealer", "N"),
    "vulnerability": ("vulnerability", "None"),
    "auctionSystem": ("auction_system__identifier", "acol_now"),
    "userId": ("owner", "ada"),
}
"""The columns and the values of filters."""
ORDERS = ("newest", "top")


@pytest.fixture(params=IN_SEGMENTS, scope="module", autouse=True)
def _stored_boards(request: pytest.FixtureRequest, rows_of_module: None) -> Iterator[None]:
    """Store forty random boards. Thirty of them stand in slices, or none."""
    with undone():
        store_boards(in_segments=request.param)
        yield


def store_boards(*, in_segments: bool) -> None:
    choice = random.Random(1)
    ada = factories.account("ada")
    systems = [factories.auction_system("acol_now"), factories.auction_system(), None]
    themes = [factories.theme("overcalls"), factories.theme("overcalls", type="lesson"), factories.theme()]
    for stored in range(40):
        if stored == 30 and in_segments:
            fold_all()
        factories.board(
            number=choice.choice((1, 2, 8)),
            owner=choice.choice((ada, None)),
            themes=tuple(choice.sample(themes, choice.randint(0, 3))),
            auction_system=choice.choice(systems),
            published=choice.random() < 0.9,
            votes=(choice.randint(0, 3), choice.randint(0, 3)),
        )


def listed(query: dict[str, Any]) -> tuple[list[str], int]:
    body = APIClient().get("/api/boards", query).json()
    return [board["id"] for board in body["boards"]], body["pagination"]["totalCount"]


def expected(filters: dict[str, str], sort: str) -> list[str]:
    """Return the ids of the boards, filtered one condition at a time and sorted in Python."""
    found = Board.objects.filter(published_at__isnull=False)
    for name, value in filters.items():
        found = found.filter(pk__in=Board.objects.filter(**{FILTERS[name][0]: value}))
    rows = sorted(found.values_list("number", "pk", "up_votes", "down_votes"), reverse=True)
    if sort == "top":
        rows.sort(key=lambda row: row[3] - row[2])
    return [str(pk) for _, pk, *_ in rows]


def queries() -> Iterator[dict[str, str]]:
    for size in range(4):
        for names in combinations(FILTERS, size):
            yield {name: FILTERS[name][1] for name in names}


def assert_page(query: dict[str, str], ids: list[str], page: int, size: int) -> None:
    here = ids[(page - 1) * size : page * size]
    assert listed({**query, "pageSize": size, "page": page}) == (here, len(ids)), (query, page)


def test_every_filter_pair_and_three_give_what_a_plain_query_gives() -> None:
    """Each filter is read in both orders, and pairs and threes of them in one order or the other."""
    for place, filters in enumerate(queries()):
        for sort in ORDERS if len(filters) < 2 else ORDERS[place % 2 :][:1]:
            ids = expected(filters, sort)
            for page in (1, 2) if len(ids) > 4 else (1,):
                assert_page({**filters, "sort": sort}, ids, page, 4)


def test_a_theme_is_found_by_its_id_and_an_unknown_account_matches_nothing() -> None:
    for theme in Theme.objects.filter(identifier="overcalls"):
        ids = [str(board.pk) for board in theme.boards.published().newest_first()]
        for name in (str(theme.pk), theme.pk.hex):
            assert listed({"theme": name, "pageSize": 100}) == (ids, len(ids))
    for sort in ORDERS:
        assert listed({"userId": "x", "dealer": "N", "sort": sort}) == ([], 0)
