"""The parameter q of lists, files and pages, and `export_boards --query`."""

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

from boards.filters.parameters import BoardSelection
from boards.pages.finding.search_form import FIELDS, write_query
from boards.search import finding
from boards.search.language.queries import parse_query
from boards.search.segments import fold_all
from tests import factories
from tests.boards.search.language.known import names
from tests.boards.search.ways import postgresql_only
from tests.config.site.documents import Document
from themes.label_cache import get_label_cache, get_revision

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
    with pytest.raises(CommandError, match=r"--query: opning is no word\. Did you mean opening"):
        call_command("export_boards", str(tmp_path / "c.pbn"), q="opning=1N")


def test_a_wrong_search_says_at_which_word(anonymous: APIClient, boards: None) -> None:
    assert reason(anonymous, "vul=ns suoth(hcp>=15)") == {
        "code": "unknown_word",
        "message": "suoth is no seat. Did you mean south?",
        "position": 7,
        "word": "suoth",
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
        assert BoardSelection({}, search=text).condition(labels) != BoardSelection({}).condition(labels)


def test_each_condition_can_be_taken_away_and_an_empty_result_says_which_to_drop(client: Client, boards: None) -> None:
    page = Document(client.get("/boards", {"q": "opening=1N result>=0", "dealer": "N"}))
    links = {link.get("aria-label"): link["href"] for link, _ in page.all("a")}
    assert links["Take opening=1N away"] == "/boards?dealer=N&q=result%3E%3D0"
    assert links["Take result>=0 away"] == "/boards?dealer=N&q=opening%3D1N"
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
            parse_query(write_query(sent) or "", names())


@postgresql_only
def test_a_search_that_would_read_too_many_slices_is_refused_in_words(
    anonymous: APIClient, monkeypatch: pytest.MonkeyPatch, boards: None
) -> None:
    fold_all(capacity=2)
    monkeypatch.setattr(finding, "FEW_SLICES", 3)
    monkeypatch.setattr(finding, "MAX_SLICES", 15)
    assert found(anonymous, "result<0") == ["down"]
    refused = reason(anonymous, "any(hcp=4..36 losers=1..11)")
    assert refused["code"] == "too_much_work"
    assert "compares 17 facts of each board, and 7 are possible" in refused["message"]
