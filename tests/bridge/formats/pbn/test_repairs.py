"""What is done with a game whose parts contradict each other: each rule, its guards, and records spoilt on purpose."""

import random
from dataclasses import replace
from itertools import chain

from pytest import MonkeyPatch, raises

from bridge.board import BoardRecord, complete_record
from bridge.contract import Contract
from bridge.errors import BridgeError
from bridge.formats.outcomes import ReadBoard, RecordWarning
from bridge.formats.pbn.repairs import GameRepairs
from bridge.formats.pbn.writer import write_pbn
from bridge.formats.repairs import Repairs
from bridge.layout import Layout
from bridge.play import from_turned_rows, to_columns
from bridge.seats import Seat
from tests.bridge import factories
from tests.bridge.formats.pbn.files import DEAL, READING
from tests.bridge.formats.pbn.spoiling import (
    change_tag,
    lose_a_call,
    swap_two_cards,
    turn_auction,
    turn_hands,
)
from tests.bridge.formats.reading import CARDS
from tests.bridge.strategies import random_play

HEAD = DEAL + '[Dealer "N"]\n[Vulnerable "None"]\n'
TAGS = HEAD + '[Declarer "{}"]\n[Contract "{}"]\n'
BID = '[Auction "N"]\n1NT Pass Pass Pass\n'
warned = READING.warned


def calls(record: BoardRecord) -> str:
    return " ".join(call.call for call in record.auction.calls) if record.auction else ""


# --- Repairs ---------------------------------------------------------------------------------------------------


def test_passes_before_the_opening_bid_are_added_where_one_number_of_them_fits() -> None:
    for declarer, passes in (("E", 1), ("S", 2), ("W", 3)):
        text = TAGS.format(declarer, "1NT") + BID
        record, codes = warned(text)
        assert (codes, calls(record)) == (["passes_added"], "Pass " * passes + "1NT Pass Pass Pass")
        assert (record.dealer, record.contract) == (Seat.NORTH, Contract.parse("1NT", Seat(declarer)))
        assert READING.refusal(text).code == "contract_contradicts_auction"


def test_passes_are_added_to_a_draft_where_nothing_but_the_tags_asks_for_them() -> None:
    """A call that was lost moves the declarer as well, unless declarer opened in the denomination."""
    bare = TAGS.format("E", "1NT") + BID
    lead, score, other_side = '[Play "S"]\nDA\n*\n', '[Result "7"][Score "EW 90"]\n', '[Result "7"][Score "NS 90"]\n'
    lost_call = TAGS.format("E", "4S") + '[Auction "N"]\n1H Pass 4S Pass Pass Pass\n' + lead
    for text, drafts in (
        *((bare, [True]), (bare + lead, [False]), (score + bare, [False]), (lost_call, [True])),
        (f"{bare}\n{bare}{lead}\n{bare}", [True, False, False]),
        (f"{bare}{lead}\n{lost_call}", [False, False]),
    ):
        boards = [each for each in READING.outcomes(text) if isinstance(each, ReadBoard)]
        assert [each.is_doubtful for each in boards] == drafts, text
        assert {warning.code for each in boards for warning in each.warnings} == {"passes_added"}, text
    assert warned(other_side + bare)[1] == ["contract_dropped"]


def test_no_passes_are_added_where_the_file_says_otherwise_or_no_number_fits() -> None:
    east = TAGS.format("E", "1NT")
    for text, why in (
        (east + '[Auction "N"]\nPass Pass 1NT Pass Pass Pass\n', "the file writes its passes"),
        (DEAL + '[Declarer "E"][Contract "1NT"]\n' + BID, "the dealer is not known"),
        (TAGS.format("E", "2NT") + BID, "no number of passes fits"),
        (east + BID + '[Play "N"]\nSA\n*\n', "North has the lead"),
    ):
        _, codes = warned(text)
        assert "passes_added" not in codes and "auction_dropped" in codes, why
    writes_its_passes = HEAD + '[Auction "N"]\nPass Pass Pass Pass\n'
    _, second = READING.outcomes(f"{writes_its_passes}\n{east}{BID}")
    first, _ = READING.outcomes(f"{east}{BID}\n{writes_its_passes}")
    assert isinstance(first, ReadBoard) and isinstance(second, ReadBoard)
    assert [warning.code for warning in (first.warnings[0], *second.warnings)] == ["passes_added", "auction_dropped"]


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


