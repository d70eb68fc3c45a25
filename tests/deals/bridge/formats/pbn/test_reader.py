"""The lenient reading of games and tags, a small file for each rule."""

from deals.bridge.auction import Auction, Call
from deals.bridge.board import BoardRecord
from deals.bridge.contract import Contract
from deals.bridge.formats.outcomes import ReadBoard, RecordError, RecordRemark, SkippedRecord
from deals.bridge.layout import Layout
from deals.bridge.seats import Seat
from deals.bridge.vulnerability import Vulnerability
from tests.deals.bridge.formats.pbn.files import DEAL, outcomes, read_all, record, refusal
from tests.deals.bridge.formats.reading import CARDS, content, refused


def test_it_reads_a_whole_game() -> None:
    board = record(
        '% PBN 2.1\n[Event "Club night"]\n[Site "Delft"]\n[Date "2024.03.??"]\n[Board "3"]\n[West "A. B."]\n'
        f'[Dealer "S"]\n[Vulnerable "EW"]\n{DEAL}[Scoring "IMP;Cross"]\n[Declarer "W"]\n[Contract "2H"]\n'
        '[Result "8"]\n[BidSystemNS "Acol"]\n[Description "A lesson"]\n{ Nicely bid. }\n'
        '[Auction "S"]\nPass 1H Pass 2H\nAP\n[Play "N"]\nD7 D2 DA D8\n- - DK -\n*\n'
    )
    calls = ("Pass", "1H", "Pass", "2H", "Pass", "Pass", "Pass")
    assert board == BoardRecord(
        Layout.parse(CARDS),
        Seat.SOUTH,
        Vulnerability.EW,
        board_number=3,
        auction=Auction(Seat.SOUTH, tuple(map(Call, calls))),
        contract=Contract.parse("2H", Seat.WEST),
        opening_lead="D7",
        play=("D7", "D2", "DA", "D8", "DK"),
        tricks=8,
        title="A lesson",
        commentary="Nicely bid.",
        auction_system="Acol",
        event="Club night",
        site="Delft",
        date="2024.03.??",
        scoring="IMP;Cross",
    )


def test_a_contradicted_declarer_is_refused_at_its_line() -> None:
    error = refusal(DEAL + '[Dealer "S"]\n[Declarer "E"]\n[Contract "2H"]\n[Auction "S"]\nPass 1H Pass 2H\nAP\n')
    assert (error.record, error.line, error.code) == (1, 4, "contract_contradicts_auction")
    assert error.message == "The auction ends in 2H by West, but the contract is given as 2H by East."


def test_players_names_are_not_kept() -> None:
    assert "Garozzo" not in repr(record(DEAL + '[West "Garozzo"][North "Garozzo"]'))


def test_lines_end_in_lf_cr_or_crlf_even_across_two_reads() -> None:
    for end in ("\n", "\r", "\r\n"):
        two = (DEAL + '[Board "1"]\n\n' + DEAL + '[Board "2"]\n\n\n').replace("\n", end)
        assert [board.board_number for board in read_all(two)] == [1, 2], end
    for size in (65535, 65536, 65537):
        filler = "%" * (size - len(DEAL) - 1)
        assert record(f'{DEAL[:-1]}\r\n{filler}\r\n[Board "7"]\r\n').board_number == 7, size


def test_tags_come_in_any_order_several_on_a_line_or_one_over_several_lines() -> None:
    board = record(f'[Vulnerable "Both"][Board "5"]  [Dealer\n  "w"\n]\n[ Deal "{CARDS}" ]')
    assert (board.board_number, board.dealer, board.vulnerability) == (5, Seat.WEST, Vulnerability.ALL)


def test_a_byte_order_mark_utf_8_and_latin_1_are_read() -> None:
    tag = '[Event "Café"]\n' + DEAL
    assert record(b"\xef\xbb\xbf" + tag.encode()).event == record(tag.encode("latin-1")).event == "Café"


def test_only_escape_lines_and_comments_to_the_end_of_a_line_are_skipped() -> None:
    assert record('%[Board "1"]\n' + DEAL + '[Board "2"] ; not [Board "3"] {\n; nor } this\n').board_number == 2
    assert record(DEAL + ' %[Event "100%"]').event == "100%"


def test_comments_in_braces_are_kept_over_lines_and_blank_lines() -> None:
    board = record("{Before}\n" + DEAL + '{ one; [Board "9"]\n\n  two { three }\n[Board "2"] {}{After}\n')
    assert board.commentary == 'Before\n one; [Board "9"]\n\n  two { three\nAfter'
    assert board.board_number == 2


