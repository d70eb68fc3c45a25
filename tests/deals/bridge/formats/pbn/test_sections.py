"""Auction, contract, play and result of a PBN game, a small file for each rule."""

from deals.bridge.contract import PASSED_OUT, Contract
from deals.bridge.seats import Seat
from tests.deals.bridge.formats.pbn.files import DEAL, PLAYED, record, refusal


def calls(section: str) -> str:
    auction = record(f'{DEAL}[Auction "N"]\n{section}').auction
    assert auction is not None
    return " ".join(call.call for call in auction.calls)


def test_calls_are_read_in_every_spelling() -> None:
    assert calls("1c X xx PASS 1n p 2NT\n*") == "1C X XX Pass 1NT Pass 2NT"


def test_ap_stands_for_the_passes_that_remain() -> None:
    several = "Pass Pass Pass 1C Pass Pass Pass AP"
    for section, passes in (("AP", 4), ("1C AP", 3), ("1C Pass AP", 3), ("Pass Pass AP", 4), (several, 6)):
        assert calls(section).count("Pass") == passes, section


def test_hyphens_pass_over_the_seats_before_the_dealer() -> None:
    board = record(DEAL + '[Dealer "E"]\n[Auction "W"]\n-  -  1C Pass\n1S AP')
    assert board.auction is not None and board.auction.dealer is Seat.EAST
    assert board.contract == Contract.parse("1S", Seat.WEST)


def test_an_auction_may_stop_or_be_yet_to_begin() -> None:
    assert calls("1C Pass\n+") == calls("1C Pass\n*") == "1C Pass"
    assert calls("+") == ""
    assert record(DEAL + '[Auction "N"]\n').auction is None


def test_a_note_or_an_exclamation_mark_alerts_and_a_note_explains() -> None:
    board = record(
        DEAL + '[Auction "N"]\n1NT =1= Pass! 2C=2= Pass\n2D Pass =1=$4 2H {why?} =3= AP\n'
        '[Note "1: 12-14"]\n[Note "2:Stayman"]\n[Play "E"]\n*\n[Note "1:of the play"]\n'
    )
    assert board.auction is not None
    assert [call.explanation for call in board.auction.calls[:7]] == ["12-14", "", "Stayman", "", "", "12-14", ""]
    assert [call.alert for call in board.auction.calls[:7]] == [True, True, True, False, False, True, True]
    assert board.commentary == "why?\nCall 6, Pass by East: very poor call."


def test_opinions_of_calls_are_kept_as_commentary() -> None:
    board = record(DEAL + '[Auction "E"]\n1NT$1 Pass ?? $0 2C $13 $24 Pass $99 $021 !? AP')
    assert board.commentary == (
        "Call 1, 1NT by East: good call.\nCall 2, Pass by South: very poor call.\n"
        "Call 3, 2C by West: the call has been corrected.\nCall 3, 2C by West: cue bid.\n"
        "Call 4, Pass by North: $99.\nCall 4, Pass by North: artificial.\nCall 4, Pass by North: speculative call."
    )


def test_opinions_and_notes_of_cards_are_kept_as_commentary() -> None:
    board = record(
        PLAYED + '[Play "E"]\nH5! H2 HA =1= H8 $9\nD2 DA =1= $7 D8 D5\n- =1= dk ?! -- --\n*\n'
        '[Note "1:Why not low?"][Note "2:never asked for"]'
    )
    assert board.commentary == (
        "Trick 1, H5 by East; Trick 2, DA by South: good card.\n"
        "Trick 1, HA by West; Trick 2, DA by South: Why not low?\n"
        "Trick 1, H8 by North: very good card.\nTrick 3, DK by South: questionable card."
    )


