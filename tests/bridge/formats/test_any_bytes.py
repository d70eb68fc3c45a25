"""Any bytes are records and errors, never an exception."""

from urllib.parse import quote
from zipfile import ZIP_STORED

from hypothesis import given, note
from hypothesis import strategies as st

from bridge.board import BoardRecord
from bridge.formats.files import read_boards
from bridge.formats.handviewer import read_handviewer
from bridge.formats.lin.writer import write_lin
from bridge.formats.outcomes import RecordError
from bridge.formats.pbn.writer import write_pbn
from bridge.formats.plain_text import read_bare_deals
from bridge.formats.raw_records import MAX_RECORD_SIZE
from bridge.layout import Layout
from tests.bridge.formats import dealing_files, rbn_files, usebio_files
from tests.bridge.formats.lin import files as lin_files
from tests.bridge.formats.pbn import files as pbn_files
from tests.bridge.formats.reading import CARDS, Reading, content, refused
from tests.bridge.formats.test_archives import pack
from tests.bridge.strategies import moderate, records

LAYOUT = Layout(CARDS)
PBN_DEAL, LIN_DEAL = pbn_files.DEAL.encode(), lin_files.DEAL.encode()
PBN, LIN, RBN, BARE = pbn_files.READING, lin_files.READING, rbn_files.READING, Reading(read_bare_deals)
DEALS = [f"{LAYOUT.cards}\n", "N:- - - -\n", "N:", "AKQJ.T98.765.432 ", "-", "\n", "x"]
LINKS = [
    *("?", "lin=", "n=", "&e=", "&a=1n", "&p=", "&d=n", "%", "%7C", "+", "sakq", "(x)", "{", "!", "\n", "é", "\0"),
    f"?lin={quote(lin_files.PLAYED)}",
    "n=sakqjht98d765c432&s=s654h32dakqjct987&w=s32hakqj4dt98cj65",
]
BINARY = [
    *("0102", "YN1  0 1  ", "\0", "\x06", "\x03", "AKQ", " " * 32),
    dealing_files.bri_cards(LAYOUT).decode(),
    dealing_files.dge_diagram(LAYOUT).decode(),
]
DLM = [
    *("[Document]\n", "From board=1\n", "To board=2\n", "Crypto key=1\n", "=", "é", "\0", "\n"),
    *(dealing_files.dlm_line(number, dealing_files.dlm_letters(LAYOUT)) for number in (1, 2, 300)),
]
ZIP = [
    *("PK\3\4", "PK\1\2", "PK\5\6", "\0" * 18, "[", "x"),
    pack(("a.pbn", LAYOUT.cards.encode()), method=ZIP_STORED).decode("latin-1"),
]
OTHERS = ["\xff\xfe", "%PDF-", "<html>"]

KINDS = {
    "pbn": (PBN, pbn_files.PIECES),
    "lin": (LIN, lin_files.PIECES),
    "rbn": (rbn_files.READING, rbn_files.PIECES),
    "usebio": (usebio_files.READING, usebio_files.PIECES),
    "bare deals": (BARE, DEALS),
    "handviewer": (Reading(read_handviewer), LINKS),
    "dlm": (dealing_files.DLM, DLM),
    "dup": (dealing_files.DUP, BINARY),
    "bri": (dealing_files.BRI, BINARY),
    "dge": (dealing_files.DGE, BINARY),
    "any": (Reading(read_boards), ZIP + DLM + BINARY + LINKS + DEALS + rbn_files.PIECES + usebio_files.PIECES + OTHERS),
}


@moderate
@given(data=st.binary(max_size=300))
def test_any_bytes_are_read_without_an_exception(data: bytes) -> None:
    for kind, (reading, _) in KINDS.items():
        note(kind)
        reading.read_and_check(data)


@moderate
@given(numbers=st.lists(st.integers(0, 200), max_size=40))
def test_any_pieces_of_a_file_are_read_without_an_exception(numbers: list[int]) -> None:
    for kind, (reading, pieces) in KINDS.items():
        text = "".join(pieces[number % len(pieces)] for number in numbers)
        note(f"{kind}: {text!r}")
        reading.read_and_check(text.encode())
        reading.read_and_check(text.encode("latin-1"))


@moderate
@given(records(), st.data())
def test_a_damaged_record_is_read_and_its_neighbours_with_it(record: BoardRecord, data: st.DataObject) -> None:
    damage = data.draw(st.binary(max_size=8) | st.sampled_from(pbn_files.PIECES).map(str.encode))
    for reading, whole, neighbour, before, after in (
        (PBN, write_pbn(record), PBN_DEAL + b'[Board "17"]\n\n', b"", b"\r\n\r\n"),
        (LIN, write_lin(record), b"qx|o17|" + LIN_DEAL + b"ah|Board 17|\n", b"qx|o18|", b"|\n"),
    ):
        start = data.draw(st.integers(0, len(whole.encode())))
        end = start + data.draw(st.integers(0, 20))
        damaged = whole.encode()[:start] + damage + whole.encode()[end:]
        outcomes = reading.read_and_check(neighbour + before + damaged + after + neighbour)
        assert content(outcomes[0]).board_number == content(outcomes[-1]).board_number == 17


