"""The parameter q of lists, files and pages, and `export_boards --query`, and words in the texts of boards."""

import random
import re
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.core.management import CommandError, call_command
from django.http import QueryDict
from django.test import Client
from django.utils.html import escape
from rest_framework.test import APIClient

from boards.catalogue.refreshing import refresh
from boards.models import Board
from boards.records import record_of
from boards.searching.parameters import BoardSelection
from pages.search.search_form import FIELDS, write_query
from search.index import finding, slices
from search.index.folding import fold_all
from search.language.queries import SearchText
from search.words import fold_words, words_of
from tests import factories
from tests.linear import assert_linear
from tests.pages.documents import Document
from tests.search.language.known import parse
from tests.search.ways import IN_SEGMENTS, postgresql_only
from themes.labels import get_label_cache, get_revision

pytestmark = pytest.mark.django_db

GUIDE = Path(settings.BASE_DIR) / "docs" / "api" / "search.md"
EXAMPLES = re.findall(r"^\| `(.+?)` \| ", GUIDE.read_text(encoding="utf-8"), flags=re.MULTILINE)


def found(client: APIClient, q: str, **query: str) -> list[str]:
    response = client.get("/api/boards", {"q": q, **query})
    assert response.status_code == 200, response.json()
    return [board["title"] for board in response.json()["boards"]]


def reason(client: APIClient, q: str, **query: str) -> dict[str, Any]:
    response = client.get("/api/boards", {"q": q, **query})
    assert response.status_code == 400
    (first,) = response.json()["meta"]["fields"]["q"]
    return dict(first)


@pytest.fixture(scope="module")
def boards(rows_of_module: None) -> None:
    """Store three boards that were played and one that was passed out."""
    factories.board(title="made", calls="1NT Pass 3NT Pass Pass Pass", tricks=9)
    factories.board(title="down", calls="1S X 4S Pass Pass Pass", tricks=8)
    factories.board(title="unknown", calls="1NT Pass Pass Pass")
    factories.board(title="passed out", calls="Pass Pass Pass Pass")


def test_a_search_goes_with_filters_in_every_list_and_file(anonymous: APIClient, boards: None, tmp_path: Path) -> None:
    assert found(anonymous, "result<0") == ["down"]
    assert found(anonymous, "-result<0") == ["passed out", "unknown", "made"]
    query = {"q": "opening=1N", "dealer": "N"}
    assert found(anonymous, "opening=1N", dealer="N", sort="top") == ["unknown", "made"]
    page = anonymous.get("/api/boards", {**query, "pageSize": 1}).json()
    following = anonymous.get("/api/boards", {**query, "pageSize": 1, "after": page["pagination"]["nextCursor"]}).json()
    assert [board["title"] for board in page["boards"] + following["boards"]] == ["unknown", "made"]
    stream = anonymous.get("/api/boards", query, headers={"accept": "application/x-ndjson"})
    assert b"".join(stream.streaming_content).count(b"\n") == 2
    assert b"".join(anonymous.get("/api/boards.pbn", query).streaming_content).count(b"[Board ") == 2
    call_command("export_boards", str(tmp_path / "b.pbn"), q="opening=1N")
    assert (tmp_path / "b.pbn").read_text().count("[Board ") == 2
    with pytest.raises(CommandError, match=r"--query: Unknown search word: opning\. Did you mean opening"):
        call_command("export_boards", str(tmp_path / "c.pbn"), q="opning=1N")


def test_a_wrong_search_says_at_which_word(anonymous: APIClient, boards: None) -> None:
    assert reason(anonymous, "vul=ns suoth(hcp>=15)") == {
        "code": "unknown_word",
        "message": "suoth is not a seat. Did you mean south?",
        "position": 7,
        "word": "suoth",
        "suggestion": "vul=ns south(hcp>=15)",
    }
    for path in ("/api/boards", "/api/boards.pbn", "/boards", "/boards/print", "/practice"):
        assert anonymous.get(path, {"q": "contract=9S"}).status_code == 400, path
    assert anonymous.get("/api/boards?q=(", headers={"accept": "application/x-ndjson"}).status_code == 400
    assert reason(anonymous, "x" * 1001)["position"] == 1000
    assert reason(anonymous, " level=7 \0")["position"] == 9


