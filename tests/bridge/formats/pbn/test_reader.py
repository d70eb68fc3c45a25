"""The lenient reading of PBN, a small file for each rule."""

from dataclasses import replace

from bridge.auction import Auction, Call
from bridge.board import BoardRecord
from bridge.contract import PASSED_OUT, Contract
from bridge.formats.outcomes import GivenPoints, ReadBoard, RecordError, RecordRemark, SkippedRecord
from bridge.layout import Layout
from bridge.seats import Seat
from bridge.vulnerability import Vulnerability
from tests.bridge.formats.pbn.files import DEAL, PLAYED, outcomes, read_all, record, refusal
from tests.bridge.formats.reading import CARDS, content, refused


def test_it_reads_a_whole_game_and_keeps_no_names_of_players() -> None:
    board = record(
        '% PBN 2.1\n[Event "Club night"]\n[Site "Delft"]\n[Date "2024.03.??"]\n[Board "3"]\n[West "A. B."]\n'
        f'[Dealer "S"]\n[Vulnerable "EW"]\n{DEAL}[Scoring "IMP;Cross"]\n[Declarer "W"]\n[Contract "2H"]\n'
        '[Result "8"]\n[BidSystemNS "Acol"]\n[Description "A lesson"]\n{ Nicely bid. }\n'
        '[Auction "S"]\nPass 1H Pass 2H\nAP\n[Play "N"]\nD7 D2 DA D8\n- - DK -\n*\n'
    )
    bare = BoardRecord(Layout.parse(CARDS), Seat.SOUTH, Vulnerability.EW, board_number=3)
    texts = replace(bare, event="Club night", site="Delft", date="2024.03.??", scoring="IMP;Cross", title="A lesson")
    assert board == replace(
        texts,
        auction=Auction(Seat.SOUTH, tuple(map(Call, ["Pass", "1H", "Pass", "2H", "Pass", "Pass", "Pass"]))),
        contract=Contract.parse("2H", Seat.WEST),
        opening_lead="D7",
        play=("D7", "D2", "DA", "D8", "DK"),
        tricks=8,
        commentary="Nicely bid.",
        auction_system="Acol",
    )


def test_lines_end_in_lf_cr_or_crlf_even_across_two_reads() -> None:
    for end in ("\n", "\r", "\r\n"):
        two = (DEAL + '[Board "1"]\n\n' + DEAL + '[Board "2"]\n\n\n').replace("\n", end)
        assert [board.board_number for board in read_all(two)] == [1, 2], end
    for size in (65535, 65536, 65537):
        filler = "%" * (size - len(DEAL) - 1)
        assert record(f'{DEAL[:-1]}\r\n{filler}\r\n[Board "7"]\r\n').board_number == 7, size


def test_tags_come_in_any_order_and_layout_and_the_first_of_two_equal_ones_counts() -> None:
    board = record(f'[Vulnerable "Both"][Board "5"]  [Dealer\n  "w"\n]\n[ Deal "{CARDS}" ][Board "6"]')
    assert (board.board_number, board.dealer, board.vulnerability) == (5, Seat.WEST, Vulnerability.ALL)


def test_escape_lines_line_comments_and_supplementary_sections_are_skipped() -> None:
    assert record('%[Board "1"]\n' + DEAL + '[Board "2"] ; not [Board "3"] {\n; nor } this\n').board_number == 2
    assert record(DEAL + ' %[Event "100%"]').event == "100%"
    table = '[OptimumResultTable "Declarer;Denomination\\2R;Result\\2R"]\nN NT  7\n"A;B" + * ] % $ !\n'
    assert record(table + DEAL + table).layout.cards == CARDS


def test_the_points_of_a_table_are_handed_on_where_they_name_a_side() -> None:
    for tag, points in (
        ('[ScoreMP "NS 7.5 EW 2.5"]', GivenPoints(True, 7.5, 2.5)),
        ('[ScoreMP "EW 2 NS 8"]', GivenPoints(True, 8, 2)),
        ('[ScoreIMP "ns -3,25"]', GivenPoints(False, -3.25, None)),
        *(
            (f"[{tag}]", None)
            for tag in ('ScoreIMP "3"', 'ScoreMP "EW 2"', 'ScoreMP "NS ?"', 'ScorePercentage "NS 50"')
        ),
    ):
        (outcome,) = outcomes(DEAL + tag)
        assert isinstance(outcome, ReadBoard) and outcome.points == points, tag