def test_quotes_and_backslashes_in_values_are_escaped() -> None:
    assert record(DEAL + r'[Event "The \"Big\" \\S game"]').event == r'The "Big" \S game'
    assert record(DEAL + '[Event "The "Big" game"]\n').event == 'The "Big" game'
    assert record(DEAL + '[Site "C:\\"]\n').site == "C:\\"


def test_the_first_of_two_equal_tags_counts() -> None:
    assert record('[Event "a"]\n[Event "b"]\n' + DEAL).event == "a"


def test_unknown_and_inapplicable_values_are_read_as_missing() -> None:
    board = record(DEAL + '[Event "?"][Site ""][Declarer "?"][Contract "?"][Result "?"][Auction "?"][Play ""]')
    assert (board.event, board.site, board.contract, board.tricks, board.auction) == ("", "", *[None] * 3)


def test_a_hash_inherits_from_the_nearest_game_with_a_real_value() -> None:
    hashed = DEAL + '[Event "#"]\n\n'
    boards = read_all('[Event "a"]' + DEAL + "\n" + DEAL + "\n" + hashed + '[Event "b"]' + DEAL + "\n" + hashed)
    assert [board.event for board in boards] == ["a", "", "a", "b", "b"]
    assert record(hashed).event == ""


def test_two_hashes_apply_to_all_later_games_until_redefined() -> None:
    boards = read_all(f'[Site "##x"]\n\n{DEAL}\n{DEAL}[Site "y"]\n\n{DEAL}\n')
    assert [board.site for board in boards] == ["x", "y", "y"]


def test_the_board_itself_cannot_be_inherited_by_a_hash() -> None:
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
        ('[Board "2"][Auction "N"]\n1NT Pass Pass Pass', RecordError),
        ("just words", RecordError),
    ]
    for second, kind in cases:
        _, outcome = outcomes(f'[Board "1"]{DEAL}\n{second}\n')
        assert isinstance(outcome, RecordRemark) and type(outcome) is kind, second
        assert (outcome.record, outcome.line, outcome.code) == (2, 3, "no_deal")


def test_comments_alone_and_headers_alone_are_no_records() -> None:
    board = record('{ A file }\n\n; of one\n\n% board\n\n[Event "##Cup"]\n\n' + DEAL)
    assert board.event == "Cup"
    assert len(read_all('[Table "##4"]\n[Event "##Cup"]\n\n' + DEAL)) == 1


def test_games_without_blank_lines_between_them_are_told_apart_by_their_tags() -> None:
    boards = read_all(f'[Board "1"][Dealer "N"]{DEAL}[Board "2"][Dealer "E"]{DEAL}' * 2)
    assert [board.board_number for board in boards] == [1, 2, 1, 2]
    assert len(read_all(DEAL * 3)) == 3


def test_a_missing_dealer_or_vulnerability_follows_from_the_rest() -> None:
    assert record(DEAL + '[Board "2"][Auction "W"]\n1C *').dealer is Seat.WEST
    assert record(DEAL + '[Board "2"]').dealer is Seat.EAST
    assert record(DEAL.replace("N:", "S:")).dealer is Seat.SOUTH
    assert record(DEAL + '[Board "2"][Vulnerable "?"]').vulnerability is Vulnerability.NS
    assert record(DEAL).vulnerability is Vulnerability.NONE


def test_a_board_tag_that_is_not_a_number_gives_no_board_number() -> None:
    for written, number in (("A12", None), ("0", None), ("-1", None), ("123456", None), (" 12 ", 12)):
        assert record(DEAL + f'[Board "{written}"]').board_number == number, written


def test_one_hand_that_is_not_given_has_the_other_cards_and_more_are_refused_by_name() -> None:
    for hand in CARDS.removeprefix("N:").split():
        assert record(DEAL.replace(hand, "-")).layout.cards == CARDS
    for dealt in ("N:- - - -", "N:AKQJ.T98.765.432 - 654.32.AKQJ.T987 -"):
        error = refusal(f'[Board "1"]\n[Deal "{dealt}"]')
        assert (error.line, error.code) == (2, "unknown_hand")
        assert "East" in error.message or "North" in error.message


def test_an_unclosed_comment_does_not_swallow_the_next_game_and_its_comment() -> None:
    first, second = outcomes(f'{DEAL}{{ oops\n\n[Board "2"]\n{DEAL}{{ fine }}\n')
    assert refused(first)[3] == "unterminated_comment"
    assert content(second).commentary == "fine"


def test_supplementary_sections_are_skipped() -> None:
    table = '[OptimumResultTable "Declarer;Denomination\\2R;Result\\2R"]\nN NT  7\n"A;B" + * ] % $ !\n'
    assert record(table + DEAL + table).layout.cards == CARDS


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
