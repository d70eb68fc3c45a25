from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime
from io import StringIO
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from django.test.utils import CaptureQueriesContext
from rest_framework.test import APIClient

from accounts.models import AuctionSystem
from boards.files import exporting
from boards.files.exporting import ExportedBoard
from boards.management.commands import export_boards
from boards.models import Board
from boards.records import record_of
from bridge.auction import Auction, Call
from bridge.board import BoardRecord
from bridge.formats.files import read_boards
from bridge.formats.outcomes import ReadBoard
from bridge.seats import Seat
from deals.models import Deal
from tests import factories
from tests.answers import assert_error
from tests.bridge.factories import layout
from tests.bridge.formats.lin import files as lin_files
from tests.bridge.formats.pbn import files as pbn_files

pytestmark = pytest.mark.django_db

NOON = datetime(2026, 11, 21, 12, tzinfo=UTC)
ANOTHER_TYPE = {"accept": "application/json"}
"""What a client may ask for in vain where the path names the type of a file."""


def read(content: bytes) -> list[BoardRecord]:
    return pbn_files.READING.strictly.read_all(content)


def exported(client: APIClient, **query: Any) -> list[BoardRecord]:
    response = client.get("/api/boards.pbn", query, headers=ANOTHER_TYPE)
    assert response.status_code == 200
    return read(response.getvalue())


def board(**values: Any) -> Board:
    """Store a board with an alerted call, a contract, a result and texts that PBN has to escape."""
    calls = (Call("1NT", True, "12-14"), *[Call("Pass")] * 3)
    texts = {"title": 'The "Café" board', "commentary": "One {brace}\n\nand a [tag].", "event": "Łódź 2026"}
    texts |= {"stage": "Final", "room": "Closed", "table": "12", "home_team": "Reds", "visit_team": "Blues"}
    record = {"auction": Auction(Seat.NORTH, calls), "tricks": 7, "scoring": "IMP", **texts}
    system = AuctionSystem.objects.filter(pk="acol").first() or factories.auction_system("acol")
    return factories.board(auction_system=system, **{**record, **values})


def test_a_boards_file_is_read_back_as_the_same_board(anonymous: APIClient) -> None:
    stored = board()
    unknown_to_lin = dict.fromkeys(
        ("event", "scoring", "auction_system", "stage", "table", "home_team", "visit_team"), ""
    )
    for kind, reading, unknown in (("pbn", pbn_files.READING, {}), ("lin", lin_files.READING, unknown_to_lin)):
        response = anonymous.get(f"/api/boards/{stored.pk}.{kind}", headers=ANOTHER_TYPE)
        assert reading.strictly.record(response.content) == replace(record_of(stored), **unknown)
        assert response["Content-Type"] == f"application/x-{kind}; charset=utf-8"
        assert response["Content-Disposition"] == f'attachment; filename="board-{stored.pk}.{kind}"'
        again = anonymous.get(f"/api/boards/{stored.pk}.{kind}", headers={"if-none-match": response["ETag"]})
        assert (again.status_code, again.content) == (304, b"")
    passed_out = factories.board(calls="Pass Pass Pass Pass")
    assert read(anonymous.get(f"/api/boards/{passed_out.pk}.pbn").content) == [record_of(passed_out)]


def test_the_file_has_the_double_dummy_analysis(anonymous: APIClient) -> None:
    stored = board()
    par = {name: {"score": -90, "contracts": ["E 1NT"]} for name in ("None", "NS", "EW", "All")}
    Deal.objects.update(double_dummy_status="done", double_dummy="7777d" * 4, par=par)
    text = anonymous.get(f"/api/boards/{stored.pk}.pbn").content.decode()
    assert '[OptimumScore "NS -90"]' in text and "N NT 13\r\nN  S  7\r\n" in text
    assert read(text.encode()) == [record_of(stored)]
    assert '[OptimumScore "NS -90"]' in b"".join(anonymous.get("/api/boards.pbn").streaming_content).decode()


@pytest.fixture(autouse=True)
def _small_chunks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(exporting, "CHUNK_SIZE", 2)


def test_the_export_has_all_published_boards_newest_first(anonymous: APIClient) -> None:
    boards: list[Board] = []
    board(published=False)
    for count in (0, 1, 2, 5):
        boards = [board() for _ in range(len(boards), count)][::-1] + boards
        response = anonymous.get("/api/boards.pbn")
        assert response.streaming and "ETag" not in response
        assert read(response.getvalue()) == [record_of(stored) for stored in boards]
        assert response["Content-Type"] == "application/x-pbn; charset=utf-8"
        assert response["Content-Disposition"] == 'attachment; filename="boards.pbn"'