def test_comments_in_braces_are_kept_over_blank_lines_of_their_game() -> None:
    board = record("{Before}\n" + DEAL + '{ one; [Board "9"]\n\n  two { three }\n[Board "2"] {}{After}\n')
    assert board.commentary == 'Before\n one; [Board "9"]\n\n  two { three\nAfter'
    assert board.board_number == 2
    first, second = outcomes(f'{DEAL}{{ oops\n\n[Board "2"]\n{DEAL}{{ fine }}\n')
    assert refused(first)[3] == "unterminated_comment"
    assert content(second).commentary == "fine"


def test_quotes_and_backslashes_in_values_are_escaped() -> None:
    assert record(DEAL + r'[Event "The \"Big\" \\S game"]').event == r'The "Big" \S game'
    assert record(DEAL + '[Event "The "Big" game"]\n').event == 'The "Big" game'
    assert record(DEAL + '[Site "C:\\"]\n').site == "C:\\"


def test_unknown_and_inapplicable_values_are_read_as_missing() -> None:
    board = record(DEAL + '[Event "?"][Site ""][Declarer "?"][Contract "?"][Result "?"][Auction "?"][Play ""]')
    assert (board.event, board.site, board.contract, board.tricks, board.auction) == ("", "", *[None] * 3)


def test_hashes_take_the_values_of_games_before_but_never_the_board_itself() -> None:
    hashed = DEAL + '[Event "#"]\n\n'
    boards = read_all('[Event "a"]' + DEAL + "\n" + DEAL + "\n" + hashed + '[Event "b"]' + DEAL + "\n" + hashed)
    assert [board.event for board in boards] == ["a", "", "a", "b", "b"]
    assert record(hashed).event == ""
    boards = read_all(f'[Site "##x"]\n\n{DEAL}\n{DEAL}[Site "y"]\n\n{DEAL}\n')
    assert [board.site for board in boards] == ["x", "y", "y"]
    for name in ("Dealer", "Vulnerable", "Deal", "Declarer", "Contract", "Auction", "Play"):
        error = refusal(f'[Site "x"]\n[{name} "#"]\n' + DEAL * (name != "Deal"))
        assert (error.code, error.line) == ("forbidden_inheritance", 2), name
        assert name in error.message


def test_a_game_without_a_deal_is_a_further_table_of_the_board_before_it() -> None:
    table = '[Declarer "{}"]\n[Contract "1NT"]\n[Result "7"]\n\n'
    first, second = read_all(
        f'[Event "Match"][Board "2"][Dealer "E"][Vulnerable "NS"]{DEAL}{table.format("N")}{table.format("S")}'
    )
    assert (second.layout, second.dealer, second.vulnerability) == (first.layout, Seat.EAST, Vulnerability.NS)
    assert (second.event, second.board_number, second.score) == ("Match", 2, 90)
    assert second.contract == Contract.parse("1NT", Seat.SOUTH)


def test_a_game_without_a_deal_is_skipped_when_it_has_only_scores_and_else_refused() -> None:
    cases: list[tuple[str, type[RecordRemark]]] = [
        ('[Board "2"][Declarer "N"][Contract "1NT"][Result "7"]', SkippedRecord),
        ('[Scoring "IMP"]', SkippedRecord),
        ('[Board "2"][Declarer "N"][Contract "1NT"][Play "E"]\nCA - - -', SkippedRecord),
        ('[Board "2"][Auction "N"]\n1NT Pass Pass Pass', RecordError),
        ("just words", RecordError),
    ]
    for second, kind in cases:
        _, outcome = outcomes(f'[Board "1"]{DEAL}\n{second}\n')
        assert isinstance(outcome, RecordRemark) and isinstance(outcome, kind), second
        assert (outcome.record, outcome.line, outcome.code) == (2, 3, "no_deal")


