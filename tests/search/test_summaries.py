"""How many of the boards found have which contract, result and so on: in the API and on the page."""

from collections import Counter
from collections.abc import Iterator
from random import Random
from typing import Any

import pytest
from django.test import Client
from rest_framework.test import APIClient

from boards.catalogue import summaries
from boards.catalogue.refreshing import refresh
from bridge.layout import Layout
from deals.models import Deal
from search.index.folding import fold_all
from tests import factories
from tests.answers import assert_error
from tests.pages.documents import Document
from tests.search.ways import IN_SEGMENTS
from tests.undone import undone

pytestmark = pytest.mark.django_db

PAR = {name: {"score": 90, "contracts": ["NS 1NT"]} for name in ("None", "NS", "EW", "All")}
SEVEN_TRUMPS = Layout.parse("N:AK32.K82.A32.432 QJT.J97.KJ9.KJT9 974.AQT6.Q76.AQ6 865.543.T854.875")
SLAM = {"calls": "6S Pass Pass Pass"}


@pytest.fixture(params=IN_SEGMENTS, scope="module", autouse=True)
def _stored_boards(request: pytest.FixtureRequest, rows_of_module: None) -> Iterator[None]:
    with undone():
        store_boards(in_segments=request.param)
        yield


def store_boards(*, in_segments: bool) -> None:
    theme = factories.theme("stayman", labels={"en": "Stayman"})
    for tricks in (12, 11, 11):
        factories.board(tricks=tricks, themes=(theme,), difficulty="expert", **SLAM)
    if in_segments:
        fold_all()
    factories.board(calls="Pass Pass Pass Pass", number=2)
    board = factories.board(calls="1NT X Pass Pass Pass", number=2)
    factories.board(published=False, tricks=12, **SLAM)
    factories.board()
    Deal.objects.filter(pk=board.deal_id).update(double_dummy_status="done", double_dummy="7" * 20, par=PAR)
    refresh([board.pk])


def summary(client: APIClient, by: str, **query: str) -> dict[str, Any]:
    response = client.get("/api/boards/summary", {"by": by, **query})
    assert response.status_code == 200, response.json()
    body: dict[str, Any] = response.json()
    return body


def test_boards_are_counted_by_one_dimension_or_two_and_under_each_of_their_themes(anonymous: APIClient) -> None:
    theme = str(factories.Theme.objects.get().pk)
    counts: tuple[tuple[dict[str, str], dict[Any, int]], ...] = (
        ({"by": "contract"}, {("6S",): 3, ("1NT",): 1, ("Pass",): 1, (None,): 1}),
        ({"by": "result"}, {(None,): 3, (-1,): 2, (0,): 1}),
        ({"by": "level", "q": "-is:passedout contract=6S,1N"}, {(6,): 3, (1,): 1}),
        ({"by": "difficulty"}, {("expert",): 3, (None,): 3}),
        ({"by": "makes"}, {(None,): 5, ("yes",): 1}),
        ({"by": "theme"}, {(theme,): 3}),
        ({"by": "theme,result"}, {(theme, -1): 2, (theme, 0): 1}),
        ({"by": "lead", "q": "level=7"}, {}),
        ({"by": "opening"}, {("6S",): 3, ("1NT",): 1, (None,): 2}),
        ({"by": "made"}, {(None,): 3, ("no",): 2, ("yes",): 1}),
    )
    for query, expected in counts:
        rows = summary(anonymous, **query)["counts"]
        found = {tuple(row[name] for name in query["by"].split(",")): row["boards"] for row in rows}
        assert found == expected, query
    assert summary(anonymous, "contract,result", theme="stayman") == {
        "by": ["contract", "result"],
        "totalCount": 3,
        "omitted": 0,
        "counts": [{"contract": "6S", "result": -1, "boards": 2}, {"contract": "6S", "result": 0, "boards": 1}],
    }


def store_game_with_seven_trumps(**values: Any) -> None:
    factories.board(calls="1S Pass 4S Pass Pass Pass", cards=SEVEN_TRUMPS, event="Club night", **values)


@pytest.fixture
def games() -> None:
    for tricks in (9, 10, 11):
        store_game_with_seven_trumps(tricks=tricks, date="2026.11.20")


