"""Links to Bridge Base's hand viewer: a whole table as LIN, or its parts."""

import re
from dataclasses import replace
from urllib.parse import quote, quote_plus

from hypothesis import given

from bridge.auction import Auction, Call
from bridge.board import BoardRecord
from bridge.formats.handviewer import MAX_LINK_LENGTH, read_handviewer, write_handviewer
from bridge.formats.lin.writer import write_lin
from bridge.seats import Seat
from bridge.vulnerability import Vulnerability
from tests.bridge import factories
from tests.bridge.formats.lin.files import HANDS
from tests.bridge.formats.lin.files import READING as LIN
from tests.bridge.formats.reading import CARDS, Reading, content, refused
from tests.bridge.strategies import moderate, records

READING = Reading(read_handviewer)
ADDRESS = "https://www.bridgebase.com/tools/handviewer.html?"
PARTS = (
    "n=sakqjht98d765c432&e=st987h765d432cakq&s=s654h32dakqjct987&w=s32hakqj4dt98cj65"
    "&d=n&v=-&b=7&a=1n(15-17)p2c!(asks{for}majors)ppp&p=h7h2hjh8"
)
WITHOUT_AUCTION, _, _ = PARTS.partition("&a=")


def link(parts: str) -> str:
    return ADDRESS + parts


def calls(board: BoardRecord) -> list[Call]:
    assert board.auction
    return list(board.auction.calls)


def test_the_parts_of_a_link_or_of_its_query_alone_are_read() -> None:
    page = "//www.bridgebase.com/tools/handviewer.html?"
    parts = PARTS.replace("{for}", " for ")
    for address in (ADDRESS, f"http:{page}", f"{page}bbo=y&", "?", ""):
        for text in (address + parts, f'"{address}{parts}"\n', (address + parts).replace("&", "&amp;")):
            board = READING.record(text)
            assert (board.layout.cards, board.dealer, board.board_number) == (CARDS, Seat.NORTH, 7), text
            assert board.vulnerability is Vulnerability.NONE
            assert calls(board)[:3] == [Call("1NT", False, "15-17"), Call("Pass"), Call("2C", True, "asks for majors")]
            assert str(board.contract) == "2C by South" and board.play == ()


@moderate
@given(record=records())
def test_lin_in_a_link_is_read_as_in_a_file(record: BoardRecord) -> None:
    lin = write_lin(record).rstrip("\n")
    expected = LIN.record(lin)
    for text in (quote(lin), quote(lin, safe="|,"), quote_plus(lin)):
        assert READING.record(f"{ADDRESS}bbo=y&lin={text}") == expected


@moderate
@given(record=records())
def test_the_parts_of_a_link_are_read_as_in_lin(record: BoardRecord) -> None:
    expected = LIN.record(
        write_lin(replace(record, auction=_sayable(record.auction), commentary="", title="", room=""))
    )
    hands = "&".join(f"{seat.lower()}={_hand(expected, seat)}" for seat in Seat)
    letter = dict(zip(Vulnerability, "-neb", strict=True))[expected.vulnerability]
    place = f"d={expected.dealer.lower()}&v={letter}&b={expected.board_number or ''}"
    play = "".join(expected.play) or expected.opening_lead
    board = READING.record(link(f"{hands}&{place}&a={_auction(expected)}&p={play}"))
    assert board == replace(expected, tricks=board.tricks)


def _sayable(auction: Auction | None) -> Auction | None:
    """Return the auction without brackets in its explanations, which a link could not tell from its own."""
    if auction is None:
        return None
    calls = (replace(call, explanation=re.sub("[()]", "", call.explanation)) for call in auction.calls)
    return Auction(auction.dealer, tuple(calls))


def _hand(record: BoardRecord, seat: Seat) -> str:
    return "".join(suit + ranks.replace("T", "10") for suit, ranks in record.layout.suits(seat).items()).lower()


def _auction(record: BoardRecord) -> str:
    words = {"Pass": "p", "X": "x", "XX": "r"}
    return "".join(
        words.get(call.call, call.call[:2].lower())
        + "!" * call.alert
        + (f"({quote(call.explanation, safe='')})" if call.explanation else "")
        for call in (record.auction.calls if record.auction else ())
    )