def test_themes_are_found_by_name_also_right_after_they_were_made(anonymous: APIClient) -> None:
    factories.board()
    assert reason(anonymous, "theme=stayman")["code"] == "unknown_name"
    factories.board(title="wanted", themes=(factories.theme("stayman"),))
    assert found(anonymous, "theme=stayman") == ["wanted"]
    assert found(anonymous, "type=convention -theme=stayman") == []


def test_own_boards_and_drafts(anonymous: APIClient, member: APIClient) -> None:
    owner = factories.Account.objects.get(pk="member")
    factories.board(title="mine", owner=owner)
    factories.board(title="draft", owner=owner, published=False)
    assert found(member, "owner=me") == ["mine"]
    assert reason(anonymous, "owner=me")["code"] == "not_signed_in"
    assert reason(member, "is:draft")["code"] == "draft"
    assert found(member, "is:draft", published="false", userId="me") == ["draft"]


def test_the_guide_has_forty_examples_and_each_is_a_query() -> None:
    assert len(EXAMPLES) >= 40
    labels = get_label_cache(get_revision())
    for text in EXAMPLES:
        assert BoardSelection({}, search=SearchText(text)).condition(labels) != BoardSelection({}).condition(labels)


def test_each_condition_can_be_taken_away_and_an_empty_result_says_which_to_drop(client: Client, boards: None) -> None:
    page = Document(client.get("/boards", {"q": "opening=1N result>=0", "dealer": "N"}))
    links = page.links()
    assert links["opening=1N ✕: opening 1N. Take it away"] == "/boards?dealer=N&q=result%3E%3D0"
    assert links["result>=0 ✕: result at least 0. Take it away"] == "/boards?dealer=N&q=opening%3D1N"
    page = Document(client.get("/boards", {"q": "opening=1N result<0"}))
    assert page.links()["Without the condition: opening=1N"] == "/boards?q=result%3C0"
    assert "Without the condition: result<0 2 boards" in page.texts("li")


def test_the_fields_write_a_query(client: Client, boards: None) -> None:
    hand = {"add-hand": "south", "add-spades": "5", "add-hearts": "", "add-from": "12", "add-shape": "5332"}
    contract = {"add-contract": "4S", "add-declarer": "ns", "add-result": "result<0", "add-analysis": "nonsense"}
    others = {"add-auction": "1N-P", "add-words": ' safety  "play" ', "q": "vul=ns", "dealer": "N"}
    fields = hand | contract | others
    response = client.get("/boards", fields)
    written = "vul=ns south(spades>=5 hcp>=12 shape=5332) contract=4S declarer=ns result<0 auction^=1N-P"
    written += ' "safety play"'
    assert response.status_code == 302
    page = Document(client.get(response["Location"]))
    assert f'value="{escape(written)}"' in page.html
    assert client.get("/boards", {"add-hand": "any"})["Location"] == "/boards"


def test_each_field_writes_a_query_that_is_understood() -> None:
    given = {"contract": "3NT", "lead": "HK", "auction": "1N-P", "words": "safety play", "shape": "5332"}
    for field in FIELDS:
        values = [*getattr(field, "choices", ())] or [given.get(field.name, "7")]
        for value in filter(None, values):
            sent = QueryDict(mutable=True)
            sent.update({field.id: value, "add-spades": "5"})
            parse(write_query(sent) or "")


@postgresql_only
def test_a_search_that_would_read_too_many_slices_is_refused_in_words(
    anonymous: APIClient, monkeypatch: pytest.MonkeyPatch, boards: None
) -> None:
    fold_all()
    monkeypatch.setattr(slices, "FEW_SLICES", 3)
    monkeypatch.setattr(slices, "MAX_SLICES", 7)
    assert found(anonymous, "result<0") == ["down"]
    refused = reason(anonymous, "any(hcp=4..36 losers=1..11)")
    assert refused["code"] == "too_much_work"
    assert "compares 17 facts of each board, and 7 are possible" in refused["message"]


# --- Words in texts ------------------------------------------------------------------------------------------


