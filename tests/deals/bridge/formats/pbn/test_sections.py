"""Auction, contract, play and result of a PBN game, a small file for each rule."""

from pytest import Subtests

from deals.bridge.contract import PASSED_OUT, Contract
from deals.bridge.seats import Seat
from tests.deals.bridge.formats.pbn.files import DEAL, PLAYED, record, refusal


def calls(text: str) -> str:
    auction = record(DEAL + text).auction
    assert auction is not None
    return " ".join(call.call for call in auction.calls)


def test_calls_are_read_in_every_spelling() -> None:
    assert calls('[Auction "N"]\n1c X xx PASS 1n p 2NT\n*') == "1C X XX Pass 1NT Pass 2NT"


def test_ap_stands_for_the_passes_that_remain() -> None:
    cases = [
        ("AP", 4), ("1C AP", 3), ("1C Pass AP", 3), ("Pass Pass AP", 4),
        ("Pass Pass Pass 1C Pass Pass Pass AP", 6),
    ]  # fmt: skip
    wrong = [
        (section, got)
        for section, passes in cases
        if (got := calls(f'[Auction "N"]\n{section}').count("Pass")) != passes
    ]
    assert wrong == []


def test_hyphens_pass_over_the_seats_before_the_dealer() -> None:
    board = record(DEAL + '[Dealer "E"]\n[Auction "W"]\n-  -  1C Pass\n1S AP')
    assert board.auction is not None and board.auction.dealer is Seat.EAST
    assert board.contract == Contract.parse("1S", Seat.WEST)


def test_an_auction_may_stop_or_be_yet_to_begin() -> None:
    assert calls('[Auction "N"]\n1C Pass\n+') == calls('[Auction "N"]\n1C Pass\n*') == "1C Pass"
    assert calls('[Auction "N"]\n+') == ""
    assert record(DEAL + '[Auction "N"]\n').auction is None


def test_a_note_or_an_exclamation_mark_alerts_and_a_note_explains() -> None:
    board = record(
        DEAL + '[Auction "N"]\n1NT =1= Pass! 2C=2= Pass\n2D Pass =1=$4 2H {why?} =3= AP\n'
        '[Note "1: 12-14"]\n[Note "2:Stayman"]\n[Play "E"]\n*\n[Note "1:of the play"]\n'
    )
    assert board.auction is not None
    notes = [(call.alert, call.explanation) for call in board.auction.calls]
    assert notes[:7] == [
        (True, "12-14"), (True, ""), (True, "Stayman"), (False, ""), (False, ""), (True, "12-14"),
        (True, ""),
    ]  # fmt: skip
    assert board.commentary == "why?\nCall 6, Pass by East: very poor call."


def test_opinions_of_calls_are_kept_as_commentary() -> None:
    board = record(DEAL + '[Auction "E"]\n1NT$1 Pass ?? $0 2C $13 $24 Pass $99 $021 !? AP')
    assert board.commentary.split("\n") == [
        "Call 1, 1NT by East: good call.", "Call 2, Pass by South: very poor call.",
        "Call 3, 2C by West: the call has been corrected.", "Call 3, 2C by West: cue bid.",
        "Call 4, Pass by North: $99.", "Call 4, Pass by North: artificial.",
        "Call 4, Pass by North: speculative call.",
    ]  # fmt: skip


def test_opinions_and_notes_of_cards_are_kept_as_commentary() -> None:
    board = record(
        PLAYED + '[Play "E"]\nH5! H2 HA =1= H8 $9\nD2 DA =1= $7 D8 D5\n- =1= dk ?! -- --\n*\n'
        '[Note "1:Why not low?"][Note "2:never asked for"]'
    )
    assert board.commentary.split("\n") == [
        "Trick 1, H5 by East; Trick 2, DA by South: good card.",
        "Trick 1, HA by West; Trick 2, DA by South: Why not low?",
        "Trick 1, H8 by North: very good card.",
        "Trick 3, DK by South: questionable card.",
    ]


def test_an_illegal_call_is_refused_by_name_at_the_auctions_line() -> None:
    error = refusal(DEAL + '[Auction "N"]\n1S Pass X\n')
    assert (error.line, error.code) == (2, "illegal_call")
    assert error.message == "Call 3, X by South: 1S was bid by the same side."


