"""Importing what several tables did with one deal: nothing sound is lost, and everything done is said."""

from dataclasses import replace
from random import Random
from typing import Any

import pytest
from django.core.management import call_command
from rest_framework.test import APIClient

from boards.files.options import ImportOptions
from boards.files.previews import dry_run_import
from boards.files.reports import MAX_SKIPPED
from boards.models import Board
from boards.records import record_of
from bridge.auction import Auction, Call
from bridge.board import BoardRecord, complete_record
from tests import factories
from tests.boards.admin.pages import pbn
from tests.boards.files.test_import import imported, numbers
from tests.bridge.strategies import random_play
from themes.models import Theme

pytestmark = pytest.mark.django_db


def table(seed: int, **values: Any) -> BoardRecord:
    """Return a table of always the same deal and auction. The seed decides the play."""
    record = factories.record(seed=1, number=7, calls="1NT Pass Pass Pass", **values)
    return complete_record(
        replace(record, play=random_play(record.layout, record.contract, 40, Random(seed)), tricks=7)
    )


def stored(report: dict[str, Any]) -> list[BoardRecord]:
    boards = Board.objects.select_related("deal", "auction_system")
    return [record_of(boards.get(pk=pk)) for pk in report["boardIds"]]


def test_tables_with_the_same_auction_and_result_but_another_play_are_boards_of_their_own(service: APIClient) -> None:
    tables = [table(1), table(2), replace(table(3), play=())]
    report = imported(service, pbn(*tables))
    assert numbers(report) == (1, 0, 3, 0) and report["merged"] == []
    assert stored(report) == tables
    again = imported(service, pbn(*tables))
    assert (numbers(again), again["boardIds"], again["merged"]) == ((0, 1, 0, 0), report["boardIds"], [])


def test_a_record_that_brings_only_more_texts_fills_the_empty_ones_and_readers_get_them(
    service: APIClient, anonymous: APIClient
) -> None:
    bare = table(1)
    said = (Call("1NT", True, "12-14"), *[Call("Pass")] * 3)
    assert bare.auction
    full = replace(bare, scoring="MP", title="A title", auction=Auction(bare.auction.dealer, said))
    (board,) = imported(service, pbn(bare), "?publish=true")["boardIds"]
    before = anonymous.get(f"/api/boards/{board}")
    second = imported(service, pbn(full))
    assert second["merged"] == [{"record": 1, "board": "7", "boardId": board}]
    assert (second["boards"], stored(second)) == (0, [full])
    after = anonymous.get(f"/api/boards/{board}", headers={"if-none-match": before["ETag"]})
    assert (after.status_code, after.json()["scoring"]) == (200, "MP")
    assert after.json()["updatedAt"] > before.json()["updatedAt"]
    other = imported(service, pbn(replace(bare, scoring="IMP", difficulty="expert")))
    assert len(other["merged"]) == 1 and stored(other) == [replace(full, difficulty="expert")]
    assert imported(service, pbn(full))["merged"] == []
    in_one_file = imported(service, pbn(table(2), replace(table(2), scoring="MP")), "?publish=true")
    assert (in_one_file["boards"], len(in_one_file["merged"]), stored(in_one_file)[0].scoring) == (1, 1, "MP")
    call_command("refresh_boards", "--check")


ODD_LEAD = '[Board "17"]\n[Deal "{}"]\n[Dealer "N"]\n[Vulnerable "None"]\n[Declarer "N"]\n[Contract "1NT"]\n'
CARDS = "N:AKQJ.T98.765.432 T987.765.432.AKQ 654.32.AKQJ.T987 32.AKQJ4.T98.J65"
DOUBTFUL = (ODD_LEAD.format(CARDS) + '[Play "E"]\nSA S4 S2 ST\n*\n').encode()


