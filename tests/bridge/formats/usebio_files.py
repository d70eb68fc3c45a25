"""Reading USEBIO documents, written in the tests themselves."""

from bridge.board import BoardRecord
from bridge.formats.usebio.reader import read_usebio
from bridge.layout import Layout
from bridge.seats import Seat
from tests.bridge.formats.reading import CARDS, Reading

READING = Reading(read_usebio)
SUITS = ("SPADES", "HEARTS", "DIAMONDS", "CLUBS")
TABLE = (
    "<NS_PAIR_NUMBER>1</NS_PAIR_NUMBER><EW_PAIR_NUMBER>4</EW_PAIR_NUMBER>\n"
    "<CONTRACT>2Sx</CONTRACT>\n<PLAYED_BY>N</PLAYED_BY>\n<LEAD>AC</LEAD>\n<TRICKS>9</TRICKS>\n<SCORE>870</SCORE>"
)
EVENT = (
    "<EVENT_DESCRIPTION>Monday pairs</EVENT_DESCRIPTION><DATE>03/11/2025</DATE>"
    "<BOARD_SCORING_METHOD>MATCH_POINTS</BOARD_SCORING_METHOD>"
    "<CONTACT><FULL_NAME>Person Contact</FULL_NAME></CONTACT>"
    "<PARTICIPANTS><PAIR><PAIR_NUMBER>1</PAIR_NUMBER>"
    "<PLAYER><PLAYER_NAME>Person One</PLAYER_NAME></PLAYER></PAIR></PARTICIPANTS>"
)


def hands(cards: str = CARDS, names: tuple[str, ...] = ("North", "East", "South", "West")) -> str:
    layout = Layout.parse(cards)
    return "".join(
        f"<HAND><DIRECTION>{name}</DIRECTION>"
        + "".join(f"<{suit}>{ranks}</{suit}>" for suit, ranks in zip(SUITS, hand.split("."), strict=True))
        + "</HAND>"
        for name, hand in zip(names, layout.hands, strict=True)
    )


def hand_set(cards: str = CARDS, number: str = "7") -> str:
    return f"<HANDSET><BOARD><BOARD_NUMBER>{number}</BOARD_NUMBER>{hands(cards)}</BOARD></HANDSET>\n"


def board(*tables: str, number: str = "7", more: str = "") -> str:
    lines = "\n".join(f"<TRAVELLER_LINE>{table}</TRAVELLER_LINE>" for table in tables)
    return f"<BOARD>\n<BOARD_NUMBER>{number}</BOARD_NUMBER>{more}\n{lines}</BOARD>\n"


def document(event: str, around: str = "", declaration: str = '<?xml version="1.0"?>') -> str:
    """Return a document with one event, and `around` it what stands behind it, such as the hands."""
    return (
        f'{declaration}\n<!DOCTYPE USEBIO SYSTEM "http://usebio.invalid/usebio_v1_2.dtd">\n<USEBIO Version="1.2">'
        f"<CLUB><CLUB_NAME>Delft bridge</CLUB_NAME></CLUB>\n"
        f'<EVENT EVENT_TYPE="PAIRS">{EVENT}\n{event}</EVENT>\n{around}</USEBIO>\n'
    )


WHOLE = document(board(TABLE), hand_set())


def usebio(record: BoardRecord) -> str:
    """Write a record as far as USEBIO can say it; a contract without a declarer is none."""
    contract = record.contract
    parts = {
        "CONTRACT": contract.text.replace("X", "x") if contract else "",
        "PLAYED_BY": contract.declarer if contract else None,
        "LEAD": record.opening_lead[::-1],
        "TRICKS": record.tricks,
    }
    table = "".join(f"<{name}>{'' if value is None else value}</{name}>" for name, value in parts.items())
    sides = {"NS": "North-South", "EW": "East-West"}
    vulnerability = sides.get(record.vulnerability, record.vulnerability)
    more = f"<VULNERABILITY>{vulnerability}</VULNERABILITY>{hands(record.layout.pbn(Seat.NORTH))}"
    return document(board(*[table][: contract is not None], number=str(record.board_number or ""), more=more))


PIECES = [
    *("<USEBIO>", "</USEBIO>", "<EVENT>", "</EVENT>", "<BOARD>", "</BOARD>", "<HANDSET>", "</HANDSET>"),
    *("<TRAVELLER_LINE>", "</TRAVELLER_LINE>", "<x>", "</x>", "<CONTRACT>3N</CONTRACT>", "<!--", "-->"),
    *("<![CDATA[", "]]>", "&", "&amp;", "&#0;", "&eacute;", "<!DOCTYPE USEBIO [", "]>", '<!ENTITY a "b">'),
    *("<BOARD_NUMBER>", "</BOARD_NUMBER>", "7", hands(), TABLE, "\0", "é", "\n", "<TEAM>", "</TEAM>"),
]
"""What a file of this kind is made of, for tests that put it together at random."""
