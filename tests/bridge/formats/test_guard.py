"""No value makes a reader raise; and a reader that raises all the same loses the one record at which it does."""

import logging
from collections.abc import Callable, Iterator
from itertools import product
from typing import NoReturn
from urllib.parse import quote

from pytest import LogCaptureFixture, MonkeyPatch, mark, raises

from bridge.board import BoardRecord
from bridge.formats import archives
from bridge.formats import rbn as rbn_reader
from bridge.formats.files import FORMATS
from bridge.formats.guard import READER_FAILED
from bridge.formats.lin import reader as lin_reader
from bridge.formats.lin.writer import write_lin
from bridge.formats.outcomes import Outcome, ReadBoard, RecordError, TableWithoutDeal
from bridge.formats.pbn import reader as pbn_reader
from bridge.formats.pbn.writer import write_pbn
from bridge.formats.usebio import reader as usebio_reader
from tests.bridge import factories
from tests.bridge.formats import dealing_files, usebio_files
from tests.bridge.formats.odd_records import FORMS
from tests.bridge.formats.pbn.files import DEAL, READING
from tests.bridge.formats.rbn_files import rbn
from tests.bridge.formats.reading import refused
from tests.bridge.formats.test_archives import pack

READERS = {each.name: each.read for each in FORMATS}
RECORDS = [factories.record(number, number=number) for number in (1, 2, 3)]
LAYOUTS = [record.layout for record in RECORDS]
LINES = [f"?lin={quote(write_lin(record))}\n" for record in RECORDS]
HANDS = [
    usebio_files.board(number=str(record.board_number), more=usebio_files.hands(record.layout.cards))
    for record in RECORDS
]
PBN = "".join(map(write_pbn, RECORDS)).encode()
FILES = {
    "ZIP": (pack(("evening.pbn", PBN)), None),
    "USEBIO": (usebio_files.document("".join(HANDS)).encode(), None),
    "DLM": (dealing_files.dlm(LAYOUTS), 14),
    "DUP": (dealing_files.dup(LAYOUTS, b"YN1  0 3  "), 1),
    "BRI": (dealing_files.bri(LAYOUTS), 1),
    "DGE": (dealing_files.dge(LAYOUTS), 1),
    "handviewer": ("".join(LINES).encode(), 2),
    "LIN": ("".join(map(write_lin, RECORDS)).encode(), 2),
    "PBN": (PBN, None),
    "RBN": ("".join(map(rbn, RECORDS)).encode(), None),
    "bare deals": ("".join(f"{layout.cards}\n" for layout in LAYOUTS).encode(), 2),
}


@mark.parametrize("name", FORMS)
def test_no_value_of_a_field_makes_its_reader_raise(name: str) -> None:
    form, read = FORMS[name], READERS[name.partition(":")[0]]
    for odd in form.odd_values(100):
        for outcome in read([form.make(odd)], BoardRecord.check, False):
            assert not isinstance(outcome, RecordError) or outcome.code != READER_FAILED, odd


def test_every_format_has_odd_records() -> None:
    assert {name.partition(":")[0] for name in FORMS} == set(READERS) == set(FILES)


def raising(error: BaseException, *numbers: int) -> Callable[[BoardRecord], None]:
    """Return a check that raises at the records of these numbers, as an unknown fault of a reader would."""
    seen: list[BoardRecord] = []

    def check(record: BoardRecord) -> None:
        seen.append(record)
        if len(seen) in numbers:
            raise error

    return check


def test_a_record_at_which_a_reader_fails_is_said_and_logged_and_costs_no_other(caplog: LogCaptureFixture) -> None:
    for name, (data, line) in FILES.items():
        caplog.clear()
        first, failed, last = READERS[name]([data], raising(KeyError("a fault of ours"), 2), False)
        assert isinstance(first, ReadBoard) and isinstance(last, ReadBoard), name
        assert [first.content.layout, last.content.layout] == [LAYOUTS[0], LAYOUTS[2]], name
        assert refused(failed)[0] == 2 and refused(failed)[3] == READER_FAILED and last.record == 3, name
        assert line in (refused(failed)[2], None) and "a fault of ours" not in str(failed), name
        (logged,) = caplog.records
        assert (logged.levelno, logged.name) == (logging.ERROR, "bridge.formats.guard"), name
        assert "in check" in caplog.text and "KeyError: 'a fault of ours'" in caplog.text, "the traceback"


def test_each_row_of_a_table_and_each_table_that_finds_its_deal_elsewhere_fails_alone() -> None:
    table = '[ScoreTable "PairId_NS;PairId_EW;Contract;Declarer;Result"]\n1 2 1NT N 7\n3 4 1NT N 8\n5 6 1NT N 9\n'

    def read(text: str, *failing: int) -> list[Outcome]:
        return list(READERS["PBN"]([text.encode()], raising(ValueError(), *failing), False))

    deal = f'[Board "1"][Deal "{LAYOUTS[0].cards}"]'
    outcomes = read(deal + table + "\n" + deal, 2)
    assert [isinstance(outcome, ReadBoard) for outcome in outcomes] == [True, False, True, True]
    assert refused(outcomes[1]) == (2, "", 1, READER_FAILED)
    tables = read('[Board "1"]' + table, 1)
    joined = [each.read_with(RECORDS[0]) for each in tables if isinstance(each, TableWithoutDeal)]
    assert refused(joined[0]) == (1, "", 1, READER_FAILED) and isinstance(joined[1], ReadBoard)


def test_a_fault_before_a_record_is_one_costs_the_part_of_the_file_at_which_it_shows(monkeypatch: MonkeyPatch) -> None:
    def fail(*of: object) -> NoReturn:
        raise ValueError

    for module, step, name, parts in (
        (pbn_reader, "_read_game", "PBN", 3),
        (lin_reader, "read_tags", "LIN", 3),
        (rbn_reader, "_translate", "RBN", 3),
        (usebio_reader, "parse", "USEBIO", 1),
        (usebio_reader, "deal_of", "USEBIO", 3),
        (archives, "_unpack", "ZIP", 1),
    ):
        with monkeypatch.context() as patch:
            patch.setattr(module, step, fail)
            outcomes = list(READERS[name]([FILES[name][0]], BoardRecord.check, False))
        errors = [refused(outcome) for outcome in outcomes if isinstance(outcome, RecordError)]
        assert [each[::3] for each in errors] == [(record, READER_FAILED) for record in range(1, parts + 1)], step


def test_want_of_memory_an_interruption_and_a_broken_stream_pass_through() -> None:
    def broken(data: bytes) -> Iterator[bytes]:
        yield data[: len(data) // 2]
        raise ConnectionResetError

    for name, (data, _) in FILES.items():
        for error in (MemoryError(), KeyboardInterrupt()):
            with raises(type(error)):
                list(READERS[name]([data], raising(error, 2), False))
        with raises(ConnectionResetError):
            list(READERS[name](broken(data), BoardRecord.check, False))


def test_a_dealer_and_a_deal_that_name_no_seat_are_one_refused_record() -> None:
    unreadable = product(("#", "-", "?:AK", "X:- - - -"), ("#", "Z", "^N"), ("", "X", "N"))
    for deal, dealer, auction in (*unreadable, ("", "#", "X")):
        odd = f'[Event "x"][Deal "{deal}"][Dealer "{dealer}"][Auction "{auction}"]\n1NT\n\n'
        first, error, last = READING.outcomes(f"{DEAL}\n{odd}{DEAL}")
        assert isinstance(first, ReadBoard) and isinstance(last, ReadBoard), odd
        assert refused(error)[2] == 3 and refused(error)[3] != READER_FAILED, odd