def test_pairs_of_numbered_sections_are_told_apart_and_found_by_their_number(
    service: APIClient, anonymous: APIClient
) -> None:
    columns = '[ScoreTable "Section;PairId_NS;PairId_EW;Contract;Declarer;Result"]\n'
    rows = "1 12 3 1NT N 7\n1 2 4 1NT N 8\n11 12 3 1NT N 6\n"
    imported(
        service, pbn(table(1, contract=None, tricks=None)).rstrip() + f"\n{columns}{rows}".encode(), "?publish=true"
    )
    for query, pairs in (
        ("pair=12", {("1-12", "1-3"), ("11-12", "11-3")}),
        ("pair=1-12", {("1-12", "1-3")}),
        ("pair=2", {("1-2", "1-4")}),
        ("pair=112", set()),
    ):
        found = anonymous.get("/api/boards", {"q": query}).json()["boards"]
        assert {(each["pairNs"], each["pairEw"]) for each in found} == pairs, query


def test_a_doubtful_board_stays_a_draft(service: APIClient) -> None:
    for _ in range(2):
        (warning,) = imported(service, DOUBTFUL, "?publish=true")["warnings"]
        assert (warning["board"], warning["code"]) == ("17", "play_dropped") and "draft" in warning["message"]
        assert Board.objects.get().published_at is None


def test_warnings_are_refusals_when_strict_and_an_atomic_import_counts_only_refusals(service: APIClient) -> None:
    body = (ODD_LEAD.format(CARDS) + '[Result "14"]\n').encode()
    strict = imported(service, body, "?strict=true")
    assert [failed["code"] for failed in strict["failed"]] == ["impossible_result"]
    assert strict["failed"][0]["board"] == "17" and not Board.objects.exists()
    assert imported(service, body, "?atomic=true")["boards"] == 1


def test_a_score_without_a_deal_is_skipped_and_the_report_lists_the_first_and_counts_all(
    service: APIClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    body = pbn(table(1)) + b'[Board "9"]\n[Declarer "S"]\n[Contract "4S"]\n[Result "10"]\n'
    report = imported(service, body, "?atomic=true&strict=true")
    assert [(each["record"], each["board"]) for each in report["skipped"]] == [(2, "9")]
    assert (report["boards"], report["failed"]) == (1, [])
    monkeypatch.setattr("boards.files.reports.MAX_WARNINGS", 1)
    warned = (ODD_LEAD.format(CARDS).replace("None", "X") + '[Result "14"]\n\n').encode()
    report = imported(service, warned + b'[Board "9"]\n\n' * (MAX_SKIPPED + 5))
    assert [each["record"] for each in report["skipped"]] == list(range(2, MAX_SKIPPED + 2))
    assert (report["skippedCount"], len(report["warnings"]), report["warningsCount"]) == (MAX_SKIPPED + 5, 1, 2)


def test_a_system_is_recognised_in_any_case_and_another_text_kept_for_the_next_export(
    service: APIClient, anonymous: APIClient
) -> None:
    call_command("load_reference_data", verbosity=0)
    texts = ("2/1gf - 2/1 GAME force", "Our own", "")
    records = [replace(table(seed), auction_system=text) for seed, text in enumerate(texts)]
    boards = imported(service, pbn(*records), "?publish=true")["boardIds"]
    shown = [anonymous.get(f"/api/boards/{pk}").json() for pk in boards]
    systems = [board["auctionSystem"] and board["auctionSystem"]["identifier"] for board in shown]
    assert systems == ["two_over_one", None, None]
    assert [board["systemText"] for board in shown] == ["", "Our own", ""]
    assert b'[BidSystemNS "Our own"]' in anonymous.get(f"/api/boards/{boards[1]}.pbn").content


def test_a_dry_run_says_what_an_import_would_say(tmp_path: Any) -> None:
    path = tmp_path / "x.pbn"
    path.write_bytes(pbn(table(1)) + (ODD_LEAD.format(CARDS) + '[Result "14"]\n').encode())
    with path.open("rb") as file:
        report = dry_run_import(file, ImportOptions(owner_id="system"))
    assert ([warning.code for warning in report.warnings], len(report.boards)) == (["result_dropped"], 2)
    assert not Board.objects.exists() and not Theme.objects.exists()
