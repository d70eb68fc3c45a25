"""Results and deals in two files of an archive, joined by the numbers of the boards."""

from pytest import MonkeyPatch

from bridge.formats import outcomes
from bridge.formats.outcomes import ReadBoard, SkippedRecord
from bridge.layout import Layout
from tests.bridge.factories import layout
from tests.bridge.formats.reading import CARDS, content
from tests.bridge.formats.test_archives import READING, pack
from tests.bridge.formats.usebio_files import TABLE, board, document

OTHER = layout(2).cards


def deals(*cards: str, event: str = "", number: int = 7, more: str = "") -> bytes:
    """Return a PBN file of deals that have numbers from this one on."""
    texts = (
        f'[Event "{event}"][Board "{each}"][Vulnerable "EW"][Deal "{dealt}"]{more}\n\n'
        for each, dealt in enumerate(cards, number)
    )
    return "".join(texts).encode()


RESULTS = document(board(TABLE, TABLE.replace(">1<", ">2<").replace(">9<", ">8<"))).encode()
GAMES = b'[Event "Monday pairs"][Board "7"][Contract "3NT"][Declarer "W"][Result "9"][Play "N"]\nST - - -\n'
SCORES = b'[Board "7"]\n[ScoreTable "Table;Contract;Declarer;Result"]\n1 3NT W 9\n2 3NT W 8\n'


def test_tables_without_hands_have_the_deal_of_their_number_in_another_file() -> None:
    for files in ((("a.pbn", deals(CARDS, OTHER)), ("b.xml", RESULTS)), (("b.xml", RESULTS), ("a.pbn", deals(CARDS)))):
        tables = [each for each in READING.read_all(pack(*files)) if each.contract]
        assert [(each.layout.cards, each.pair_ns, each.tricks) for each in tables] == [(CARDS, "1", 9), (CARDS, "2", 8)]
        assert {(each.event, each.date, each.vulnerability) for each in tables} == {
            ("Monday pairs", "2025.11.03", "EW")
        }
    for results, contracts in ((GAMES, ["3NT by West"]), (SCORES, ["3NT by West"] * 2)):
        files = ("a.pbn", deals(CARDS, event="Deals of Monday")), ("b.pbn", results)
        assert [str(each.contract) for each in READING.read_all(pack(*files))] == contracts


def test_a_deal_that_was_played_is_no_board_besides_and_the_others_are_of_the_same_evening() -> None:
    lesson = deals(CARDS, more="\n{Why not lead a club?}")
    first, *tables = READING.read_all(pack(("a.pbn", deals(CARDS, OTHER)), ("b.xml", RESULTS)))
    assert (first.board_number, first.event, first.date) == (8, "Monday pairs", "2025.11.03")
    assert [each.board_number for each in tables] == [7, 7]
    assert len(READING.read_all(pack(("a.pbn", lesson), ("b.xml", RESULTS)))) == 3


def test_nothing_is_guessed_where_two_deals_have_the_number_and_none_where_there_is_none() -> None:
    for other in (deals(OTHER), deals(OTHER, event="Tuesday pairs")):
        *_, table, last = READING.outcomes(pack(("a.pbn", deals(CARDS)), ("b.pbn", other), ("c.xml", RESULTS)))
        assert isinstance(table, SkippedRecord) and table.message.startswith("c.xml: Board 7 has several deals")
        assert {table.code, last.code} == {"deals_differ"}
    named = ("a.pbn", deals(CARDS, event="monday pairs")), ("b.pbn", deals(OTHER)), ("c.xml", RESULTS)
    assert [each.layout.cards for each in READING.read_all(pack(*named)) if each.contract] == [CARDS] * 2
    deal, *tables = READING.outcomes(pack(("a.pbn", deals(OTHER, number=8)), ("b.xml", RESULTS)))
    assert content(deal).event == "" and {getattr(each, "code", "") for each in tables} == {"no_deal"}


def test_what_the_table_says_is_held_against_the_hands() -> None:
    holder = Layout(CARDS).holder("CA").value
    (wrong,) = READING.outcomes(pack(("a.pbn", deals(CARDS)), ("b.pbn", GAMES.replace(b"ST", b"CA"))))
    assert holder == "E" and [each.message[:7] for each in getattr(wrong, "warnings", ())] == ["b.pbn: "]


def test_an_archive_of_more_records_than_an_evening_has_is_not_held(monkeypatch: MonkeyPatch) -> None:
    for limit, contracts in ((3, 2), (2, 0)):
        monkeypatch.setattr(outcomes, "MAX_HELD", limit)
        found = READING.outcomes(pack(("a.pbn", deals(CARDS)), ("b.xml", RESULTS)))
        boards = [each.content for each in found if isinstance(each, ReadBoard)]
        assert sum(bool(each.contract) for each in boards) == contracts, limit