def test_a_doubling_that_only_the_auction_has_counts() -> None:
    record, codes = warned(TAGS.format("N", "1NT") + '[Auction "N"]\n1NT X Pass Pass Pass\n')
    assert codes == ["contract_doubled"] and record.contract == Contract.parse("1NTX", Seat.NORTH)
    record, codes = warned(TAGS.format("N", "1NTX") + BID)
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


def test_rows_of_the_play_but_the_first_may_begin_with_any_seat() -> None:
    for cards in (52, 51, 47, 22):
        repaired = 0
        for seed in range(8):
            record = played(seed, cards)
            read, codes = warned(turned(record, random.Random(seed)))
            assert read.play == record.play and codes in ([], ["play_rows_turned"])
            repaired += bool(codes)
        assert repaired > 6, cards
    record = played(3)
    assert record.contract
    text = turned(record, random.Random(3)).replace(f'[Play "{record.contract.leader}"]', '[Play "?"]')
    assert warned(text)[1] == ["play_dropped"]
    first, *rows = to_columns(record.contract, record.play)
    with raises(BridgeError, match="Trick 1 cannot be told"):
        from_turned_rows(record.layout, record.contract, [*first[1:], first[0], *chain(*rows)])


def test_a_play_that_names_another_seat_than_the_leader_is_mended_where_one_reading_is_legal() -> None:
    """The auction says who led, or the play that the seat would have led is illegal."""
    for seed in range(8):
        record = played(seed, (52, 30)[seed % 2])
        assert record.contract and record.contract.leader
        leader, rows = record.contract.leader, to_columns(record.contract, record.play)
        for seat in (leader.next, leader.partner, leader.partner.next):
            turn = (seat.index - leader.index) % 4
            from_seat = "\r\n".join(" ".join([*row[turn:], *row[:turn]]) for row in rows)
            head, _, _ = write_pbn(record).partition("[Play")
            text = f'{head}[Play "{seat}"]\r\n{from_seat}\r\n*\r\n'
            named_wrongly = write_pbn(record).replace(f'[Play "{leader}"]', f'[Play "{seat}"]')
            for written in (text, named_wrongly):
                assert warned(written) == (record, ["play_rows_turned"])
            other_declarer = text.replace(f'r "{record.contract.declarer}"', f'r "{seat.partner.next}"')
            assert READING.board(other_declarer).is_doubtful
    text = TAGS.format("S", "1NT") + '[Play "N"]\nSA ST S4 S2\n*\n'
    assert READING.board(text).is_doubtful  # West led, or North, and the declarer is wrong.


# --- What is left out ------------------------------------------------------------------------------------------

NOTRUMP = TAGS.format("N", "1NT") + '[Result "7"]\n'


def test_what_contradicts_is_left_out_and_the_rest_stays() -> None:
    for text, lost in (
        (NOTRUMP + '[Auction "N"]\n1NT 1C Pass Pass Pass\n', "auction"),
        (NOTRUMP + '[Auction "N"]\n1NT ^I Pass Pass Pass\n', "auction"),
        (NOTRUMP + '[Auction "N"]\nPass Pass Pass\n', "auction"),
        (NOTRUMP + '[Auction "N"]\n1NT Pass 2C Pass\n*\n', "auction"),
        (NOTRUMP + '[Auction "E"]\n*\n', "auction"),
        *((NOTRUMP + '[Play "E"]\nDA D4 D2 D3\n', "play"), (NOTRUMP + '[Play "E"]\nS7 SX\n', "play")),
        *((NOTRUMP.replace('"7"', '"14"'), "result"), (HEAD + '[Result "7"]\n', "result")),
        (NOTRUMP.replace('"7"', '"13"') + '[Play "E"]\nH5 H2 HA H8\n*\n', "result"),
        (NOTRUMP.replace('"7"', '"0"') + '[Play "E"]\nS7 S4 S2 SA\n*\n', "result"),
        *((HEAD + '[Contract "8S"]\n', "contract"), (HEAD + '[Contract "4S"]\n', "contract")),
        *((DEAL + '[Vulnerable "maybe"]\n', "vulnerability"), (DEAL + '[Dealer "Q"]\n', "dealer")),
        (HEAD + f'[Event "{"x" * 300}"]\n', "text"),
    ):
        record, codes = warned(text)
        assert codes == [f"{lost}_dropped"], text
        assert record.layout == Layout.parse(CARDS)
        field = {"result": "tricks", "text": "event"}.get(lost, lost)
        assert lost in ("vulnerability", "dealer") or not getattr(record, field), text
        assert not text.startswith(NOTRUMP) or (record.contract and record.tricks == 7), text


