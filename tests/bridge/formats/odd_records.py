"""A record of each format, and odd values for each of its fields."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from random import Random

from bridge.board import TEXTS
from bridge.formats.pbn.tokens import USED_TAGS
from bridge.layout import Layout
from tests.bridge.formats import rbn_files
from tests.bridge.formats.dealing_files import bri_cards, dge_diagram, dlm_letters
from tests.bridge.formats.reading import CARDS
from tests.bridge.formats.test_archives import pack
from tests.bridge.formats.usebio_files import hands

Values = Mapping[str, str | None]

ODD = (
    *("", " ", "#", "##x", "-", "?", ":", "X:", "N:- - - -", "O", "^N", "*", "+", "=1=", "0", "-1", "1.5", "14", "12"),
    *("9" * 5000, "1/2", "NaN", "1e999", "²", "٣", "ß", "♠A", "AKQ", "AP", "NS 9", "A60-40", "%", "a;b", "a b", "\\"),
    *("\n", "|", ",,,,", "&#0;", "é" * 300),
)
"""What no program should write. Each of them looks like what another field has, or like a sign of some format."""


@dataclass(frozen=True, slots=True)
class Form:
    """The fields of a record with sound values, and how the format writes them. A field that is None is left out."""

    fields: Mapping[str, str]
    write: Callable[[dict[str, str]], bytes]

    def make(self, odd: Values) -> bytes:
        values = {**self.fields, **odd}
        return self.write({name: value for name, value in values.items() if value is not None})

    def odd_values(self, together: int) -> Iterator[Values]:
        """Yield each odd value for each field, then so many times odd values for some fields together."""
        odd, names = (*ODD, None), list(self.fields)
        yield from ({name: value} for name in names for value in odd)
        random = Random("always the same")
        for _ in range(together):
            some = random.sample(names, min(random.randint(2, 4), len(names)))
            yield {name: random.choice(odd) for name in some}


def write_pbn(values: dict[str, str]) -> bytes:
    """Write tags. What stands behind one is a field with a colon, and that of a table its columns."""
    return "".join(f"{text}\n" if name[-1] == ":" else f'[{name} "{text}"]\n' for name, text in values.items()).encode()


def write_tables(values: dict[str, str]) -> bytes:
    """Write the tags, a ScoreTable and a TotalScoreTable, each with two rows of the values of its columns."""
    tables: dict[str, dict[str, str]] = {"ScoreTable": {}, "TotalScoreTable": {}, "": {}}
    for name, value in values.items():
        table, _, column = name.rpartition(" ")
        tables[table][column] = value
    tags = tables.pop("")
    text = write_pbn(tags).decode()
    for name, row in tables.items():
        cells = " ".join(f'"{value}"' if " " in value or not value else value for value in row.values())
        text += f'[{name} "{";".join(row)}"]\n{cells}\n{cells}\n'
    return text.encode()


def write_usebio(values: dict[str, str]) -> bytes:
    def say(*names: str) -> str:
        return "".join(f"<{name}>{escape(values[name])}</{name}>" for name in names if name in values)

    ids = "".join(f' {name}="{escape(values[name])}"' for name in USEBIO_IDS if name in values)
    cards = HANDS.replace("<SPADES>AKQJ</SPADES>", say("SPADES")).replace("North", values.get("DIRECTION", ""))
    places = f"<PAIR>{say(*USEBIO_PLACES)}</PAIR>"
    board = f"<BOARD>{say('BOARD_NUMBER', 'VULNERABILITY')}{{}}</BOARD>"
    tables = f"<TRAVELLER_LINE>{say(*USEBIO_TABLE)}</TRAVELLER_LINE>"
    event = f"<EVENT{ids}>{say(*USEBIO_EVENT)}<PARTICIPANTS>{places}</PARTICIPANTS><SESSION{ids}><SECTION{ids}>{{}}"
    text = event.format(board.format(tables)) + "</SECTION></SESSION></EVENT>"
    return f"<USEBIO>{text}<HANDSET>{board.format(cards)}</HANDSET></USEBIO>".encode()


def escape(text: str) -> str:
    return text.replace("&", "&amp;")


USEBIO_IDS = ("EVENT_TYPE", "SESSION_ID", "SECTION_ID", "TEAM_ID", "TEAM_NAME")
USEBIO_EVENT = ("EVENT_DESCRIPTION", "DATE", "VENUE", "SCORING_METHOD", "ROUND_NUMBER", "WINNER_TYPE", "TEAM")
USEBIO_PLACES = ("PAIR_NUMBER", "PLACE", "TOTAL_SCORE", "PERCENTAGE", "BOARDS_PLAYED", "DIRECTION")
USEBIO_TABLE = (
    *("NS_PAIR_NUMBER", "EW_PAIR_NUMBER", "CONTRACT", "PLAYED_BY", "LEAD", "TRICKS", "SCORE"),
    *("NS_MATCH_POINTS", "EW_MATCH_POINTS", "ARTIFICIAL_SCORE"),
)
USEBIO = dict.fromkeys(
    (*USEBIO_IDS, *USEBIO_EVENT, *USEBIO_PLACES, *USEBIO_TABLE, "BOARD_NUMBER", "VULNERABILITY"), "1"
)
LAYOUT, HANDS = Layout(CARDS), hands()
NORTH, EAST, SOUTH, WEST = ("AKQJ.T98.765.432", "T987.765.432.AKQ", "654.32.AKQJ.T987", "32.AKQJ4.T98.J65")
PLAYED = {"Contract": "1NT", "Declarer": "N", "Result": "7", "Score": "90"}
BOARD = {"Event": "Friday", "Date": "2026.11.20", "Board": "7", "Deal": CARDS, "Dealer": "N", "Vulnerable": "None"}

FORMS = {
    "PBN: a deal": Form(BOARD, write_pbn),
    "PBN": Form(
        dict.fromkeys(sorted(USED_TAGS), "")
        | {text.tag: text.example for text in TEXTS.values()}
        | BOARD
        | PLAYED
        | {
            "Auction": "N",
            "Auction:": "1NT =1= Pass Pass Pass",
            "Note": "1:balanced",
            "Play": "E",
            "Play:": "ST SA S4 S2",
        },
        write_pbn,
    ),
    "PBN: tables": Form(
        {**BOARD, "Section": "A", "Declarer": "N"}
        | {f"ScoreTable {name}": value for name, value in {"Section": "A", "Table": "3", **PLAYED}.items()}
        | {
            f"ScoreTable {name}_{side}": "3"
            for name in ("PairId", "Score", "MP", "Percentage")
            for side in ("NS", "EW")
        }
        | {"ScoreTable Lead": "ST", "ScoreTable Multiplicity": "1", "ScoreTable Names": "x"}
        | {
            f"TotalScoreTable {name}": "1" for name in ("Rank", "PairId", "Section", "Direction", "NrBoards", "TotalMP")
        },
        write_tables,
    ),
    "LIN": Form(
        {
            "vg": "Cup,Final,I,1,2,A,0,B,0",
            "qx": "o7",
            "pn": "a,b,c,d",
            "ah": "Board 7",
            "sv": "o",
            "mb": "1N",
            "an": "x",
        }
        | {"md": "1S654H32DAKQJCT987,S32HAKQJ4DT98CJ65,SAKQJHT98D765C432,", "mb|p|mb|p|mb": "p", "pc": "ST", "mc": "7"}
        | {"nt": "x", "rs": "1NN="},
        lambda values: "".join(f"{name}|{value}|" for name, value in values.items()).encode(),
    ),
    "handviewer": Form(
        {"n": "sakqjht98d765c432", "e": "st987h765d432cakq", "s": "s654h32dakqjct987", "w": "s32hakqj4dt98cj65"}
        | {"d": "n", "v": "o", "b": "7", "a": "1n(x)ppp", "p": "stsas4s2", "lin": ""},
        lambda values: f"?{'&'.join(f'{name}={value}' for name, value in values.items())}\n".encode(),
    ),
    "RBN": Form(
        dict.fromkeys("DTLEFSKNM", "x")
        | {line[0]: line[2:] for line in (rbn_files.HANDS, rbn_files.CALLS, rbn_files.PLAY)}
        | {"B": "7", "C": "1N:N", "R": "9:+150", "1": "x", "I": "x"},
        lambda values: "".join(f"{letter} {value}\n" for letter, value in values.items()).encode(),
    ),
    "USEBIO": Form(
        USEBIO | {"SPADES": "AKQJ", "CONTRACT": "1N", "PLAYED_BY": "N", "LEAD": "ST", "SCORE": "90", "TRICKS": "7"},
        write_usebio,
    ),
    "bare deals": Form(
        {"seat": "N", "north": NORTH, "east": EAST, "south": SOUTH, "west": WEST},
        lambda values: f"{values.pop('seat', '')}:{' '.join(values.values())}\n".encode(),
    ),
    "DLM": Form(
        {
            "From board": "7",
            "To board": "7",
            "Crypto key": "0",
            "Board 07": f"{dlm_letters(LAYOUT)}042",
            "Board 8": "a",
        },
        lambda values: ("[Document]\n" + "".join(f"{name}={value}\n" for name, value in values.items())).encode(),
    ),
    "DUP": Form(
        {"cards": bri_cards(LAYOUT).decode(), "diagram": dge_diagram(LAYOUT).decode(), "random": "YN", "first": "1  "}
        | {"copies": "0 ", "last": "1  "},
        lambda values: "".join(values.values()).encode("utf-8"),
    ),
    "BRI": Form(
        {"first": bri_cards(LAYOUT).decode()[:2], "rest": bri_cards(LAYOUT).decode()[2:], "filler": " " * 50},
        lambda values: "".join(values.values()).encode(),
    ),
    "DGE": Form(
        {"north": dge_diagram(LAYOUT).decode()[:17], "rest": dge_diagram(LAYOUT).decode()[17:], "filler": "\0" * 60},
        lambda values: "".join(values.values()).encode(),
    ),
    "ZIP": Form(
        {"name": "a.pbn", "content": f'[Deal "{CARDS}"]'},
        lambda values: pack((f"x{values.get('name', '')}", values.get("content", "").encode()), ("b.pbn", b"[Board]")),
    ),
}
"""By the name of a format; what stands behind a colon is another record of the same format."""