def test_games_are_told_apart_by_their_tags_and_comments_or_headers_alone_are_none() -> None:
    boards = read_all(f'[Board "1"][Dealer "N"]{DEAL}[Board "2"][Dealer "E"]{DEAL}' * 2)
    assert [board.board_number for board in boards] == [1, 2, 1, 2]
    assert len(read_all(DEAL * 3)) == 3
    board = record('{ A file }\n\n; of one\n\n% board\n\n[Event "##Cup"]\n\n' + DEAL)
    assert board.event == "Cup"
    assert len(read_all('[Table "##4"]\n[Event "##Cup"]\n\n' + DEAL)) == 1


def test_a_game_in_which_the_file_ends_within_a_tag_is_kept_up_to_there() -> None:
    before = f'[Board "1"]\n{DEAL}\n'
    for end in ("[", "[Con", '[Contract "', '[Contract "4', '[Contract "4 \\', '[Contract "4S"', '[Contract "4S"\r\n'):
        first, last = outcomes(f'{before}[Board "2"]\n[Dealer "W"]\n{DEAL}{end}')
        assert content(first).board_number == 1 and isinstance(last, ReadBoard), end
        assert (last.content.dealer, last.content.contract) == (Seat.WEST, None)
        assert [(warning.code, warning.line) for warning in last.warnings] == [("file_cut", 7)], end
        assert refusal(f"{DEAL}{end}").code == "file_cut"
    for file in (before + DEAL[:30], f'{DEAL}[Contract "4\n\n{DEAL}', f'{DEAL}[Contract "4\n[Result "9"]'):
        assert "malformed_tag" in [each.code for each in outcomes(file) if isinstance(each, RecordError)], file


def test_a_missing_dealer_or_vulnerability_follows_from_the_rest() -> None:
    assert record(DEAL + '[Board "2"][Auction "W"]\n1C *').dealer is Seat.WEST
    assert record(DEAL + '[Board "2"]').dealer is Seat.EAST
    assert record(DEAL.replace("N:", "S:")).dealer is Seat.SOUTH
    assert record(DEAL + '[Board "2"][Vulnerable "?"]').vulnerability is Vulnerability.NS
    assert record(DEAL).vulnerability is Vulnerability.NONE


def test_one_hand_that_is_not_given_has_the_other_cards_and_more_are_refused_by_name() -> None:
    for hand in CARDS.removeprefix("N:").split():
        assert record(DEAL.replace(hand, "-")).layout.cards == CARDS
    for dealt in ("N:- - - -", "N:AKQJ.T98.765.432 - 654.32.AKQJ.T987 -"):
        error = refusal(f'[Board "1"]\n[Deal "{dealt}"]')
        assert (error.line, error.code) == (2, "unknown_hand")
        assert "East" in error.message or "North" in error.message


def test_the_auction_system_is_north_souths_or_else_east_wests() -> None:
    for north_south, system in (('[BidSystemNS "Acol"]', "Acol"), ('[BidSystemNS "?"]', "SAYC"), ("", "SAYC")):
        assert record(f'{DEAL}{north_south}[BidSystemEW "SAYC"]').auction_system == system, north_south


def test_further_games_take_no_text_that_is_too_long() -> None:
    for length, codes in ((400, ["text_dropped"]), (401, [])):
        text = "x" * length
        for first, further in (
            (f'[Stage "##{text}"]\n', DEAL),
            (f'[Stage "{text}"]\n{DEAL}', f'[Stage "#"]\n{DEAL}'),
            (f'[Stage "{text}"]\n{DEAL}', '[Contract "Pass"]\n'),
        ):
            *_, outcome = outcomes(f"{first}\n{further}")
            assert isinstance(outcome, ReadBoard) and outcome.content.layout.cards == CARDS
            assert [warning.code for warning in outcome.warnings] == codes, further


# --- Auction, contract, play and result ---------------------------------------------------------------------------


def calls(section: str) -> str:
    auction = record(f'{DEAL}[Auction "N"]\n{section}').auction
    assert auction is not None
    return " ".join(call.call for call in auction.calls)