def test_a_dealer_that_cannot_be_read_is_the_auctions_or_the_deals_first_hand_and_never_the_numbers() -> None:
    turned = DEAL.replace("N:", "E:")
    for text, dealer, source in (
        (turned + '[Board "3"][Dealer "O"]\n[Auction "West"]\n1C *\n', "W", "the auction"),
        (turned + '[Board "3"][Dealer "O"]\n[Auction "N"]\n- 1C *\n', "E", "the auction"),
        (turned + '[Board "3"][Dealer "O"]\n', "E", "the Deal's first hand"),
        (turned + '[Board "3"][Dealer "O"]\n[Auction "W"]\n1NT H7\n', "E", "the Deal's first hand"),
        (turned + '[Board "3"][Dealer "#"]\n[Auction "W"]\n1NT H7\n', "E", "the Deal's first hand"),
    ):
        (warning,) = [each for each in READING.board(text).warnings if each.code == "dealer_dropped"]
        assert warning.line == 2
        assert warning.message.endswith(f" {dealer} was taken from {source}."), text
        assert READING.record(text).dealer == dealer
    words = '[Dealer "Ost"][Vulnerable "Tous"][Declarer "Süd"][Contract "1NT"]\n[Auction "Est"]\nP 1NT AP\n'
    record, codes = warned(turned + words + '[Play "Ouest"]\n')
    assert (record.dealer, record.vulnerability, str(record.contract), codes) == ("E", "All", "1NT by South", [])
    (warning,) = READING.board(DEAL + '[Board "2"][Vulnerable "maybe"]\n').warnings
    assert warning.message.endswith("NS was taken from the board number.")


def test_a_play_is_kept_up_to_the_trick_before_its_fault() -> None:
    record = played(5)
    tricks = to_columns(record.contract, record.play)
    text = write_pbn(record)
    row = next(line for line in text.splitlines() if line.split() == tricks[7])
    spoilt = " ".join([tricks[7][0], tricks[0][1], *tricks[7][2:]])
    read, codes = warned(text.replace(row, spoilt))
    assert codes == ["play_shortened"]
    assert read.play == record.play[:28] and read.tricks == record.tricks


def test_no_play_is_shortened_for_ever(monkeypatch: MonkeyPatch) -> None:
    """Read a fourteenth trick, and stop a reader that does not stop by itself."""

    def warn(repairs: GameRepairs, code: str, message: str, line: int) -> None:
        assert len(repairs.warnings) < 10
        Repairs.warn(repairs, code, message, line)

    monkeypatch.setattr(GameRepairs, "warn", warn)
    text = f"{write_pbn(played(2)).rstrip()}\r\nSA SK SQ SJ\r\n"
    assert warned(text)[1] == ["play_shortened"]
    codes = ["auction_dropped", "play_dropped", "result_dropped"]
    assert warned(text.replace('[Contract "3NT"]', '[Contract "Pass"]'))[1] == codes


def test_remarks_on_cards_change_nothing_of_what_a_spoilt_play_is_read_as() -> None:
    for are_turned in (False, True):
        codes: set[str] = set()
        for seed in range(24):
            turns, record = random.Random(seed), played(seed % 20)
            text = turned(record, turns) if are_turned else write_pbn(record)
            head, play, cards = text.partition("[Play")
            tag, *words = cards.split()
            one, other = turns.sample(range(len(words) - 1), 2)
            words[one], words[other] = words[other], words[one]
            plain = READING.board(f"{head}{play} {tag} {' '.join(words)}")
            remarked = READING.board(f"{head}{play} {tag} {' $7 '.join(words)} $7")
            assert remarked.warnings == plain.warnings and remarked.content.play == plain.content.play
            assert remarked.content.commentary.count("Trick") == len(remarked.content.play)
            codes |= {warning.code for warning in plain.warnings}
        assert {"play_dropped", "play_shortened"} <= codes