def test_an_impossible_auction_is_refused_by_name_at_its_line() -> None:
    for section, code in (
        *(("1C + 1D", "malformed_auction"), ("1C - 1D", "malformed_auction"), ("1C & 1D", "malformed_auction")),
        *(("1C foo", "malformed_call"), ("1D ^I 1C", "irregularity"), ("1S Pass X", "illegal_call")),
    ):
        error = refusal(f'{DEAL}[Auction "N"]\n{section}')
        assert (error.code, error.line) == (code, 2), section
    assert error.message == "Call 3, X by South: 1S was bid by the same side."
    assert refusal(DEAL + '[Dealer "S"]\n[Auction "N"]\n1C *').code == "dealer_contradicts_auction"


def test_play_is_read_by_columns_and_may_stop_in_mid_trick() -> None:
    board = record(PLAYED + '[Result "7"][Play "E"]\nH5! H2 HA H8 $9\nD2 DA D8 =1= D5\n- dk -- --\n*')
    assert board.play == ("H5", "H2", "HA", "H8", "D8", "D5", "D2", "DA", "DK")
    assert (board.opening_lead, board.tricks) == ("H5", 7)
    lead_alone = record(PLAYED + '[Play "E"]\nCA - - -\n*')
    assert (lead_alone.opening_lead, lead_alone.play) == ("CA", ())


def test_an_impossible_play_or_result_is_refused_at_its_line() -> None:
    for section, code in (
        *(('[Play "W"]\nHA', "illegal_lead"), ('[Play "E"]\nCA C7 - C2\n', "malformed_play")),
        *(('[Play "E"]\nCA SA\n', "illegal_play"), ('[Play "E"]\nCA ^R S4', "irregularity")),
        *(('[Play "E"]\nC1', "malformed_card"), ('[Play "Q"]\nCA', "malformed_seat")),
        ('[Play "E"]\n' + "CA " * 53, "malformed_play"),
        *((f'[Result "{n}"]', "impossible_result") for n in ("14", "-1", "nine", "9.5", "999999999999999999999")),
    ):
        error = refusal(PLAYED + section)
        assert (error.code, error.line) == (code, 3), section


def test_a_play_needs_a_contract_unless_it_is_empty() -> None:
    assert refusal(DEAL + '[Play "E"]\nCA').code == "play_without_contract"
    assert record(DEAL + '[Play "E"]\n*').play == ()


def test_the_result_counts_declarers_tricks_where_it_is_known() -> None:
    for result in ("9", "^9", "NS 9", "EW 4", "^EW 4 NS 9", "ns9"):
        assert record(PLAYED + f'[Result "{result}"]').tricks == 9, result
    for result, tricks in (("0", 0), ("", None), ("?", None)):
        assert record(PLAYED + f'[Result "{result}"]').tricks == tricks, result
    to_be_continued = '[Result "1"]\n[Play "E"]\nCA C7 C5 C2\n+'
    assert record(PLAYED + to_be_continued).tricks is None
    passed_out = record(DEAL + '[Declarer ""][Contract "Pass"][Result "0"]')
    assert (passed_out.contract, passed_out.tricks, passed_out.score) == (PASSED_OUT, None, 0)


def test_a_missing_contract_or_declarer_is_taken_from_the_auction() -> None:
    bid = '[Auction "N"]\n1S Pass 2S AP'
    for stated in ("", '[Contract "2S"]', '[Declarer "N"]', '[Contract "?"][Declarer "?"]'):
        assert record(DEAL + stated + bid).contract == Contract.parse("2S", Seat.NORTH), stated
    for stated in ('[Contract "3S"]', '[Declarer "S"]', '[Contract "Pass"]'):
        assert refusal(DEAL + stated + bid).code == "contract_contradicts_auction", stated
    assert refusal(DEAL + '[Contract "2S"]').code == "unknown_declarer"


def test_swapped_declarer_and_dummy_are_read_without_an_auction_and_refused_with_one() -> None:
    swapped = DEAL + '[Contract "2S"]\n[Declarer "^S"]\n'
    assert record(swapped).contract == Contract.parse("2S", Seat.SOUTH)
    error = refusal(swapped + '[Auction "N"]\n2S AP')
    assert (error.code, error.line) == ("irregularity", 3)