@pytest.mark.usefixtures("games")
def test_how_often_a_fit_makes_game_is_one_request_and_one_page(anonymous: APIClient, client: Client) -> None:
    for _ in range(2):
        answer = summary(anonymous, "split,made", q="split=3-4 contract=4S")
        assert answer["counts"] == [
            {"split": "4-3", "made": "yes", "boards": 2},
            {"split": "4-3", "made": "no", "boards": 1},
        ]
        page = Document(client.get("/boards/summary", {"by": "split", "and": "made", "q": "trumps=7 contract=4S"}))
        assert page.texts("th")[4:] == ["4-3 3 boards", "Made", "Down"]
        assert [text for text in page.texts("td") if text] == ["2", "66.7 %", "1", "33.3 %"]
        fold_all()


@pytest.mark.usefixtures("games")
def test_boards_are_counted_by_fits_by_points_in_ranges_and_by_event(anonymous: APIClient) -> None:
    slug = factories.Board.objects.filter(event="Club night")[0].event_slug
    expected: dict[str, object] = {"trumps": 7, "fit": 7, "nsFit": 7, "ewFit": 7, "opening": "1S", "event": slug}
    expected |= {"northHcp": "12-14", "westHcp": "0-7", "nsHcp": "27-29", "ewHcp": "0-15"}
    for _ in range(2):
        for by, value in expected.items():
            assert summary(anonymous, by, q="contract=4S")["counts"] == [{by: value, "boards": 3}], by
        assert {row["event"]: row["boards"] for row in summary(anonymous, "event")["counts"]} == {None: 6, slug: 3}
        fold_all()


@pytest.mark.usefixtures("games")
def test_of_many_events_the_most_frequent_are_shown(
    anonymous: APIClient, client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    for day in range(1, 5):
        store_game_with_seven_trumps(tricks=10, date=f"2026.10.0{day}")
    monkeypatch.setattr(summaries, "MAX_COUNTS", 2)
    answer = summary(anonymous, "event", q="contract=4S")
    assert (answer["totalCount"], [row["boards"] for row in answer["counts"]], answer["omitted"]) == (7, [3, 1], 3)
    page = Document(client.get("/boards/summary", {"by": "event", "q": "contract=4S"}))
    assert "Club night, 20 November 2026" in page.texts("th")


def test_events_and_themes_are_counted_together_with_rows_and_in_segments(anonymous: APIClient) -> None:
    themes = [factories.theme() for _ in range(3)]
    chosen = Random(3)
    for number in range(24):
        event = f"Event {number % 4}" if number % 4 else ""
        values = {"themes": chosen.sample(themes, number % 3), "number": chosen.choice((1, 2))}
        factories.board(calls="Pass Pass Pass Pass", event=event, date="2026.11.20" if event else "", **values)
    factories.board(published=False, event="Event 1", date="2026.11.20", themes=themes)
    published = factories.Board.objects.filter(published_at__isnull=False).prefetch_related("themes")
    for _ in range(2):
        for query, boards in (({}, published), ({"dealer": "E"}, published.filter(dealer="E"))):
            pairs = ((board.event_slug or None, theme.pk) for board in boards for theme in board.themes.all())
            expected = Counter((event, str(theme)) for event, theme in pairs)
            assert len(expected) > 6 and any(event is None for event, _ in expected)
            for by in ("event,theme", "theme,event"):
                rows = summary(anonymous, by, **query)["counts"]
                assert {(row["event"], row["theme"]): row["boards"] for row in rows} == expected, (query, by)
        fold_all()


def test_another_dimension_is_refused(anonymous: APIClient) -> None:
    for by in ("", "colour", "contract,contract", "contract,result,lead", "contract,"):
        response = anonymous.get("/api/boards/summary", {"by": by})
        assert list(assert_error(response, 400, "validation_error")["meta"]["fields"]) == ["by"], by


def test_the_page_shows_a_table_with_bars(client: Client) -> None:
    page = Document(client.get("/boards/summary", {"by": "contract", "and": "result", "q": "level=6"}))
    assert page.texts("th")[4:] == ["6♠︎ 3 boards", "−1", "made"]
    assert [text for text in page.texts("td") if text] == ["2", "66.7 %", "1", "33.3 %"]
    assert page.html.count("<rect") == 2
    assert page.links()["Show these boards"] == "/boards?q=level%3D6"
    assert "Doubled contracts are counted" in page.html
    factories.board(calls="Pass Pass Pass Pass")
    levels = Document(client.get("/boards/summary", {"by": "level"})).html
    assert ">Passed out<" in levels
    assert "Doubled contracts" not in levels
    assert "No boards match" in Document(client.get("/boards/summary?q=level=7")).html


def test_the_page_says_what_is_wrong(client: Client) -> None:
    for query in ({"q": "levl=6"}, {"by": "colour"}, {"by": "lead", "and": "lead"}):
        response = client.get("/boards/summary", query)
        assert response.status_code == 400
        assert b"error-summary" in response.content