def test_it_refuses_a_malformed_auction() -> None:
    cases = [
        ("1C + 1D", "malformed_auction"), ("1C - 1D", "malformed_auction"),
        ("1C & 1D", "malformed_auction"), ("1C foo", "malformed_call"), ("1D ^I 1C", "irregularity"),
    ]  # fmt: skip
    wrong = [
        (section, got) for section, code in cases if (got := refusal(DEAL + f'[Auction "N"]\n{section}').code) != code
    ]
    assert wrong == []


def test_the_dealer_must_be_the_first_caller() -> None:
    assert refusal(DEAL + '[Dealer "S"]\n[Auction "N"]\n1C *').code == "dealer_contradicts_auction"


def test_play_is_read_by_columns_and_may_stop_in_mid_trick() -> None:
    board = record(PLAYED + '[Result "7"][Play "E"]\nH5! H2 HA H8 $9\nD2 DA D8 =1= D5\n- dk -- --\n*')
    assert board.play == ("H5", "H2", "HA", "H8", "D8", "D5", "D2", "DA", "DK")
    assert (board.opening_lead, board.tricks) == ("H5", 7)


def test_an_opening_lead_alone_is_no_play() -> None:
    board = record(PLAYED + '[Play "E"]\nCA - - -\n*')
    assert (board.opening_lead, board.play) == ("CA", ())


def test_it_refuses_an_impossible_play(subtests: Subtests) -> None:
    for section, code in [
        ('[Play "W"]\nHA', "illegal_lead"), ('[Play "E"]\nCA C7 - C2\n', "malformed_play"),
        ('[Play "E"]\nCA SA\n', "illegal_play"), ('[Play "E"]\nCA ^R S4', "irregularity"),
        ('[Play "E"]\nC1', "malformed_card"), ('[Play "Q"]\nCA', "malformed_seat"),
        ('[Play "E"]\n' + "CA " * 53, "malformed_play"),
    ]:  # fmt: skip
        with subtests.test(section=section):
            error = refusal(PLAYED + section)
            assert (error.code, error.line) == (code, 3)


def test_a_play_needs_a_contract_unless_it_is_empty() -> None:
    assert refusal(DEAL + '[Play "E"]\nCA').code == "play_without_contract"
    assert record(DEAL + '[Play "E"]\n*').play == ()


def test_the_result_counts_declarers_tricks() -> None:
    cases = [
        ("9", 9), ("^9", 9), ("NS 9", 9), ("EW 4", 9), ("^EW 4 NS 9", 9), ("ns9", 9), ("0", 0), ("", None),
        ("?", None),
    ]  # fmt: skip
    wrong = [
        (result, got) for result, tricks in cases if (got := record(PLAYED + f'[Result "{result}"]').tricks) != tricks
    ]
    assert wrong == []


def test_it_refuses_an_impossible_result_at_its_line(subtests: Subtests) -> None:
    for result in ["14", "-1", "nine", "9.5", "999999999999999999999"]:
        with subtests.test(result=result):
            error = refusal(PLAYED + f'[Result "{result}"]')
            assert (error.code, error.line) == ("impossible_result", 3)


def test_a_play_to_be_continued_has_no_result_yet() -> None:
    assert record(PLAYED + '[Result "1"]\n[Play "E"]\nCA C7 C5 C2\n+').tricks is None


def test_a_passed_out_board_has_no_result() -> None:
    board = record(DEAL + '[Declarer ""][Contract "Pass"][Result "0"]')
    assert (board.contract, board.tricks, board.score) == (PASSED_OUT, None, 0)


def test_a_missing_contract_or_declarer_is_taken_from_the_auction() -> None:
    bid = '[Auction "N"]\n1S Pass 2S AP'
    for stated in ("", '[Contract "2S"]', '[Declarer "N"]', '[Contract "?"][Declarer "?"]'):
        assert record(DEAL + stated + bid).contract == Contract.parse("2S", Seat.NORTH)
    for stated in ('[Contract "3S"]', '[Declarer "S"]', '[Contract "Pass"]'):
        assert refusal(DEAL + stated + bid).code == "contract_contradicts_auction"


def test_a_contract_without_a_declarer_anywhere_is_refused() -> None:
    assert refusal(DEAL + '[Contract "2S"]').code == "unknown_declarer"


def test_swapped_declarer_and_dummy_are_read_without_an_auction_and_refused_with_one() -> None:
    swapped = DEAL + '[Contract "2S"]\n[Declarer "^S"]\n'
    assert record(swapped).contract == Contract.parse("2S", Seat.SOUTH)
    error = refusal(swapped + '[Auction "N"]\n2S AP')
    assert (error.code, error.line) == ("irregularity", 3)