def test_what_cannot_be_exported_is_refused_in_json_before_anything_is_streamed(anonymous: APIClient) -> None:
    assert_error(anonymous.get("/api/boards.pbn", {"sort": "top"}), 400, "unknown_parameter")
    assert_error(anonymous.get("/api/boards.pbn?dealer=N&dealer=E"), 400, "validation_error")
    assert_error(anonymous.get(f"/api/boards/{factories.NOBODYS_ID}.pbn"), 404, "not_found")


def test_more_boards_need_no_more_queries_within_a_chunk(anonymous: APIClient) -> None:
    counts = []
    for size in (1, 2):
        while Board.objects.count() < size:
            board(themes=(factories.theme(),))
        with CaptureQueriesContext(connection) as queries:
            assert len(exported(anonymous)) == size
        counts.append(len(queries))
    assert counts[0] == counts[1]


def test_a_head_request_for_the_export_runs_no_query(anonymous: APIClient) -> None:
    board()
    with CaptureQueriesContext(connection) as queries:
        response = anonymous.head("/api/boards.pbn")
    assert (response.status_code, response.getvalue(), len(queries)) == (200, b"", 0)
    assert response["Content-Disposition"] == 'attachment; filename="boards.pbn"'
    assert anonymous.options("/api/boards.pbn").status_code == 204


def run(*arguments: Any, **options: Any) -> str:
    out = StringIO()
    call_command("export_boards", *arguments, stdout=out, **options)
    return out.getvalue()


def read_file(file: Path, **options: bool) -> list[Any]:
    with file.open("rb") as stream:
        return [each.content for each in read_boards(stream, **options) if isinstance(each, ReadBoard)]


@pytest.fixture
def boards(db: None) -> list[Board]:
    """Return the published boards, newest first."""
    factories.board(published=False)
    stored = [factories.board(number=number, calls="1NT Pass Pass Pass") for number in range(1, 6)]
    return stored[::-1]


def test_it_writes_all_published_boards_into_a_file_that_is_read_back(boards: list[Board], tmp_path: Path) -> None:
    for ending in ("pbn", "lin", "PBN"):
        file = tmp_path / f"{ending}-file" / f"boards.{ending}"
        file.parent.mkdir()
        assert run(file) == f"{file}: wrote 5 boards.\n"
        assert read_file(file, strict=True) == [record_of(board) for board in boards]
        assert list(file.parent.iterdir()) == [file]


