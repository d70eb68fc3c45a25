"""The worst files for each regular expression and each loop of the readers, in any size."""

from collections.abc import Callable
from dataclasses import dataclass

from bridge.formats.files import FileFormat

DEAL = b'[Deal "N:AKQJ.T98.765.432 T987.765.432.AKQ 654.32.AKQJ.T987 32.AKQJ4.T98.J65"]'
TABLE_OF_SCORES = DEAL + b'[ScoreTable "%s"]\n'
PLAYED = DEAL + b'[Dealer "N"][Contract "1NT"][Declarer "N"]'
BARE = DEAL[7:-2] + b"\n"
MD = b"md|1S654H32DAKQJCT987,S32HAKQJ4DT98CJ65,SAKQJHT98D765C432,|"
LINK = b"?n=sakqjht98d765c432&s=s654h32dakqjct987&w=s32hakqj4dt98cj65"
RBN = b"H N:AKQJ.T98.765.432:T987.765.432.AKQ:654.32.AKQJ.T987:\n"
HELD = b"% RBN\nE " + b"e" * 250 + b"\nT " + b"t" * 250 + b"\n" + RBN
DLM = b"[Document]\nFrom board=1\nTo board=99\n"
COMPOSER = b"%BCA\n" + DEAL + b"\n{"
EVENT = b"<USEBIO><EVENT>"
NUMBER = b"<BOARD_NUMBER>1</BOARD_NUMBER>"
TABLE = b"<TRAVELLER_LINE><CONTRACT>3NTx</CONTRACT><PLAYED_BY>N</PLAYED_BY><TRICKS>9</TRICKS></TRAVELLER_LINE>"
TABLE_OF_BOARD = b"<BOARD>" + NUMBER + b"<TRAVELLER_LINE><CONTRACT>1N</CONTRACT></TRAVELLER_LINE></BOARD>"
PLACE = b"<PAIR><PAIR_NUMBER>1</PAIR_NUMBER><PLACE>1</PLACE></PAIR>"
OF_HANDS, OF_EVENT, END = b"<USEBIO><HANDSET>", b"</HANDSET><EVENT>", b"</EVENT></USEBIO>"
HANDS = b"".join(
    b"<HAND><DIRECTION>%s</DIRECTION><SPADES>%s</SPADES><HEARTS>%s</HEARTS><DIAMONDS>%s</DIAMONDS><CLUBS>%s</CLUBS></HAND>"
    % (seat, *hand.split(b"."))
    for seat, hand in zip((b"N", b"E", b"S", b"W"), DEAL[9:-2].split(b" "), strict=True)
)

ONE_SUIT_EACH = b'[Deal "N:AKQJT98765432... .AKQJT98765432.. ..AKQJT98765432. ...AKQJT98765432"]'
LEAD = b'[Dealer "N"][Contract "1NT"][Declarer "N"][Play "E"]\n'
DECK = b" ".join(b"%c%c" % (suit, rank) for rank in b"AKQJT98765432" for suit in b"HDCS")
PLAY_OF_NOTES = ONE_SUIT_EACH + LEAD + DECK.replace(b" ", b" =1= ") + b" =1=\n"


@dataclass(frozen=True, slots=True)
class HostileFile:
    """A file of about so many bytes. From `least` bytes on it shows what is bad in it."""

    make: Callable[[int], bytes]
    least: int = 4_000


