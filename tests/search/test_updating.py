"""An update that brings facts: what is found before its boards are indexed anew, and what operators see."""

from hashlib import sha256

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from rest_framework.test import APIClient

from boards.searching import checking
from boards.searching.checking import gauges, keep_current, trouble_of_index
from search import facts as facts_of_boards
from search.facts import FACTS, NOTATION, OFFSETS
from search.index import folding
from search.index.folding import fold_all
from search.models import IndexRow, Slice
from tests import factories
from tests.search.test_searching import found
from tests.search.ways import IN_SEGMENTS, postgresql_only

pytestmark = pytest.mark.django_db

MADE = {1: "23cc", 2: "f550", 3: "f550", 4: "26e9", 5: "332a", 6: "332a", 7: "332a"}
"""A digest of the facts of each notation that was ever released, and of this one."""

UPDATE = "facts come with an increased search.facts.NOTATION as their `since`; those before stay as they are"


def test_the_facts_of_a_notation_never_change() -> None:
    for notation, digest in MADE.items():
        facts = [fact for fact in FACTS.values() if fact.since <= notation]
        assert sha256(str(facts).encode()).hexdigest()[:4] == digest, UPDATE
    assert max(MADE) == NOTATION >= max(fact.since for fact in FACTS.values())


@pytest.fixture
def update(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the program be one in which double dummy's verdict on the contract has just come."""
    factories.board(title="went down", calls="1S Pass Pass Pass", tricks=6)
    factories.board(title="made", calls="1S Pass Pass Pass", tricks=7)
    for row in IndexRow.objects.all():
        facts = bytearray(bytes(row.facts))
        facts[OFFSETS["makeable"]] = 0
        row.facts = bytes(facts)
        row.save()
    monkeypatch.setitem(FACTS["makeable"].__dict__, "since", NOTATION + 1)
    for module in (checking, facts_of_boards, folding):
        monkeypatch.setattr(module, "NOTATION", NOTATION + 1)


@pytest.mark.parametrize("in_segments", IN_SEGMENTS)
@pytest.mark.usefixtures("update")
def test_a_search_for_a_new_fact_is_refused_until_all_boards_have_it(anonymous: APIClient, in_segments: bool) -> None:
    if in_segments:
        fold_all()
    factories.board(title="new", calls="1S Pass Pass Pass", tricks=5)
    assert found(anonymous, "result<0") == ["new", "went down"]
    for query in ({"q": "-is:makeable"}, {"q": "is:makeable result<0", "sort": "top"}):
        refused = anonymous.get("/api/boards", query)
        assert refused.status_code == 503 and refused["Retry-After"] == "60"
        assert "makeable yet, which came with an update" in refused.json()["message"]
    assert anonymous.get("/api/boards/summary", {"by": "makes"}).status_code == 503
    if connection.vendor == "postgresql":
        assert keep_current() and not keep_current()
    else:
        assert not keep_current()
        for keys in checking.find_missing():
            checking.mend(keys)
    fold_all()
    assert found(anonymous, "-is:makeable") == ["new", "made", "went down"]


def test_a_search_for_a_new_tag_is_refused_until_all_boards_have_it(anonymous: APIClient) -> None:
    board = factories.board(title="of the Hawks", home_team="Hawks")
    row = IndexRow.objects.get(pk=board.number)
    facts = bytearray(bytes(row.facts))
    facts[OFFSETS["notation"]] = 4
    IndexRow.objects.filter(pk=board.number).update(facts=bytes(facts))
    assert found(anonymous, "site=Club") == []
    for query in ("team=Hawks", "-team=Owls,Hawks", "is:alerted"):
        assert anonymous.get("/api/boards", {"q": query}).status_code == 503, query
    for keys in checking.find_missing():
        checking.mend(keys)
    assert found(anonymous, "team=Hawks") == ["of the Hawks"]


def values() -> dict[str, float]:
    return {sample.name: sample.value for family in gauges() for sample in family.samples}


@postgresql_only
def test_the_gauges_count_rows_segments_and_boards_of_an_earlier_version() -> None:
    board = factories.board()
    assert values()["bridge_boards_index_rows"] == 1
    fold_all()
    assert values()["bridge_boards_index_rows"] == values()["bridge_boards_index_age_seconds"] == 0
    assert (values()["bridge_boards_index_segments"], values()["bridge_boards_index_old_boards"]) == (1, 0)
    board.delete()
    assert values()["bridge_boards_index_rows"] == 1


@postgresql_only
def test_readers_are_told_of_an_old_index_and_of_one_that_nobody_folds(monkeypatch: pytest.MonkeyPatch) -> None:
    factories.board()
    assert trouble_of_index() == ""
    monkeypatch.setattr(checking, "MANY_ROWS", 1)
    assert trouble_of_index().startswith("Many boards wait")
    fold_all()
    assert trouble_of_index() == ""
    Slice.objects.filter(name=f"notation>={NOTATION}").delete()
    assert "index_boards --missing" in trouble_of_index()


def test_whether_all_boards_have_a_fact_is_asked_once_for_an_answer(anonymous: APIClient) -> None:
    factories.board(title="known", calls="1S Pass Pass Pass")

    def statements(q: str, path: str, accept: str) -> int:
        with CaptureQueriesContext(connection) as asked:
            response = anonymous.get(f"{path}?after=&q={q}", headers={"accept": accept})
            assert response.status_code == 200
            b"".join(response)
        return len(asked)

    lists = [("/api/boards", "application/json"), ("/api/boards", "application/x-ndjson")]
    for each in (*lists, ("/boards", "text/html"), ("/boards.atom", "*/*")):
        statements("-is:doubled", *each)
        assert statements("-is:alerted", *each) - statements("-is:doubled", *each) == 1, each
