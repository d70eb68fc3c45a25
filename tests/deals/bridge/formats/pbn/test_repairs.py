"""What is done with a game whose parts contradict each other: each rule, its guards, and records spoilt on purpose."""

import random
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from itertools import chain

from pytest import MonkeyPatch, Subtests, mark, raises

from deals.bridge.auction import Auction, Call
from deals.bridge.board import BoardRecord, complete_record
from deals.bridge.contract import Contract
from deals.bridge.errors import BridgeError
from deals.bridge.formats.outcomes import ReadBoard
from deals.bridge.formats.pbn.repairs import GameRepairs
from deals.bridge.formats.pbn.writer import write_pbn
from deals.bridge.formats.repairs import Repairs
from deals.bridge.layout import Layout
from deals.bridge.play import from_turned_rows, to_columns
from deals.bridge.seats import Seat
from deals.bridge.vulnerability import Vulnerability
from tests import factories
from tests.bridge_strategies import random_play
from tests.deals.bridge.formats.pbn.files import CARDS, DEAL, READING
from tests.deals.bridge.formats.pbn.spoiling import change_tag, lose_a_call, swap_two_cards, turn_auction, turn_hands

HEAD = DEAL + '[Dealer "N"]\n[Vulnerable "None"]\n'
TAGS = HEAD + '[Declarer "{}"]\n[Contract "{}"]\n'


def warned(text: str) -> tuple[BoardRecord, list[str]]:
    board = READING.board(text)
    return board.content, [warning.code for warning in board.warnings]


def calls(record: BoardRecord) -> str:
    return " ".join(call.call for call in record.auction.calls) if record.auction else ""


# --- Repairs ---------------------------------------------------------------------------------------------------


@mark.parametrize(("declarer", "passes"), [("E", 1), ("S", 2), ("W", 3)])
def test_passes_before_the_opening_bid_are_added_where_one_number_of_them_fits(declarer: str, passes: int) -> None:
    text = TAGS.format(declarer, "1NT") + '[Auction "N"]\n1NT Pass Pass Pass\n'
    record, codes = warned(text)
    assert codes == ["passes_added"]
    assert calls(record) == "Pass " * passes + "1NT Pass Pass Pass"
    assert (record.dealer, record.contract) == (Seat.NORTH, Contract.parse("1NT", Seat(declarer)))
    assert READING.refusal(text).code == "contract_contradicts_auction"


def test_no_passes_are_added_where(subtests: Subtests) -> None:
    for text, why in [
        (TAGS.format("E", "1NT") + '[Auction "N"]\nPass Pass 1NT Pass Pass Pass\n',
            "the file writes its passes"),
        (DEAL + '[Declarer "E"][Contract "1NT"]\n[Auction "N"]\n1NT Pass Pass Pass\n',
            "the dealer is not known"),
        (TAGS.format("E", "2NT") + '[Auction "N"]\n1NT Pass Pass Pass\n', "no number of passes fits"),
        (TAGS.format("E", "1NT") + '[Auction "N"]\n1NT Pass Pass Pass\n[Play "N"]\nSA\n*\n',
            "North has the lead"),
    ]:  # fmt: skip
        with subtests.test(text=text):
            _, codes = warned(text)
            assert "passes_added" not in codes and "auction_dropped" in codes, why


def test_no_passes_are_added_where_dealer_and_auction_were_turned_against_the_number() -> None:
    repaired = 0
    for number in range(1, 17):
        for passes in range(4):
            record = factories.record(number, number=number, calls="Pass " * passes + "1NT Pass 3NT Pass Pass Pass")
            board, codes = warned(turn_auction(write_pbn(record), 0))
            assert (board, codes) == (record, ["passes_added"][: bool(passes)])
            repaired += bool(codes)
            for seats in (1, 2, 3):
                text = turn_auction(write_pbn(record), seats)
                assert "passes_added" not in warned(text)[1]
                assert passes == seats or "passes_added" in warned(text.replace("[Board", "[Round"))[1]
    assert repaired == 48


def test_a_file_that_writes_its_passes_once_gets_none_added_later() -> None:
    honest = HEAD + '[Auction "N"]\nPass Pass Pass Pass\n'
    odd = TAGS.format("E", "1NT") + '[Auction "N"]\n1NT Pass Pass Pass\n'
    _, second = READING.outcomes(f"{honest}\n{odd}")
    assert isinstance(second, ReadBoard)
    assert [warning.code for warning in second.warnings] == ["auction_dropped"]
    first, _ = READING.outcomes(f"{odd}\n{honest}")
    assert isinstance(first, ReadBoard) and first.warnings[0].code == "passes_added"


def test_a_doubling_that_only_the_auction_has_counts() -> None:
    record, codes = warned(TAGS.format("N", "1NT") + '[Auction "N"]\n1NT X Pass Pass Pass\n')
    assert codes == ["contract_doubled"] and record.contract == Contract.parse("1NTX", Seat.NORTH)
    record, codes = warned(TAGS.format("N", "1NTX") + '[Auction "N"]\n1NT Pass Pass Pass\n')
    assert codes == ["auction_dropped"] and record.contract == Contract.parse("1NTX", Seat.NORTH)