def test_a_bad_record_costs_none_of_its_neighbours() -> None:
    deal, lin, board = pbn_files.DEAL, lin_files.DEAL, rbn_files.BOARD
    long_pbn, long_rbn = '[A "x"]\n' * 40_000, "E x\n" * (MAX_RECORD_SIZE // 4 + 1)
    after_long = 9 + MAX_RECORD_SIZE // 4 + 2
    line, dlm = dealing_files.dlm_line(2, dealing_files.dlm_letters(LAYOUT)).encode(), dealing_files.dlm([LAYOUT] * 3)
    twice, bri = CARDS.replace("AKQJ.", "AKQQ.", 1), dealing_files.bri([LAYOUT])
    cases: list[tuple[Reading, str | bytes, list[tuple[int, str, int, str]]]] = [
        (PBN, f'{deal}\n[Deal "N:x"]\n\n{deal}', [(2, "", 3, "malformed_deal")]),
        (PBN, f'{deal}\n[Event "]\n\n{deal}', [(2, "", 3, "malformed_tag")]),
        (PBN, f"{deal}\n{{ never closed\n\n{deal}", [(2, "", 3, "unterminated_comment")]),
        (PBN, f"{deal}\n{deal}[Play\n\n{deal}", [(2, "", 4, "malformed_tag")]),
        (PBN, f"{deal}\n{long_pbn}\n{deal}", [(2, "", 3, "record_too_long")]),
        (LIN, f"{lin}\nmd|1junk|mb|1C|\n{lin}", [(2, "", 2, "malformed_deal")]),
        (
            RBN,
            f"{board}\n{long_rbn}\nE \0\n\n{board}",
            [(2, "", 9, "record_too_long"), (3, "", after_long, "not_text")],
        ),
        (BARE, f"{CARDS}\n\n{twice}\nx\n{CARDS}", [(2, "", 3, "duplicate_card"), (3, "", 4, "malformed_deal")]),
        (dealing_files.DLM, dlm.replace(line, line[:-5] + b"999\r\n"), [(2, "2", 14, "checksum_mismatch")]),
        (dealing_files.BRI, bri + b"99" + bri[2:] + bri, [(2, "2", 1, "malformed_deal")]),
    ]
    for reading, data, errors in cases:
        first, *others, last = reading.outcomes(data)
        assert content(first).layout == content(last).layout and last.record == len(others) + 2
        assert [refused(outcome) for outcome in others] == errors


def test_a_hostile_file_ends_in_one_clear_error() -> None:
    long, zip_file = b"x" * 600_000, b"PK\x03\x04\0\0" * 1000
    for reading, code, files in (
        (PBN, "record_too_long", (b'[A "x"]\n' * 70_000, long, b'[A "' * 150_000)),
        (PBN, "malformed_tag", (b'[A "' * 60_000, b'[A "x"' + b" " * 250_000)),
        (PBN, "unterminated_comment", (b"{" * 250_000,)),
        (PBN, "malformed_deal", (b'[Deal "N:' + b"A" * 250_000 + b'"]',)),
        (PBN, "no_deal", (b'"' + b'\\"' * 120_000,)),
        (PBN, "not_text", (zip_file, '[Event "x"]\n'.encode("utf-16"))),
        (LIN, "record_too_long", (b"mb|p|" * 100_000, long, b"|" * 600_000 + b"mb|1C|", b"nt|" + b"a|b" * 200_000)),
        (LIN, "malformed_deal", (b"md|1" + b"S" * 250_000 + b"|",)),
        (LIN, "unknown_hand", (b"md|1" + b"," * 250_000 + b"|",)),
        (LIN, "malformed_lin", (LIN_DEAL + b"mb|1C|" + b"an|x|" * 50_000,)),
        (LIN, "not_text", (zip_file, "md|1|".encode("utf-16"))),
    ):
        for data in files:
            (error,) = reading.read_and_check(data)
            assert refused(error)[3] == code, data[:20]


def test_what_has_no_end_costs_nothing_beside_it() -> None:
    for reading, data, code in (
        (PBN, PBN_DEAL + b'[Auction "N"]\n' + b"Pass " * 50_000, "auction_dropped"),
        (PBN, PBN_DEAL + b'[B "' + b"A" * 250_000, "file_cut"),
        (LIN, LIN_DEAL + b"mb|" + b"p!" * 20_000 + b"|", "auction_dropped"),
        (LIN, LIN_DEAL + b"pc|" + b"SA" * 20_000 + b"|", "play_dropped"),
    ):
        (outcome,) = reading.read_and_check(data)
        assert content(outcome).auction is None
        assert reading.warned(data)[1] == [code], data[:20]
    for reading, data, others in (
        (PBN, b"{" + (PBN_DEAL + b"\n") * 50, 49),
        (LIN, LIN_DEAL + b"zz|junk|" * 50_000 + LIN_DEAL, 1),
    ):
        outcomes = reading.read_and_check(data)
        assert [isinstance(outcome, RecordError) for outcome in outcomes] == [True] + [False] * others
