"""Any bytes are records and errors, never an exception."""

from urllib.parse import quote
from zipfile import ZIP_STORED

from hypothesis import given, note
from hypothesis import strategies as st

from deals.bridge.formats.bare_deals import read_bare_deals
from deals.bridge.formats.files import read_boards
from deals.bridge.formats.handviewer import read_handviewer
from deals.bridge.layout import Layout
from tests.deals.bridge.formats import dealing_files, rbn_files, usebio_files
from tests.deals.bridge.formats.lin import files as lin_files
from tests.deals.bridge.formats.pbn import files as pbn_files
from tests.deals.bridge.formats.reading import Reading
from tests.deals.bridge.formats.test_archives import pack
from tests.deals.bridge.moderate import moderate

LAYOUT = Layout(pbn_files.CARDS)
DEALS = [f"{LAYOUT.cards}\n", "N:- - - -\n", "N:", "AKQJ.T98.765.432 ", "-", "\n", "x"]
LINKS = [
    *(
        "?", "lin=", "n=", "&e=", "&a=1n", "&p=", "&d=n", "%", "%7C", "+", "sakq", "(x)", "{", "!", "\n",
        "é", "\0",
    ),
    f"?lin={quote(lin_files.PLAYED)}",
    "n=sakqjht98d765c432&s=s654h32dakqjct987&w=s32hakqj4dt98cj65",
]  # fmt: skip
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
    "pbn": (pbn_files.READING, pbn_files.PIECES),
    "lin": (lin_files.READING, lin_files.PIECES),
    "rbn": (rbn_files.READING, rbn_files.PIECES),
    "usebio": (usebio_files.READING, usebio_files.PIECES),
    "bare deals": (Reading(read_bare_deals), DEALS),
    "handviewer": (Reading(read_handviewer), LINKS),
    "dlm": (dealing_files.DLM, DLM),
    "dup": (dealing_files.DUP, BINARY),
    "bri": (dealing_files.BRI, BINARY),
    "dge": (dealing_files.DGE, BINARY),
    "any": (
        Reading(read_boards),
        [*ZIP, *DLM, *BINARY, *LINKS, *DEALS, *rbn_files.PIECES, *usebio_files.PIECES, *OTHERS],
    ),
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