def test_auctions_are_read_in_every_spelling() -> None:
    assert calls("1c X xx PASS 1n p 2NT\n*") == "1C X XX Pass 1NT Pass 2NT"
    assert calls("No bid NB 1C no Bid\nnb all Pass") == "Pass Pass 1C Pass Pass Pass"
    several = "Pass Pass Pass 1C Pass Pass Pass AP"
    for section, passes in (("AP", 4), ("1C AP", 3), ("1C Pass AP", 3), ("Pass Pass AP", 4), (several, 6)):
        assert calls(section).count("Pass") == passes, section
    assert (calls("1C Pass\n+"), calls("1C Pass\n*"), calls("+")) == ("1C Pass", "1C Pass", "")
    assert record(DEAL + '[Auction "N"]\n').auction is None
    board = record(DEAL + '[Dealer "E"]\n[Auction "W"]\n-  -  1C Pass\n1S AP')
    assert board.auction is not None and board.auction.dealer is Seat.EAST
    assert board.contract == Contract.parse("1S", Seat.WEST)


def test_a_note_or_an_exclamation_mark_alerts_and_a_note_explains() -> None:
    board = record(
        DEAL + '[Auction "N"]\n1NT =1= Pass! 2C=2= Pass\n2D Pass =1=$4 2H {why?} =3= AP\n'
        '[Note "1: 12-14"]\n[Note "2:Stayman"]\n[Play "E"]\n*\n[Note "1:of the play"]\n'
    )
    assert board.auction is not None
    assert [call.explanation for call in board.auction.calls[:7]] == ["12-14", "", "Stayman", "", "", "12-14", ""]
    assert [call.alert for call in board.auction.calls[:7]] == [True, True, True, False, False, True, True]
    assert board.commentary == "why?\nCall 6, Pass by East: very poor call."


def test_opinions_and_notes_of_calls_and_cards_are_kept_as_commentary() -> None:
    board = record(DEAL + '[Auction "E"]\n1NT$1 Pass ?? $0 2C $13 $24 Pass $99 $021 !? AP')
    assert board.commentary == (
        "Call 1, 1NT by East: good call.\nCall 2, Pass by South: very poor call.\n"
        "Call 3, 2C by West: the call has been corrected.\nCall 3, 2C by West: cue bid.\n"
        "Call 4, Pass by North: $99.\nCall 4, Pass by North: artificial.\nCall 4, Pass by North: speculative call."
    )
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
        *(("1C All", "malformed_call"), ("1C No !", "malformed_call"), ("1C foo", "malformed_call")),
        *(("1D ^I 1C", "irregularity"), ("1S Pass X", "illegal_call")),
    ):
        error = refusal(f'{DEAL}[Auction "N"]\n{section}')
        assert (error.code, error.line) == (code, 2), section
    assert error.message == "Call 3, X by South: 1S was bid by the same side (Law 19A)."
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


def test_a_missing_contract_or_declarer_is_taken_from_the_auction_and_another_refused() -> None:
    bid = '[Auction "N"]\n1S Pass 2S AP'
    for stated in ("", '[Contract "2S"]', '[Declarer "N"]', '[Contract "?"][Declarer "?"]'):
        assert record(DEAL + stated + bid).contract == Contract.parse("2S", Seat.NORTH), stated
    for stated in ('[Contract "3S"]', '[Declarer "S"]', '[Contract "Pass"]'):
        assert refusal(DEAL + stated + bid).code == "contract_contradicts_auction", stated
    assert refusal(DEAL + '[Contract "2S"]').code == "unknown_declarer"
    error = refusal(DEAL + '[Dealer "S"]\n[Declarer "E"]\n[Contract "2H"]\n[Auction "S"]\nPass 1H Pass 2H\nAP\n')
    assert (error.record, error.line) == (1, 4)
    assert error.message == "The auction ends in 2H by West, but the contract is given as 2H by East."
    swapped = DEAL + '[Contract "2S"]\n[Declarer "^S"]\n'
    assert record(swapped).contract == Contract.parse("2S", Seat.SOUTH)
    error = refusal(swapped + '[Auction "N"]\n2S AP')
    assert (error.code, error.line) == ("irregularity", 3)