def test_a_lead_from_the_wrong_hand_is_left_out_alone_and_with_a_play_makes_a_board_doubtful() -> None:
    for cards, code, is_doubtful in (
        *(("SA", "lead_dropped", False), ("SA S4 - -", "lead_dropped", False)),
        *(("SA S2 S3 S4", "play_dropped", True), ("S7 SX", "play_dropped", False)),
    ):
        board = READING.board(NOTRUMP + f'[Play "E"]\n{cards}\n')
        assert ([warning.code for warning in board.warnings], board.is_doubtful) == ([code], is_doubtful), cards
        assert replace(board.content, tricks=None) == READING.record(TAGS.format("N", "1NT"))
    assert READING.board(NOTRUMP + '[Score "EW 90"]\n[Play "E"]\nSA\n').is_doubtful  # lead and score speak against it


def test_the_score_is_a_witness_of_contract_result_and_vulnerability() -> None:
    for score in ("NS 90", "90", "+90", "EW -90", "NS 90 EW -90", "ns 90", "60%", "A60-40", "NS 3", "?", ""):
        assert warned(f'{NOTRUMP}[Score "{score}"]')[1] == [], score
    for score in ("NS 120", "-90", "EW 90", "NS 180", "0"):
        board = READING.board(f'{NOTRUMP}[Score "{score}"]')
        assert [warning.code for warning in board.warnings] == ["score_contradicts"] and not board.is_doubtful, score
        assert board.content == READING.record(NOTRUMP)
    assert warned(f'{NOTRUMP}[Score "100"][Scoring "Rubber"]')[1] == []
    assert warned(DEAL + '[Vulnerable "NS"][Declarer "N"][Contract "4S"][Result "9"][Score "-50"]')[1] != []


def test_a_missing_result_is_the_one_that_the_score_has() -> None:
    for declarer, contract, score, tricks in (
        *(("N", "1NT", "NS 120", 8), ("E", "4S", "NS 50", 9), ("E", "4S", "50", 9), ("E", "4S", "-50", 9)),
        *(("S", "2HXX", "NS -600", 6), ("N", "1NT", "NS 130", None), ("N", "1NT", "0", None)),
    ):
        record, codes = warned(f'{TAGS.format(declarer, contract)}[Result "?"][Score "{score}"]')
        expected = ["result_from_score"] if tricks else ["score_contradicts"][: score != "0"]
        assert (record.tricks, codes) == (tricks, expected), (contract, score)
    assert warned(NOTRUMP.replace('"7"', '"14"') + '[Score "90"]')[1] == ["result_dropped", "result_from_score"]
    play = '[Play "E"]\nCA C7 C5 C2\nCK C8 C6 C3\n'
    for end, score, codes in (("+", "90", []), ("*", "90", ["result_from_score"]), ("*", "260", ["score_contradicts"])):
        assert warned(f'{TAGS.format("N", "1NT")}[Score "{score}"]{play}{end}')[1] == codes, (end, score)


def test_where_auction_and_contract_differ_the_score_decides_or_the_board_is_a_draft() -> None:
    auction = '[Auction "N"]\n1NT Pass 2S Pass Pass Pass\n'
    both = ["auction_dropped", "score_contradicts"]
    for declarer, contract, score, codes, read, is_doubtful in (
        ("N", "3NT", "NS 140", ["contract_dropped"], "2S by South", False),
        ("N", "3NT", "NS 400", ["auction_dropped"], "3NT by North", False),
        ("S", "2SX", "NS 140", ["contract_dropped"], "2S by South", False),
        ("S", "3S", "NS 140", ["auction_dropped"], "3S by South", True),
        *(("N", "3NT", "NS 150", both, "3NT by North", True), ("N", "3NT", "", both[:1], "3NT by North", True)),
    ):
        board = READING.board(TAGS.format(declarer, contract) + f'[Result "9"][Score "{score}"]\n{auction}')
        assert [warning.code for warning in board.warnings] == codes, contract
        assert (str(board.content.contract), board.content.tricks, board.is_doubtful) == (read, 9, is_doubtful)
    doubled = '[Auction "N"]\n1NT X Pass Pass Pass\n'
    for score, code in (("180", "contract_doubled"), ("90", "auction_dropped")):
        assert warned(f'{NOTRUMP}[Score "{score}"]\n{doubled}')[1] == [code]
    assert warned(TAGS.format("N", "1NTX") + f'[Result "7"][Score "90"]\n{BID}')[1] == ["contract_dropped"]