WORDS = {
    "Friday pairs": "friday pairs",
    "MÜLLER, Straße": "muller strasse",
    "Mu\u0308ller": "muller",
    "Ærø Łódź": "aero lodz",
    "don't under_bid 4♠ (1NT-2♣)": "don t under bid 4 1nt 2",
    "Ελλάδα ПРИВЕТ": "ελλαδα привет",
    "ﬁnesse ²": "finesse 2",
    "x" * 50: "x" * 40,
    "♠ … \x00 _": "",
}


def test_a_text_becomes_words_in_one_form() -> None:
    assert {text: " ".join(fold_words(text)) for text in WORDS} == WORDS


def test_any_text_costs_as_much_as_it_is_long() -> None:
    choice = random.Random(3)
    letters = "aé̈ß♠ \u0130ﬃ\u1100\u1161한"
    assert_linear(lambda size: "".join(choice.choices(letters, k=size)), fold_words)


BY_WORDS = {
    **dict.fromkeys(("safety", "SAFETY play"), "One Two"),
    '"safety play"': "One",
    '"play for safety" -"clubs"': "Two",
    **dict.fromkeys(("zurich", '"Freitagspaare Zürich"'), "One"),
    **dict.fromkeys(("weak", '"weak 10 12"', '"12"'), "Four"),
    **dict.fromkeys(('"a3"', '"a60"', '"40"', '"A60 40"'), ""),
    "pair=12": "Five",
    **dict.fromkeys(('"safety friday"', '"clubs freitagspaare"', 'event="Friday"', "nowhere"), ""),
    **dict.fromkeys(('event="friday PAIRS"', 'site="club room"'), "Two"),
    '"club room" OR zurich': "One Two Four",
}


@pytest.mark.parametrize("in_segments", IN_SEGMENTS)
def test_boards_are_found_by_the_words_of_their_texts(anonymous: APIClient, in_segments: bool) -> None:
    factories.board(title="One", commentary="A safety play in clubs.", event="Freitagspaare Zürich")
    factories.board(title="Two", commentary="Play for safety.", event="Friday pairs", site="Club room")
    factories.board(title="Three", event="Friday pairs", published=False)
    explained = factories.board(title="Four", calls="1NT Pass Pass Pass", site="The club room")
    Board.objects.filter(pk=explained.pk).update(auction=[["1NT", True, "Weak: 10–12"], "Pass", "Pass", "Pass"])
    refresh([explained.pk])
    factories.board(title="Five", calls="1NT Pass Pass Pass", pair_ns="12", pair_ew="A3", adjustment="A60-40")
    if in_segments:
        fold_all()
    for query, titles in BY_WORDS.items():
        assert {*found(anonymous, query)} == {*titles.split()}, query


@pytest.mark.parametrize("in_segments", IN_SEGMENTS)
def test_an_optional_word_counts_only_where_a_board_that_meets_all_else_has_it(
    anonymous: APIClient, in_segments: bool
) -> None:
    factories.board(title="lovely", calls="1NT Pass 5C Pass Pass Pass")
    factories.board(title="plain", calls="1NT Pass 5C Pass Pass Pass")
    factories.board(title="rare", calls="1NT Pass 6NT Pass Pass Pass")
    if in_segments:
        fold_all()
    assert found(anonymous, "5C lovely") == ["lovely"]
    assert found(anonymous, "5C rare") == found(anonymous, "5C unheard") == ["plain", "lovely"]
    assert found(anonymous, "~rare") == found(anonymous, "rare") == ["rare"]
    assert found(anonymous, "unheard") == []


@postgresql_only  # SQLite looks at all boards
def test_too_common_a_phrase_asks_for_another_condition(anonymous: APIClient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(finding, "MAX_TEXTS", 2)
    for number in (1, 2, 3):
        factories.board(number=number, event="Friday pairs")
    fold_all()
    refused = reason(anonymous, '"friday pairs"')
    assert refused["code"] == "too_many_texts" and "Add a condition" in refused["message"]
    assert [len(found(anonymous, f'{query}"friday pairs")')) for query in ("board=1..2 (", "board=3 (vul=all OR ")] == [
        2,
        1,
    ]


def test_the_words_of_a_board_are_bounded() -> None:
    board = factories.board(commentary="word " * 3_990)
    assert len(words_of(record_of(board))) < 6_000 * 5 + 100
    board.commentary = "a b " * 5_000
    assert len(words_of(record_of(board)).split()) == 6_000