def turned(record: BoardRecord, turns: random.Random) -> str:
    """Write a game whose rows of the play begin with any seat."""
    assert record.contract and record.contract.leader
    first, *rows = to_columns(record.contract, record.play)
    for row in rows:
        turn = turns.randrange(4)
        row[:] = row[turn:] + row[:turn]
    text = write_pbn(record)
    head, _, _ = text.partition("[Play")
    written = "\r\n".join(" ".join(row) for row in [first, *rows])
    return f'{head}[Play "{record.contract.leader}"]\r\n{written}\r\n*\r\n'


def played(seed: int, cards: int = 52) -> BoardRecord:
    """Return a record whose auction, play and result agree."""
    calls = ("1NT Pass 3NT Pass Pass Pass", "1S Pass 4S Pass Pass Pass")[seed % 2]
    record = factories.record(seed=seed, number=seed % 16 + 1, calls=calls)
    return complete_record(
        replace(record, play=random_play(record.layout, record.contract, cards, random.Random(seed)))
    )


def test_rows_of_the_play_may_begin_with_any_seat(subtests: Subtests) -> None:
    for cards in [52, 51, 47, 22]:
        with subtests.test(cards=cards):
            repaired = 0
            for seed in range(8):
                record = played(seed, cards)
                read, codes = warned(turned(record, random.Random(seed)))
                assert read.play == record.play and codes in ([], ["play_rows_turned"])
                repaired += bool(codes)
            assert repaired > 6


def test_rows_are_not_turned_when_the_first_card_is_not_the_leaders() -> None:
    record = played(3)
    text = turned(record, random.Random(3)).replace(f'[Play "{record.contract.leader}"]', '[Play "?"]')
    assert warned(text)[1] == ["play_dropped"]
    assert record.contract
    first, *rows = to_columns(record.contract, record.play)
    with raises(BridgeError, match="Trick 1 cannot be told"):
        from_turned_rows(record.layout, record.contract, [*first[1:], first[0], *chain(*rows)])


# --- What is left out ------------------------------------------------------------------------------------------

NOTRUMP = TAGS.format("N", "1NT") + '[Result "7"]\n'


def test_what_contradicts_is_left_out_and_the_rest_stays(subtests: Subtests) -> None:
    for text, code, lost in [
        (NOTRUMP + '[Auction "N"]\n1NT 1C Pass Pass Pass\n', "auction_dropped", "auction"),
        (NOTRUMP + '[Auction "N"]\n1NT ^I Pass Pass Pass\n', "auction_dropped", "auction"),
        (NOTRUMP + '[Auction "N"]\nPass Pass Pass\n', "auction_dropped", "auction"),
        (NOTRUMP + '[Auction "E"]\n*\n', "auction_dropped", "auction"),
        (NOTRUMP + '[Play "E"]\nDA D4 D2 D3\n', "play_dropped", "play"),
        (NOTRUMP + '[Play "E"]\nS7 SX\n', "play_dropped", "play"),
        (NOTRUMP.replace('"7"', '"14"'), "result_dropped", "tricks"),
        (HEAD + '[Result "7"]\n', "result_dropped", "tricks"),
        (NOTRUMP.replace('"7"', '"13"') + '[Play "E"]\nH5 H2 HA H8\n*\n', "result_dropped", "tricks"),
        (NOTRUMP.replace('"7"', '"0"') + '[Play "E"]\nS7 S4 S2 SA\n*\n', "result_dropped", "tricks"),
        (HEAD + '[Contract "8S"]\n', "contract_dropped", "contract"),
        (HEAD + '[Contract "4S"]\n', "contract_dropped", "contract"),
        (DEAL + '[Vulnerable "maybe"]\n', "vulnerability_dropped", ""),
        (DEAL + '[Dealer "Q"]\n', "dealer_dropped", ""),
        (HEAD + f'[Event "{"x" * 300}"]\n', "text_dropped", "event"),
    ]:
        with subtests.test(text=text):
            record, codes = warned(text)
            assert codes == [code]
            assert record.layout == Layout.parse(CARDS)
            assert not lost or not getattr(record, lost)
            whole, _ = warned(NOTRUMP)
            kept = {name for name in ("contract", "tricks") if getattr(record, name)}
            assert kept == ({"contract", "tricks"} if text.startswith(NOTRUMP) else kept)
            assert whole.tricks == 7


def test_a_play_is_kept_up_to_the_trick_before_its_fault() -> None:
    record = played(5)
    tricks = to_columns(record.contract, record.play)
    text = write_pbn(record)
    row = next(line for line in text.splitlines() if line.split() == tricks[7])
    spoilt = " ".join([tricks[7][0], tricks[0][1], *tricks[7][2:]])
    read, codes = warned(text.replace(row, spoilt))
    assert codes == ["play_shortened"]
    assert read.play == record.play[:28] and read.tricks == record.tricks