def test_a_dup_file_has_the_cards_for_a_dealing_machine_unless_it_would_be_too_long(
    boards: list[Board], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file, told = tmp_path / "boards.dup", StringIO()
    assert run(file, stderr=told) == f"{file}: wrote 5 deals.\n"
    assert "numbered from 1" in told.getvalue(), "the newest comes first, so that no board keeps its number"
    dealt = [(record.layout, record.board_number) for record in read_file(file)]
    assert dealt == [(board.deal.layout, number) for number, board in enumerate(boards, 1)]
    file.unlink()
    monkeypatch.setattr(export_boards, "MAX_BOARD_NUMBER", 4)
    for dry_run in (False, True):
        with pytest.raises(CommandError, match=r"a \.dup file has at most 4"):
            run(file, dry_run=dry_run)
    assert list(tmp_path.iterdir()) == []


def evening(*numbers: int, **values: Any) -> list[Board]:
    """Store two tables of each deal, the last deal first. Return a board of each deal, in the order of the numbers."""
    deals = [(number, layout()) for number in reversed(numbers)]
    event = {"event": "Friday pairs", "date": "2026.11.20", **values}
    for table in "12":
        stored = [factories.board(cards=cards, number=number, table=table, **event) for number, cards in deals]
    return stored[::-1]


def test_a_dup_file_has_each_deal_of_an_event_once_however_many_tables_played_it_under_its_number(
    db: None, tmp_path: Path
) -> None:
    """The deals of a second section that plays the same cards are no more deals."""
    deals = evening(7, 8, 9, stage="Section A")
    for first in deals:
        event = {"event": first.event, "date": first.date, "stage": "Section B"}
        factories.board(cards=first.deal.layout, number=first.board_number, **event)
    factories.board(number=7, event="Another evening")
    file, told = tmp_path / "event.dup", StringIO()
    of_event = ("--event", deals[0].event_slug)
    assert run(file, *of_event, dry_run=True).endswith(": would write 3 deals.\n")
    run(file, *of_event, stderr=told)
    assert [(record.board_number, record.layout) for record in read_file(file)] == [
        (number, board.deal.layout) for number, board in zip((7, 8, 9), deals, strict=True)
    ]
    assert told.getvalue() == ""
    assert len(file.read_bytes()) == 3 * 156


def test_the_command_says_when_the_deals_of_a_dup_file_cannot_keep_their_numbers(db: None, tmp_path: Path) -> None:
    """The machine counts on from the first number: neither a gap nor a second session can be told to it."""
    for name, numbers in (("Gap", (3, 5)), ("Large", (999, 1000))):
        (first, *_) = evening(*numbers, event=name)
        file, told = tmp_path / f"{name}.dup", StringIO()
        run(file, "--event", first.event_slug, stderr=told)
        assert [record.board_number for record in read_file(file)] == [1, 2], name
        assert "numbered from 1" in told.getvalue(), name
    evening(1, 2, stage="Session 1")
    (first, *_) = evening(1, 2, stage="Session 2")
    file, told = tmp_path / "sessions.dup", StringIO()
    run(file, "--event", first.event_slug, stderr=told)
    assert [record.board_number for record in read_file(file)] == [1, 2, 3, 4]
    assert "numbered from 1" in told.getvalue()


def test_the_boards_of_an_event_are_written_in_the_order_of_their_numbers(tmp_path: Path) -> None:
    for number in (3, 1, 2):
        board = factories.board(number=number, event="Friday pairs", date="2026.11.20")
    file = tmp_path / "event.pbn"
    run(file, "--event", board.event_slug, "--date-from", "2026-11-20", "--date-to", "2026-11-20")
    assert [record.board_number for record in read_file(file)] == [1, 2, 3]


def test_it_takes_the_filters_of_the_list(boards: list[Board], tmp_path: Path) -> None:
    assert run(tmp_path / "some.pbn", "--dealer", "N").endswith(": wrote 2 boards.\n")
    factories.theme("unused")
    assert run(tmp_path / "none.pbn", "--theme", "unused").endswith(": wrote 0 boards.\n")
    for moment, number in (("2020-01-01T00:00:00Z", 5), ("2999-01-01T00:00:00Z", 0)):
        written = run(tmp_path / f"{number}.pbn", "--updated-since", moment)
        assert written.endswith(f": wrote {number} boards.\n")
    with pytest.raises(CommandError, match=r"valid value: --theme-type\."):
        run(tmp_path / "bad.pbn", "--theme-type", "a b")


def test_a_name_that_nothing_has_is_an_error_and_writes_no_file(boards: list[Board], tmp_path: Path) -> None:
    file = tmp_path / "b.pbn"
    file.write_text("mine")
    for option, dry_run in product(("--theme", "--theme-type", "--auction-system", "--user", "--event"), (False, True)):
        with pytest.raises(CommandError, match=f"{option}: staymann does not exist"):
            run(file, option, "staymann", overwrite=True, dry_run=dry_run)
        assert file.read_text() == "mine", option


def test_a_file_is_replaced_only_with_overwrite_and_never_in_a_dry_run(boards: list[Board], tmp_path: Path) -> None:
    file = tmp_path / "b.lin"
    assert run(file, dry_run=True) == f"{file}: would write 5 boards.\n" and not file.exists()
    file.write_text("mine")
    with pytest.raises(CommandError, match="already exists"):
        run(file)
    assert file.read_text() == "mine"
    run(file, overwrite=True)
    assert file.read_text().startswith("pn|")


def test_the_file_name_must_end_in_a_format_and_its_folder_exist(tmp_path: Path) -> None:
    for name in ("boards", "boards.txt"):
        with pytest.raises(CommandError, match=r"must end in \.pbn, \.lin or \.dup"):
            run(tmp_path / name)
    with pytest.raises(CommandError, match=r"b\.pbn: No such file or directory\."):
        run(tmp_path / "nowhere" / "b.pbn")


def test_a_failed_export_leaves_the_old_file_and_no_unfinished_one(
    boards: list[Board], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: Any) -> Iterator[list[ExportedBoard]]:
        yield [ExportedBoard(record_of(boards[0]), "", None, "")]
        raise KeyboardInterrupt

    monkeypatch.setattr("boards.management.commands.export_boards.iterate_boards", broken)
    file = tmp_path / "b.pbn"
    file.write_text("mine")
    with pytest.raises(KeyboardInterrupt):
        run(file, overwrite=True)
    assert file.read_text() == "mine"
    assert list(tmp_path.iterdir()) == [file]
