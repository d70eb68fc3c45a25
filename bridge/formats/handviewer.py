"""Links to the hand viewer of Bridge Base Online. A file of them, one a line, is turned into LIN and read as such.

A link holds either a whole table (`lin=`) or its parts, which bridgebase.com/tools/hvdoc.html describes: the hands
(`n`, `e`, `s`, `w`), dealer (`d`), vulnerability (`v`), board number (`b`), auction (`a`) and play (`p`). In `a` a call
is alerted by "!" and explained in round brackets; texts in braces are shown beside it. Players' names (`nn` …) are
dropped.
"""

import re
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from urllib.parse import quote, unquote_to_bytes

from bridge.auction import MAX_CALLS, Auction, Call
from bridge.board import BoardRecord
from bridge.errors import BridgeError, NotationError
from bridge.formats.guard import read_each
from bridge.formats.lin.reader import read_lin
from bridge.formats.lin.tokens import LIN_SEATS
from bridge.formats.lin.writer import write_lin
from bridge.formats.outcomes import Check, Outcome, RecordError, place
from bridge.formats.raw_records import Blocks, RawRecord, decode_text, read_lines

ADDRESS = "https://www.bridgebase.com/tools/handviewer.html?lin="

MAX_LINK_LENGTH = 2500
"""The limit of a link that is written, in characters: the headers of a redirect have room for it."""

LINK = re.compile(
    rb"""\s*+["'<]?(?:[^\r\n]*?handviewer\.html\?
    | (?:https?:)?//[^\r\n]*?[?&](?:lin|[nesw])=
    | \??(?:bbo|lin|[neswdvba])=)""",
    re.IGNORECASE | re.VERBOSE,
)
"""What such a file begins with."""

_QUERY = re.compile(r"(?:^|[?&])(?=[a-z]{1,8}=)", re.IGNORECASE)
_NEXT = re.compile(r"&(?=(?:[a-z]{1,8}|p[a-z0-9_%+ -]{1,40})=)", re.IGNORECASE)
"""A parameter begins. Bridge Hand Player adds further lines of play, each as `p` followed by a name."""

_PLACE_IN_PLAY = re.compile(r"#[0-9]+\Z")
"""What Bridge Hand Player appends to a link that opens it at one card of the play."""

_CALL = re.compile(
    r"""(?P<call>[1-7](?:NT?|[CDHS])|PASS|RDBL|DBL|XX|[PDXR])\s*(?P<alert>!?)
        (?:\((?P<meaning>(?:[^()]++|\([^()]*+\))*+)\))?      # brackets within brackets, one deep
    | \{(?P<beside>[^{}]*+)\}
    | [\s,]""",
    re.IGNORECASE | re.VERBOSE,
)
_BESIDE = re.compile(r"\{[^{}]*\}?")
_OLD_ESCAPE = re.compile(r"%u(?![Dd][89A-Fa-f])([0-9A-Fa-f]{4})")
_BLANK = re.compile(r"[\s,|]+")


def write_handviewer(record: BoardRecord) -> str:
    """Return the link that shows this board without commentary; one too long without explanations, or hands alone."""
    bare = replace(record, commentary="")
    plain = bare
    if auction := record.auction:
        calls = tuple(Call(call.call, call.alert) for call in auction.calls)
        plain = replace(bare, auction=Auction.from_legal(auction.dealer, calls))
    hands = BoardRecord(record.layout, record.dealer, record.vulnerability, record.board_number)
    links = (ADDRESS + quote(write_lin(each).strip(), safe="") for each in (bare, plain, hands))
    return next(link for link in links if len(link) <= MAX_LINK_LENGTH)


def read_handviewer(blocks: Blocks, check: Check = BoardRecord.check, strict: bool = False) -> Iterator[Outcome]:
    """Yield what comes of the links in order. Parameters are those of `read_pbn`."""
    return read_each(read_lines(blocks), partial(_read_line, check, strict))


def _read_line(check: Check, strict: bool, line: RawRecord, before: int) -> Iterator[Outcome]:
    """Yield the outcomes of a link, after this number of records."""
    try:
        lin = _lin(_parameters(line.text()), line.line)
    except BridgeError as error:
        yield RecordError(before + 1, "", line.line, error.code, error.message)
        return
    no_deal = RecordError(1, "", line.line, "link_without_deal", "The link contains no deal.")
    outcomes = list(read_lin([lin.encode()], check, strict)) or [no_deal]
    for record, outcome in enumerate(outcomes, start=before + 1):
        yield place(outcome, record, lambda remark: {"line": line.line}, line.line)


def _parameters(text: str) -> dict[str, str]:
    """Return the parameters of a link by their names; of those that occur twice the first.

    A "+" is a space, unless the link writes its spaces in another way. Old links write letters as "%u017C".
    """
    text = _PLACE_IN_PLAY.sub("", text.strip().strip("\"'<>")).replace("&amp;", "&")
    start = _QUERY.search(text)
    query = text[start.end() :] if start else ""
    if " " not in query and "%20" not in query:
        query = query.replace("+", " ")
    query = _OLD_ESCAPE.sub(lambda code: chr(int(code[1], base=16)), query)
    parameters: dict[str, str] = {}
    for part in _NEXT.split(query):
        name, _, value = part.partition("=")
        parameters.setdefault(name.lower(), decode_text(unquote_to_bytes(value)).strip())
    return parameters


def _lin(parameters: dict[str, str], line: int) -> str:
    """Return the LIN table of a link; or raise NotationError: `malformed_link` or `link_without_deal`."""
    if parameters.get("lin"):
        return parameters["lin"]
    if any(parameters.get(seat) for seat in "nesw"):
        return "".join(f"{name}|{value}|" for name, value in _tags(parameters))
    if parameters.keys() & {"myhand", "linurl", "lin", "a"}:
        message = "The link contains no deal. If it opens one, save that as a LIN file, and send the file instead."
        raise NotationError("link_without_deal", message, line)
    raise NotationError("malformed_link", "This is not a link to a deal. Write one link per line.", line)


def _tags(parameters: dict[str, str]) -> Iterator[tuple[str, str]]:
    """Yield the tags of LIN for the parts of a link."""
    dealer = parameters.get("d", "")[:1].upper()
    digit = str(LIN_SEATS.index(dealer) + 1) if dealer in LIN_SEATS else ""
    yield "md", digit + ",".join(_BLANK.sub("", parameters.get(seat.lower(), "")) for seat in LIN_SEATS)
    number = parameters.get("b", "")
    if number.isdecimal():
        yield "ah", f"Board {number}"
    yield "sv", parameters.get("v", "").replace("-", "o").replace("0", "o")
    yield from _calls(parameters.get("a", "").lstrip("- "))
    cards = _BLANK.sub("", _BESIDE.sub("", parameters.get("p", "")))
    if cards:
        yield "pc", cards


def _calls(auction: str) -> Iterator[tuple[str, str]]:
    """Yield the tags of an auction. What cannot be read is yielded as a call, so that LIN's reader reports it.

    "?" asks the reader for the next call, and ends what is known of the auction.
    """
    offset = calls = 0
    while offset < len(auction) and calls <= MAX_CALLS:
        match = _CALL.match(auction, offset)
        if match is None:
            if auction[offset] != "?":
                yield "mb", _BLANK.sub("", auction[offset:])[:40]
            return
        if match["call"]:
            calls += 1
            yield "mb", match["call"] + match["alert"]
        if match["meaning"]:
            yield "an", match["meaning"].replace("|", "&#124;")
        if match["beside"]:
            yield "nt", match["beside"].replace("|", "&#124;")
        offset = match.end()