def test_passes_after_the_end_of_an_auction_are_left_out() -> None:
    note = '[Note "1:x"]\n'
    record, codes = warned(f'{NOTRUMP}[Auction "N"]\n1NT Pass Pass Pass\nPass =1= Pass $4\n{note}')
    assert (record, codes) == (READING.record(NOTRUMP + BID), ["passes_left_out"])
    assert warned(NOTRUMP + '[Auction "N"]\n1NT Pass Pass Pass Pass 2C\n')[1] == ["auction_dropped"]


def test_a_tag_with_two_values_is_said_and_makes_a_board_doubtful_where_the_result_hangs_on_it() -> None:
    played_in_one = DEAL + '[Declarer "N"][Contract "1NT"][Result "7"]\n'
    for before, behind, is_doubtful in (
        *(("", '[Contract "2NT"]', True), ("", '[Declarer "S"]', True), ("", '[Result "8"]', True)),
        *(('[Dealer "N"][Dealer "E"]', "", True), ('[Vulnerable "None"][Vulnerable "All"]', "", True)),
        *(('[Stage "1"][Stage "2"]', "", False), ("", '[Auction "N"] 1NT X AP', False)),
    ):
        board = READING.board(f'{before}[Dealer "N"][Vulnerable "None"]{played_in_one}{BID}{behind}\n')
        assert [warning.code for warning in board.warnings] == ["tag_twice"], behind
        assert replace(board.content, stage="") == READING.record(NOTRUMP + BID)
        assert board.is_doubtful is is_doubtful, (before, behind)
    for second in (
        '[Dealer "E"]',
        '[Vulnerable "All"]',
        DEAL.replace("N:", "E:").strip(),
    ):  # behind the Deal it opens a game
        _, doubtful, other = READING.outcomes(f'{HEAD}{second}\n[Declarer "N"][Contract "1NT"]\n\n{DEAL}')
        assert isinstance(doubtful, ReadBoard) and isinstance(other, ReadBoard)
        assert [warning.code for warning in doubtful.warnings] == ["tag_twice"], second
        assert (doubtful.is_doubtful, other.is_doubtful) == (True, False)
    for tag in ('[Contract "1NT"]', '[Result "?"]', '[Result ""]', '[Note "1:x"]', '[Unknown "1"][Unknown "2"]'):
        assert warned(f"{NOTRUMP}{tag}\n")[1] == [], tag
    assert READING.record(f'[Event "?"][Event "Cup"]{HEAD}').event == "Cup"


def test_a_warning_names_record_board_and_line_and_a_long_board_by_its_beginning() -> None:
    text = DEAL + "\n" + '[Board "7"]\n' + NOTRUMP.replace('"7"', '"14"')
    _, second = READING.outcomes(text)
    assert isinstance(second, ReadBoard)
    message = "'14' is not a number of tricks, 0 to 13. The result was left out."
    assert second.warnings == (RecordWarning(2, "7", 9, "result_dropped", message),)
    assert READING.refusal(f'[Board "{"7" * 1000}"]\n[Deal "N:x"]').board == "7" * 20


# --- Records spoilt on purpose ---------------------------------------------------------------------------------


def test_spoilt_records_never_become_false_boards_without_a_warning() -> None:
    for seed in range(30):
        record = played(seed)
        for spoil in (change_tag("Declarer"), change_tag("Dealer"), lose_a_call):
            board = READING.board(spoil(write_pbn(record), random.Random(seed)))
            is_prefix = calls(record).startswith(calls(board.content))  # the last call is the one that is lost
            assert board.warnings or (is_prefix and replace(board.content, auction=record.auction) == record), seed
            assert board.content.play in ((), record.play, record.play[: len(board.content.play)])
        for spoil_hands in (turn_hands, swap_two_cards):
            board = READING.board(write_pbn(spoil_hands(record, random.Random(seed))))
            assert board.warnings and len(board.content.play) < 52, seed
        assert warned(write_pbn(record)) == (record, [])


def test_a_missing_declarer_is_taken_from_who_led_if_that_hand_holds_the_lead() -> None:
    game = f'{DEAL}[Dealer "N"]\n[Vulnerable "None"]\n[Contract "1NT"]\n[Result "7"]\n[Play "E"]\n'
    board, codes = READING.warned(f"{game}CA\n*\n")
    assert (str(board.contract), board.opening_lead, codes) == ("1NT by North", "CA", ["declarer_from_lead"])
    board, codes = READING.warned(f"{game}SA\n*\n")
    assert (board.contract, "contract_dropped" in codes) == (None, True)