@mark.parametrize(
    ("contract", "codes"),
    [("3NT", ["play_shortened"]), ("Pass", ["play_shortened", "play_dropped", "auction_dropped", "result_dropped"])],
)
def test_no_play_is_shortened_for_ever(contract: str, codes: list[str], monkeypatch: MonkeyPatch) -> None:
    """Read a fourteenth trick, and stop a reader that does not stop by itself."""

    def warn(repairs: GameRepairs, code: str, message: str, line: int) -> None:
        assert len(repairs.warnings) < 10
        Repairs.warn(repairs, code, message, line)

    monkeypatch.setattr(GameRepairs, "warn", warn)
    text = write_pbn(played(2)).replace('[Contract "3NT"]', f'[Contract "{contract}"]').rstrip()
    assert warned(f"{text}\r\nSA SK SQ SJ\r\n")[1] == codes


@mark.parametrize("are_turned", [False, True])
def test_remarks_on_cards_change_nothing_of_what_a_spoilt_play_is_read_as(are_turned: bool) -> None:
    codes: Counter[str] = Counter()
    for seed in range(24):
        turns = random.Random(seed)
        record = played(seed % 20)
        text = turned(record, turns) if are_turned else write_pbn(record)
        head, play, cards = text.partition("[Play")
        tag, *words = cards.split()
        one, other = turns.sample(range(len(words) - 1), 2)
        words[one], words[other] = words[other], words[one]
        plain = READING.board(f"{head}{play} {tag} {' '.join(words)}")
        remarked = READING.board(f"{head}{play} {tag} {' $7 '.join(words)} $7")
        assert remarked.warnings == plain.warnings and remarked.content.play == plain.content.play
        assert remarked.content.commentary.count("Trick") == len(remarked.content.play)
        codes.update(warning.code for warning in plain.warnings)
    assert {"play_dropped", "play_shortened"} <= codes.keys()


def test_a_lead_from_the_wrong_hand_makes_a_board_doubtful() -> None:
    board = READING.board(NOTRUMP + '[Play "E"]\nSA S2 S3 S4\n')
    assert board.is_doubtful and [warning.code for warning in board.warnings] == ["play_dropped"]
    assert (board.content.play, board.content.opening_lead) == ((), "")
    assert not READING.board(NOTRUMP + '[Play "E"]\nS7 SX\n').is_doubtful


def test_a_warning_names_record_board_and_line() -> None:
    text = DEAL + "\n" + '[Board "7"]\n' + NOTRUMP.replace('"7"', '"14"')
    _, second = READING.outcomes(text)
    assert isinstance(second, ReadBoard)
    (warning,) = second.warnings
    assert (warning.record, warning.board, warning.line) == (2, "7", 9)
    assert warning.message == "'14' is not a number of tricks, 0 to 13. The result was left out."


def test_a_remark_repeats_the_beginning_of_a_long_board_tag() -> None:
    error = READING.refusal(f'[Board "{"7" * 1000}"]\n[Deal "N:x"]')
    assert error.board == "7" * 20


# --- Records spoilt on purpose ---------------------------------------------------------------------------------


@mark.parametrize(
    "spoil",
    [change_tag("Declarer"), change_tag("Dealer"), lose_a_call],
    ids=["wrong declarer", "wrong dealer", "a call lost"],
)
def test_a_spoilt_text_never_becomes_a_false_board_without_a_warning(
    spoil: Callable[[str, random.Random], str],
) -> None:
    for seed in range(30):
        record, turns = played(seed), random.Random(seed)
        board = READING.board(spoil(write_pbn(record), turns))
        is_prefix = calls(record).startswith(calls(board.content))  # the last call is the one that is lost
        assert board.warnings or (is_prefix and replace(board.content, auction=record.auction) == record), seed
        assert board.content.play in ((), record.play, record.play[: len(board.content.play)])


@mark.parametrize("spoil", [turn_hands, swap_two_cards])
def test_wrong_hands_never_become_a_false_board_without_a_warning(
    spoil: Callable[[BoardRecord, random.Random], BoardRecord],
) -> None:
    for seed in range(30):
        record, turns = played(seed), random.Random(seed)
        board = READING.board(write_pbn(spoil(record, turns)))
        assert board.warnings, seed
        assert len(board.content.play) < 52, seed


def test_a_sound_record_is_read_without_a_warning() -> None:
    for seed in range(16):
        board = READING.board(write_pbn(played(seed)))
        assert (board.content, board.warnings) == (played(seed), ())


def test_an_auction_of_the_dealers_side_is_not_shifted_when_nothing_is_wrong() -> None:
    auction = Auction(Seat.NORTH, tuple(map(Call, ("1NT", "Pass", "Pass", "Pass"))))
    record = complete_record(BoardRecord(Layout.parse(CARDS), Seat.NORTH, Vulnerability.NONE, auction=auction))
    assert READING.board(write_pbn(record)).content == record