def repeated(unit: bytes, head: bytes = b"", tail: bytes = b"") -> HostileFile:
    return HostileFile(lambda size: head + unit * ((size - len(head) - len(tail)) // len(unit)) + tail)


def twofold(
    head: bytes, unit: bytes, between: bytes, other: bytes, tail: bytes = b"", *, part: float = 0.5
) -> HostileFile:
    """Return a file of two repetitions, for what may be read again with each of something else.

    `part` of it is the first: less than half the file is enough of what is dear to read.
    """

    def make(size: int) -> bytes:
        first = round(size * part)
        return head + unit * (first // len(unit)) + between + other * ((size - first) // len(other)) + tail

    return HostileFile(make, least=60_000 if part > 0.5 else 8_000)


def counted(unit: bytes, head: bytes = b"", tail: bytes = b"") -> HostileFile:
    """Return a file whose every unit has another number."""

    def make(size: int) -> bytes:
        return head + b"".join(unit % number for number in range(size // (len(unit) + 2))) + tail

    return HostileFile(make)


def make_notes_of_cards(size: int) -> bytes:
    """Return a whole play each of whose cards has all of so many notes."""
    count = size // (52 * 6 + 110)
    references = b"".join(b" =%d=" % number for number in range(count))
    notes = b"".join(b'[Note "%d:%d %s"]\n' % (number, number, b"x" * 90) for number in range(count))
    return ONE_SUIT_EACH + LEAD + DECK.replace(b" ", references + b" ") + references + b"\n" + notes


def make_long_texts(size: int) -> bytes:
    names = b"Event Site Date Scoring Description Stage HomeTeam".split()
    return DEAL + b"".join(b'[%s "%s"]\n' % (name, b"x" * (size // 8)) for name in names)


def make_defined_attributes(size: int) -> bytes:
    attributes = b"".join(b'a%d CDATA "" ' % number for number in range(size // 32))
    return b"<!DOCTYPE USEBIO [<!ATTLIST x " + attributes + b">]><USEBIO>" + b"<x/>" * (size // 8)


def recoded(text: bytes) -> HostileFile:
    unit = text.decode().encode("utf-16-le")
    return HostileFile(lambda size: b"\xff\xfe" + unit * (size // len(unit)))


FILES = {
    "letters": repeated(b"x"),
    "NULs": repeated(b"\0"),
    "blank lines": repeated(b"\n"),
    "blank lines with spaces": repeated(b" \r\n"),
    "CRs": repeated(b"\r", DEAL),
    "CR CR LF": repeated(b"\r\r\n", DEAL),
    "UTF-16: blank lines": repeated(b"\n\0", b"\xff\xfe"),
    "UTF-16: half characters": repeated(b"\0\xd8", b"\xff\xfe"),
    "UTF-16: deals": recoded(DEAL + b"\n\n"),
    "UTF-16: half characters without a mark": repeated(b"\0\xd8", b"x\0" * 4),
    "quotes": repeated(b">"),
    "quoted deals": repeated(b"> " + DEAL + b"\n>\n"),
    "quoted blank lines": repeated(b"> \r"),
    "a page": repeated(b"<p>", b"<html>"),
    "blanks before markup": repeated(b" ", tail=b"<x"),
    "JSON: blanks": repeated(b" ", b"{"),
    "JSON: brackets": repeated(b'["', b"["),
    "a table": repeated(b"a,b\n"),
    "an Office document": repeated(b"[Content_Types].xml", b"PK\3\4"),
    "ZIP: entries": repeated(b"PK\1\2", b"PK\3\4"),
    "ZIP: no entries": repeated(b"x", b"PK\3\4", b"PK\5\6" + b"\0" * 18),
    "PBN: tags": repeated(b'[A "x"]\n'),
    "PBN: tags of many names": counted(b'[T%d "x"]\n', DEAL + b"\n"),
    "PBN: tags of one name, each a game": repeated(b'[Deal "x"]\n'),
    "PBN: games of one tag": repeated(b'[Deal "x"]\n\n'),
    "PBN: tags on one line": repeated(b'[A "x"]'),
    "PBN: an unterminated comment": repeated(b"x ", DEAL + b"{"),
    "PBN: lines of an unterminated comment": repeated(b"x\n", DEAL + b"{"),
    "PBN: braces": repeated(b"{", DEAL),
    "PBN: pairs of braces": repeated(b"{}", DEAL),
    "PBN: broken lines of a comment": repeated(b"x" * 201 + b" \n", DEAL + b"\n{", b"}"),
    "PBN: blanks in a comment": repeated(b" ", DEAL + b"\n{", b"}"),
    "PBN: quotes": repeated(b'"', DEAL),
    "PBN: quotes in a value": repeated(b'" ', b'[A "x'),
    "PBN: ends in a value": repeated(b'"] ', b'[A "x', b"x"),
    "PBN: lines with quotes in values": repeated(b'[A "x" y"]\n'),
    "PBN: line ends behind a value": repeated(b"\n", b'[A "x"', b"x"),
    "PBN: backslashes": repeated(b"\\", b'[A "'),
    "PBN: backslashes at the ends of lines": repeated(b'"\\\n', b'[A "'),
    "PBN: brackets": repeated(b"[ "),
    "PBN: a bracket and blanks": repeated(b" \n", DEAL + b"["),
    "PBN: a long name": repeated(b"a", DEAL + b"["),
    "PBN: escape lines": repeated(b"%\n", DEAL),
    "PBN: escape lines of a word": repeated(b"% word\n"),
    "PBN: semicolons": repeated(b";\n", DEAL),
    "PBN: games of one letter": repeated(b"x\n\n", DEAL + b"\n\n"),
    "PBN: lines of blanks": repeated(b"x\n \n", DEAL + b"\n\n"),
    "PBN: vertical tabs": repeated(b"\v\n", DEAL),
    "PBN: comments that begin in games": repeated(b'[Event "x"]\n{'),
    "PBN: tags given twice": repeated(b'[Result "7"]\n', PLAYED),
    "PBN: tags given with many values": counted(b'[Result "%d"]\n', PLAYED),
    "PBN: plays given twice": twofold(PLAYED + b'[Play "E"]', b" ", b"\n", b'[Play "E"]\n'),
    "PBN: words of all pass": repeated(b"All Pass ", PLAYED + b'[Auction "N"]'),
    "PBN: calls": repeated(b"Pass ", PLAYED + b'[Auction "N"]'),
    "PBN: calls of small games": repeated(DEAL + b'[Auction "N"]' + b" Pass" * 400 + b"\n\n"),
    "PBN: a play without end": repeated(b" -", PLAYED + b'[Play "E"]'),
    "PBN: ends of a play": repeated(b"* ", PLAYED + b'[Play "E"]'),
    "PBN: glyphs": repeated(b" $1", PLAYED + b'[Play "E"]\nSA'),
    "PBN: glyphs of many numbers": counted(b" $%d", PLAYED + b'[Play "E"]\nST'),
    "PBN: signs of notes": repeated(b"= ", PLAYED + b'[Auction "N"]'),
    "PBN: signs of irregularities": repeated(b"^ ", PLAYED + b'[Auction "N"]'),
    "PBN: notes": counted(b'[Note "%d:x"]\n', PLAYED + b'[Auction "N"]1C\n'),
    "PBN: a card with a long note, often": twofold(PLAYED + b'[Play "E"]\nST', b" =1=", b'\n[Note "1:', b"x", b'"]\n'),
    "PBN: a long note of every card": repeated(b"x", PLAY_OF_NOTES + b'[Note "1:\xc3\xa9', b'"]\n'),
    "PBN: many notes of every card": HostileFile(make_notes_of_cards),
    "PBN: all long texts": HostileFile(make_long_texts),
    "PBN: statistics": repeated(b"Generated 1 hands\n", DEAL + b"\n"),
    "PBN: texts behind statistics": repeated(b"x\n\n", DEAL + b"\n\nTime needed\n\n"),
    "PBN: blanks before statistics": repeated(b" \n ", DEAL + b"\nx"),
    "PBN: deals": repeated(DEAL + b"\n\n"),
    "PBN: a long header of games": twofold(b'[Board "##', b"x", b'"]\n\n', DEAL + b"\n\n", part=0.9),
    "PBN: a long text that games take": twofold(
        DEAL + b'[Board "', b"x", b'"]\n\n', b'[Board "#"][Deal "-"]\n\n', part=0.9
    ),
    "PBN: tables of a long text": twofold(DEAL + b'[Event "', b"x", b'"]\n\n', b'[Result "9"][Play "-"]\n\n', part=0.9),
    "PBN: tables of a long deal": twofold(b'[Deal "', b" ", DEAL[7:] + b"\n\n", b'[Auction "N"]\n\n', part=0.9),
    "BridgeComposer: titles": repeated(b"%HRTitleEvent x\n", tail=DEAL),
    "BridgeComposer: a title of each game": repeated(b'[A ""]\n\n', b"%HRTitleEvent " + b"x" * 220 + b"\n"),
    "PBN: rows of a score table": repeated(b"Pass\n", TABLE_OF_SCORES % b"Contract"),
    "PBN: rows that cannot be read": repeated(b"x y\n", TABLE_OF_SCORES % b"Contract"),
    "PBN: rows beside a contract": repeated(b"1N N\n", PLAYED + TABLE_OF_SCORES[len(DEAL) :] % b"Contract;Declarer"),
    "PBN: quotes in a row": repeated(b'"x', TABLE_OF_SCORES % b"Contract;Names"),
    "PBN: values of a row": repeated(b"x ", TABLE_OF_SCORES % b"Contract;Names"),
    "PBN: rows of many columns": twofold(DEAL + b'[ScoreTable "Contract', b";Names", b'"]\n', b"Pass\n", part=0.5),
    "PBN: rows of a ranking": repeated(b"1 1\n", DEAL + b'[TotalScoreTable "Rank;PairId"]\n'),
    "PBN: rankings": repeated(b'[Event "x"][TotalScoreTable "Rank;PairId"]\n1 1\n\n'),
    "PBN: a ranking of many columns": twofold(DEAL + b'[TotalScoreTable "Rank;PairId', b";MP", b'"]\n', b"1 1\n"),
    "PBN: rows of a long deal": twofold(
        b'[Deal "', b" ", DEAL[7:] + TABLE_OF_SCORES[len(DEAL) :] % b"Contract", b"AP\n"
    ),
    "BridgeComposer: tags": repeated(b"<a ", COMPOSER, b"}"),
    "BridgeComposer: line breaks": repeated(b"<br ", COMPOSER, b"}"),
    "BridgeComposer: a line break and blanks": repeated(b" ", COMPOSER + b"<br", b"}"),
    "BridgeComposer: entities": repeated(b"&" + b"a" * 32, COMPOSER, b"}"),
    "BridgeComposer: digits of a character": repeated(b"1", COMPOSER + b"&#", b";}"),
    "BridgeComposer: suits": repeated(b"\\S", COMPOSER, b"}"),
    "LIN: bars": repeated(b"|", b"pn|"),
    "LIN: bars and blanks": repeated(b"| \t"),
    "LIN: a bar and blanks": repeated(b" ", b"|", b"qx|"),
    "LIN: tags": repeated(b"qx|"),
    "LIN: lines": repeated(b"pn|\n"),
    "LIN: lines of a value": repeated(b"\n", MD + b"ah|x|"),
    "LIN: broken lines": repeated(b"mb|1\nN|", MD),
    "LIN: broken lines of a value": repeated(b"x\n", MD + b"mb|"),
    "LIN: broken names": repeated(b"m\nb|", MD),
    "LIN: broken words": repeated(b"a ", MD + b"mb|1\nN|nt|"),
    "LIN: blanks in a broken table": repeated(b" ", MD + b"mb|1\nN|a", b"|"),
    "LIN: comment lines": repeated(b"%\n", MD),
    "LIN: signs of comments": repeated(b"%", MD + b"nt|"),
    "LIN: comments before it": repeated(b"|%\n", tail=MD),
    "LIN: statistics": repeated(b"Generated 1 hands\n", MD),
    "LIN: tables": repeated(b"qx|o1|md|1|"),
    "LIN: boards": repeated(b"qx|o1|" + MD + b"\n"),
    "LIN: tags of calls": repeated(b"mb|p|", MD),
    "LIN: calls in a tag": repeated(b"p", MD + b"mb|", b"|"),
    "LIN: blanks behind a call": repeated(b" ", MD + b"mb|p", b"x|"),
    "LIN: cards in a tag": repeated(b"SA", MD + b"pc|", b"|"),
    "LIN: explanations": repeated(b"qx|o1|" + MD + b"mb|1C|" + b"an|x|" * 9),
    "LIN: notes with bars": repeated(b"a|", MD + b"nt|"),
    "LIN: escapes": repeated(b"!S&#124;", MD + b"nt|", b"|"),
    "LIN: suits of a hand": repeated(b"S", b"md|1"),
    "LIN: blanks in a hand": repeated(b" ", b"md|1S", b"x|"),
    "LIN: zeros of a number": repeated(b"0", MD + b"ah|Board ", b"x|"),
    "LIN: letters of a heading": repeated(b"w", MD + b"ah|", b"|"),
    "LIN: a long header of tables": twofold(b"vg|", b'"', b"|\n", b"qx|o1|" + MD + b"\n", part=0.9),
    "LIN: tables of a long deal": twofold(b"qx|o1|" + MD[:5], b" ", MD[5:] + b"\n", b"qx|o1|mb|p|\n", part=0.9),
    "LIN: tables of a long hand": twofold(b"qx|o1|" + MD[:5], b"S", MD[5:] + b"\n", b"qx|o1|mb|p|\n"),
    "LIN: tables of a long vulnerability": twofold(b"qx|o1|" + MD + b"sv|o", b"X", b"|\n", b"qx|o1|mb|p|\n", part=0.9),
    "RBN: deals": repeated(b"H N:\n\n"),
    "RBN: held texts before each record": HostileFile(repeated(b"C 1N:N\n\n", HELD).make, least=2_000),
    "RBN: blank lines between records": repeated(b"\n", b"H N:\n", b"H N:"),
    "RBN: cards": repeated(b"SA2", HELD + b"P "),
    "RBN: notes of a card": repeated(b"SA^1", RBN + b"P "),
    "RBN: calls": repeated(b"P", RBN + b"A N:"),
    "RBN: plays of a long auction": twofold(RBN + b"A N:", b"P", b"\n", b"P S\n"),
    "RBN: plays of a long contract": twofold(RBN + b"C ", b":", b"\n", b"P S\n"),
    "RBN: contracts": repeated(b"C 1N:N\n", RBN),
    "RBN: texts": repeated(b"{x\n", RBN),
    "RBN: notes": repeated(b"0 x\n", RBN),
    "RBN: colons": repeated(b":", RBN + b"E "),
    "RBN: blanks behind a label": repeated(b" ", RBN + b"E", b"\n"),
    "RBN: blanks before it": repeated(b" ", tail=b"% RBN\nH N:"),
    "links: parameters": repeated(b"&p=", LINK),
    "links: names of parameters": repeated(b"&p" + b"a" * 40, LINK),
    "links: places in the play": repeated(b"#1", LINK),
    "links: digits of a place": repeated(b"1", LINK + b"#", b"x"),
    "links: lines": repeated(b"?n=s\n"),
    "links: no parameters": repeated(b"?aaaaaaaaa", LINK + b"\n"),
    "links: letters of an address": repeated(b"x", tail=b"handviewer.html?"),
    "links: calls": repeated(b"p", LINK + b"&a="),
    "links: brackets": repeated(b"(", LINK + b"&a=1n"),
    "links: brackets in brackets": repeated(b"(a)", LINK + b"&a=1n("),
    "links: commas in an auction": repeated(b",", LINK + b"&a="),
    "links: braces": repeated(b"{", LINK + b"&p="),
    "links: per cent": repeated(b"%", LINK + b"&a="),
    "links: codes": repeated(b"%41", LINK + b"&a="),
    "links: old codes": repeated(b"%u0041", LINK + b"&a="),
    "links: digits of a number": repeated(b"1", LINK + b"&b="),
    "links: tables": repeated(b"qx|o1|" + MD, b"?lin="),
    "USEBIO: openings of CDATA": repeated(b"<![CDATA[", b"<USEBIO>"),
    "USEBIO: brackets in CDATA": repeated(b"]", b"<USEBIO><![CDATA["),
    "USEBIO: sections of CDATA": repeated(b"<![CDATA[x]]>", EVENT + b"<DATE>", b"</DATE></EVENT></USEBIO>"),
    "USEBIO: references": repeated(b"&x;&", b"<USEBIO>"),
    "USEBIO: digits of references": repeated(b"&#1", b"<USEBIO>"),
    "USEBIO: letters of a reference": repeated(b"a", b"<USEBIO>&", b";</USEBIO>"),
    "USEBIO: elements": repeated(b"\n<x/>", b"<USEBIO>", b"</USEBIO>"),
    "USEBIO: depth": repeated(b"<x>", b"<USEBIO>"),
    "USEBIO: one text": repeated(b"x", EVENT + b"<DATE>", b"</DATE></EVENT></USEBIO>"),
    "USEBIO: attributes": counted(b'a%d="" ', b"<USEBIO ", b"/>"),
    "USEBIO: attributes that are defined": HostileFile(make_defined_attributes),
    "USEBIO: names in a definition": repeated(b"a,", b"<!DOCTYPE USEBIO [<!ELEMENT a (", b"b)>]><USEBIO/>"),
    "USEBIO: brackets in a definition": repeated(b"(", b"<!DOCTYPE USEBIO [<!ELEMENT a ", b">]><USEBIO/>"),
    "USEBIO: an entity": repeated(b"a", b'<!DOCTYPE USEBIO [<!ENTITY a "', b'">]><USEBIO>&a;</USEBIO>'),
    "USEBIO: comments": repeated(b"<!-- x -->", b"<USEBIO>"),
    "USEBIO: openings of a comment": repeated(b"<!--", b"<USEBIO>"),
    "USEBIO: instructions": repeated(b"<?a b?>", b"<USEBIO>"),
    "USEBIO: declarations before it": repeated(b"<?a ", tail=b"<USEBIO/>"),
    "USEBIO: pairs": repeated(b"<PAIR/>", EVENT + b"<PARTICIPANTS>", b"</PARTICIPANTS></EVENT></USEBIO>"),
    "USEBIO: places": repeated(PLACE, EVENT + b"<PARTICIPANTS>", b"</PARTICIPANTS></EVENT></USEBIO>"),
    "USEBIO: rankings": repeated(b"<PARTICIPANTS><PAIR>" + PLACE[6:] + b"</PARTICIPANTS>", EVENT, b"</EVENT></USEBIO>"),
    "USEBIO: tables": repeated(b"<TRAVELLER_LINE/>", EVENT + b"<BOARD>"),
    "USEBIO: tables of a deal": repeated(TABLE, EVENT + b"<BOARD>" + NUMBER + HANDS, b"</BOARD></EVENT></USEBIO>"),
    "USEBIO: tables of a long number": twofold(
        EVENT + b"<BOARD><BOARD_NUMBER>", b"1", b"</BOARD_NUMBER>", b"<TRAVELLER_LINE/>", b"</BOARD>" + END
    ),
    "USEBIO: boards and deals of one number": twofold(
        OF_HANDS, b"<BOARD>" + NUMBER + b"</BOARD>", OF_EVENT, TABLE_OF_BOARD, END
    ),
    "USEBIO: boards of a deal with many hands": twofold(
        OF_HANDS + b"<BOARD>" + NUMBER, b"<HAND/>", b"</BOARD>" + OF_EVENT, TABLE_OF_BOARD, END
    ),
    "deals alone": repeated(BARE),
    "deals alone: no deals": repeated(b"N:\n", BARE),
    "deals alone: blanks": repeated(b" ", BARE + b"N:"),
    "deals alone: statistics": repeated(b"Time needed\n", BARE),
    "deals alone: tens": repeated(b"10", BARE + b"N:"),
    "DLM: boards": repeated(b"Board 1=a\n", DLM),
    "DLM: blanks of a board": repeated(b" ", DLM + b"Board", b"x\n"),
    "DLM: zeros of a board": repeated(b"0", DLM + b"Board 1", b" \n"),
    "DLM: zeros and blanks of a board": twofold(DLM + b"Board ", b"0", b"", b" ", b"x\n"),
    "DLM: blanks of a field": repeated(b" ", DLM + b"To board=1", b"x\n"),
    "DLM: blanks before a field": repeated(b" ", DLM, b"x\n"),
    "DUP": repeated(b"01" * 39 + b" " * 78),
    "BRI": repeated((b"%02d" * 39 % tuple(range(1, 40))).ljust(128)),
    "DGE": repeated((b"\6AKQJT98765432\3\4\5" * 4).ljust(128)),
}


def format_of(name: str) -> FileFormat | None:
    """Return the format that the reader is told: the beginnings of some files of LIN tell none."""
    return FileFormat.LIN if name.startswith("LIN") else None