def test_each_line_is_a_record_and_one_without_a_deal_says_so() -> None:
    bad, whole = link(PARTS.replace("n=sa", "n=sk")), link(f"lin={quote('md|1' + HANDS + '|')}")
    first, second, third, fourth = READING.outcomes(f"{link(PARTS)}\n\nSee below\n{bad}\n{whole}")
    assert content(first).layout == content(fourth).layout and fourth.record == 4
    assert (refused(second), refused(third)) == ((2, "", 3, "malformed_link"), (3, "7", 4, "duplicate_card"))
    for parts in ("myhand=M-123-456", "lin=", "lin=pn|a,b|", "a=1sp2sppp", "linurl=https://example.org/x.lin"):
        assert READING.refusal(link(parts)).code == "link_without_deal", parts
    assert READING.record(link(PARTS.replace("&e=st987h765d432cakq", ""))).layout.cards == CARDS
    assert READING.refusal(link("n=sakqjht98d765c432&s=s654h32dakqjct987")).code == "unknown_hand"


def test_meanings_are_read_in_any_escape_and_with_brackets() -> None:
    for written, meaning in (
        ("15-17 (or {14})", "15-17 (or {14})"),
        # A plus is a space unless spaces are written otherwise.
        *(("15+to+17", "15 to 17"), ("15+%20points", "15+ points")),
        *(("%u017C%C3%B3", "żó"), ("%C5%BC%u00F3", "żó"), ("żó", "żó")),
    ):
        board = READING.record(link(f"{WITHOUT_AUCTION}&a=1n({written})ppp"))
        assert calls(board)[0] == Call("1NT", False, meaning), written
    assert READING.record(link(f"{WITHOUT_AUCTION}&a=1n(%uD800)ppp")).auction


def test_an_auction_that_is_illegal_or_without_end_is_left_out_and_named() -> None:
    for parts in (PARTS.replace("a=1n", "a=1n1c"), WITHOUT_AUCTION + "&a=" + "p" * 100_000):
        outcome = READING.board("\n" + link(parts))
        assert outcome.content.auction is None
        warning = outcome.warnings[0]
        assert (warning.record, warning.line, warning.code) == (1, 2, "auction_dropped")
    assert READING.refusal(link(PARTS.replace("a=1n", "a=1z"))).code == "malformed_call"


def test_texts_beside_the_auction_become_commentary() -> None:
    board = READING.record(link(WITHOUT_AUCTION + "&a=1n{A strong notrump}ppp&nn=Jo|e&p={Nice <b>play"))
    assert board.commentary == "A strong notrump"
    assert board.contract and not board.play
    assert calls(READING.record(link(WITHOUT_AUCTION + "&a=1n p 2c?"))) == [Call("1NT"), Call("Pass"), Call("2C")]


def test_what_bridge_hand_player_adds_costs_neither_auction_nor_play() -> None:
    parts = f"{WITHOUT_AUCTION}&a=1nppp&p=cac7c5"
    expected = READING.board(link(parts))
    assert not expected.warnings
    assert len(calls(expected.content)) == 4 and len(expected.content.play) == 3
    titles = ("&t=<h4>A title</h4> by Somebody", "&t=x#3")
    for more in ("&pLine%201=h7xx&pLine 2=c2", "&pThe_end=zz", "#12", *titles):
        assert READING.board(link(parts + more)) == expected, more


@moderate
@given(records())
def test_a_link_is_short_and_is_read_back_as_the_board_or_as_its_hands(record: BoardRecord) -> None:
    link = write_handviewer(record)
    assert len(link) <= MAX_LINK_LENGTH
    read = READING.record(link)
    assert (read.layout, read.dealer, read.vulnerability) == (record.layout, record.dealer, record.vulnerability)
    if read.auction:
        assert record.auction and [c.call for c in calls(read)] == [c.call for c in record.auction.calls]


def test_a_link_that_would_be_too_long_leaves_out_explanations_or_all_but_the_hands() -> None:
    passes = [Call("Pass", explanation="é" * 200)] * 3
    explained = factories.record(1, auction=Auction(Seat.NORTH, (Call("1C", True, "é" * 200), *passes)))
    assert calls(READING.record(write_handviewer(explained))) == [Call("1C", True), *[Call("Pass")] * 3]
    hands = READING.record(write_handviewer(replace(explained, title="🂡" * 200)))
    assert (hands.layout, hands.title, hands.auction) == (explained.layout, "", None)
