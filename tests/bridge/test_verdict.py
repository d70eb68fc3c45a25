"""What double dummy says of boards of ours whose truth is known."""

import re
from dataclasses import replace
from itertools import product
from pathlib import Path

from bridge import verdict
from bridge.board import BoardRecord
from bridge.contract import PASSED_OUT, Contract
from bridge.double_dummy import DoubleDummyTable, Par
from bridge.layout import Layout
from bridge.play import players_of
from bridge.play_analysis import Trace, lost_by
from bridge.seats import Seat
from bridge.verdict import CODES, judge, name_of_pars
from bridge.vulnerability import Vulnerability
from tests.bridge.factories import play_at_random

FOUR_SUITS = Layout("N:AKQJT98765432... .AKQJT98765432.. ..AKQJT98765432. ...AKQJT98765432")
GAME: Par = {"score": 430, "contracts": ["NS 3NT+1"]}
SLAM: Par = {"score": 980, "contracts": ["NS 6S"]}
SACRIFICE: Par = {"score": 300, "contracts": ["EW 5DX-2"]}
NOTHING: Par = {"score": 0, "contracts": ["Pass"]}
PAR_IS_GAME = "Par is 3NT, one over, by North-South: North-South +430."
WORTH = "The contract is worth"


def table_of(tricks: int) -> DoubleDummyTable:
    """Return a table in which North and South make so many tricks in each denomination."""
    sides = {seat: tricks if seat in "NS" else 13 - tricks for seat in "NESW"}
    return DoubleDummyTable.from_tricks(
        {seat: dict.fromkeys(("C", "D", "H", "S", "NT"), each) for seat, each in sides.items()}
    )


TEN_TRICKS = table_of(10)


def board(contract: str, declarer: str = "N", tricks: int | None = None, play: tuple[str, ...] = ()) -> BoardRecord:
    parsed = Contract.parse(contract, Seat(declarer))
    lead = "".join(play[:1])
    bare = BoardRecord(FOUR_SUITS, Seat.NORTH, Vulnerability.NONE)
    return replace(bare, contract=parsed, tricks=tricks, play=play, opening_lead=lead)


def texts(
    record: BoardRecord, par: Par | None = None, trace: str = "", table: DoubleDummyTable | None = TEN_TRICKS
) -> list[str]:
    said = list(judge(record, table, par, Trace(trace) if trace else None))
    assert [each.code for each in said] == sorted((each.code for each in said), key=CODES.index)
    return [each.text for each in said]


def test_a_result_is_compared_with_what_all_cards_seen_would_make() -> None:
    for contract, declarer, tricks, sentences in (
        ("4S", "N", 10, ["4♠ by North made: North-South +420.", "With all cards seen the result is the same."]),
        ("4S", "N", 11, ["4♠ by North made with an overtrick: North-South +450.",
            "With all cards seen it would make; North-South won a trick more than that."]),
        ("4S", "N", 8, ["4♠ by North went two down: East-West +100.",
            "With all cards seen it would make; North-South won two tricks fewer than that."]),
        ("2HX", "E", 9, ["2♥ doubled by East made with an overtrick: East-West +570.",
            "With all cards seen it would go five down; East-West won six tricks more than that."]),
        ("1NT", "S", None, ["With all cards seen 1NT by South makes with three overtricks."]),
    ):  # fmt: skip
        assert texts(board(contract, declarer, tricks)) == sentences


def test_a_contract_and_another_score_at_the_table_are_compared_with_par() -> None:
    assert texts(board("3NT"), GAME)[1:] == [PAR_IS_GAME, "The contract is worth par."]
    par_is_slam = "Par is 6♠ by North-South: North-South +980."
    par_is_sacrifice = "Par is 5♦ doubled, two down, by East-West, a sacrifice: North-South +300."
    for contract, declarer, par, par_is, (score, side, points), others in (
        ("4S", "N", SLAM, par_is_slam, (420, "East-West", 560), ["North-South could make a slam."]),
        ("2S", "S", GAME, PAR_IS_GAME, (170, "East-West", 260), ["North-South could make a game."]),
        ("2S", "E", GAME, PAR_IS_GAME, (250, "East-West", 180), []),
        ("4S", "N", SACRIFICE, par_is_sacrifice, (420, "North-South", 120), []),
    ):
        worth = f"{WORTH} North-South +{score}: {points} points better than par for {side}."
        assert texts(board(contract, declarer), par)[1:] == [par_is, worth, *others]
    grand: Par = {"score": 1510, "contracts": ["NS 7S"]}
    for bid in ("6S", "4S"):
        assert "North-South could make a grand slam." in texts(board(bid, "N", 13), grand)
    at_the_table = "The score at the table was East-West +100: 1080 points better than par for East-West."
    assert at_the_table in texts(board("4S", "N", 8), SLAM)
    assert not [text for text in texts(board("4S", "N", 10), SLAM) if "at the table" in text]


def test_a_board_without_a_contract_is_compared_with_par_only_where_it_was_passed_out() -> None:
    passed = replace(board("4S"), contract=PASSED_OUT)
    assert texts(passed, NOTHING) == ["Par is to pass the board out.", "Passing the board out is worth par."]
    assert texts(passed, GAME) == [
        PAR_IS_GAME,
        "Passing the board out is worth 0: 430 points better than par for East-West.",
        "With all cards seen North-South could make a game.",
    ]
    assert texts(replace(board("4S"), contract=None), GAME) == texts(board("4S"), table=None) == []


PLAY = ("HA", "DA", "CA", "SA", "SK", "H2", "D2", "C2")
"""North declares: East leads, South follows with a diamond, West with a club, and North ruffs."""


def texts_of_trace(trace: str) -> list[str]:
    return texts(board("7S", "N", int(trace[-1], 16), PLAY), trace=trace, table=None)


def test_the_cards_that_cost_a_trick_are_named() -> None:
    lead = "With all cards seen the lead of ♥A cost"
    each_in_turn = (
        "♦A (dummy, trick 1) cost North-South a trick; ♣A (West, trick 1) gave it back; "
        "♠K (North, trick 2) cost North-South a trick; ♥2 (East, trick 2) gave it back."
    )
    in_all = (
        "Six later cards cost tricks: those of North-South (♦A, ♠A, ♦2) three tricks and those of East-West "
        "(♣A, ♥2, ♣2) three tricks."
    )
    for trace, of_lead, of_others in (
        ("999999999", "nothing.", "No card on record cost a trick."),
        ("9aaaaaaaa", "East-West a trick.", "No later card on record cost a trick."),
        ("9baaaaaaa", "East-West two tricks.", "♦A (dummy, trick 1) gave one back."),
        # South's ace costs a trick, West's gives it back, and so do North's king and East's two.
        ("998998999", "nothing.", each_in_turn),
        ("998988989", "nothing.", in_all),
    ):
        assert texts_of_trace(trace)[1:] == [f"{lead} {of_lead}", of_others]


def test_what_is_given_back_is_told_from_what_is_lost() -> None:
    for trace, sentence in (
        ("9bacccccc", "gave one back; ♣A (West, trick 1) cost East-West two tricks."),
        ("9baaa999a", "gave one back; ♠K (North, trick 2) gave the rest back; ♣2 (West, trick 2) cost"),
        ("9b9999999", "gave both back."),
        ("9a8888888", "gave it back and cost North-South a trick as well."),
    ):
        assert texts_of_trace(trace)[2].startswith(f"♦A (dummy, trick 1) {sentence}")


def test_that_all_cards_are_seen_is_said_once() -> None:
    pars, traces = (None, GAME, SLAM, SACRIFICE, NOTHING), ("", "999999999", "9baaa999a", "998988989")
    for par, trace, table in product(pars, traces, (None, TEN_TRICKS)):
        said = " ".join(texts(board("6S", "N", 11, PLAY), par, trace, table)).lower()
        assert said.count("with all cards seen") == bool(trace or table), said


def test_a_difference_that_is_no_imp_is_as_good_as_par_in_a_match() -> None:
    """420 beside 430 is a loss at matchpoints and nothing at IMPs; 20 points are an IMP."""
    nothing = f"{WORTH} North-South +420: as good as par in IMPs."
    better = f"{WORTH} North-South +420: 10 points better than par for East-West."
    four_spades = board("4S", "N", 10)
    for texts_of_match, expected in (
        ({"scoring": "IMP"}, nothing), ({"scoring": "IMP;Cross"}, nothing),
        ({"scoring": "Butler"}, nothing), ({"room": "Open"}, nothing),
        ({"home_team": "A", "visit_team": "B"}, nothing), ({"room": "Open", "scoring": "BAM"}, better),
        ({"scoring": "MP"}, better), ({"home_team": "A"}, better), ({}, better),
    ):  # fmt: skip
        record = replace(four_spades, **texts_of_match)
        assert expected in texts(record, GAME), texts_of_match
        (verdict,) = [each for each in judge(record, TEN_TRICKS, GAME, None) if "contract_" in each.code]
        code = "contract_par" if expected == nothing else "contract_against_par"
        assert (verdict.code, verdict.side, verdict.points, verdict.score) == (code, "EW", 10, 420)
    match = replace(four_spades, scoring="IMP")
    twenty: Par = {"score": 440, "contracts": ["NS 4S"]}
    assert f"{WORTH} North-South +420: 20 points better than par for East-West." in texts(match, twenty)
    at_the_table = "The score at the table was North-South +420: as good as par in IMPs."
    assert at_the_table in texts(match, GAME, table=table_of(9))


def test_a_result_that_the_known_cards_do_not_explain_is_said() -> None:
    assert texts(board("7S", "N", 11, PLAY), trace="999999999", table=None)[-1] == (
        "The record stops at ♣2 in trick 2: from there North-South won two tricks more than the cards gave."
    )


def test_the_figures_of_all_sentences_together_explain_the_result() -> None:
    for seed in range(60):
        layout, contract, played = play_at_random(seed, 1 + seed % 52)
        tricks = [choice % 14 for choice in range(seed, seed + len(played) + 1)]
        trace = legal_trace(contract, played, tricks)
        record = BoardRecord(layout, Seat.NORTH, Vulnerability.ALL, contract=contract, play=tuple(played))
        figures = {each.code: each for each in judge(replace(record, tricks=seed % 14), None, None, trace)}
        assert contract.declarer
        costs = trace.costs(contract, played)
        lost, gained = lost_by(contract.declarer.side, costs), lost_by(contract.declarer.next.side, costs)
        rest = figures["rest"].tricks if "rest" in figures else 0
        assert trace.tricks[0] - lost + gained + (rest or 0) == seed % 14


def legal_trace(contract: Contract, played: list[str], wishes: list[int]) -> Trace:
    """Return a trace in which each side only loses tricks by its own cards, as far as one can towards the wishes."""
    tricks = [7]
    for seat, wish in zip(players_of(contract, played), wishes[1:], strict=True):
        is_declaring = contract.declarer is not None and seat.side == contract.declarer.side
        tricks.append(min(tricks[-1], wish) if is_declaring else max(tricks[-1], wish))
    return Trace.from_tricks(tricks)


def test_par_contracts_have_names() -> None:
    for contracts, name in (
        *((["NS 4S"], "4♠ by North-South"), (["E 1NT+1"], "1NT, one over, by East")),
        (["EW 5DX-2"], "5♦ doubled, two down, by East-West, a sacrifice"),
        (["NS 3NT", "NS 3S", "NS 3H"], "3NT, 3♠ or 3♥ by North-South"),
        (["EW 4SX-3", "EW 5DX-3"], "4♠ doubled or 5♦ doubled, each three down, by East-West, a sacrifice"),
        (["NS 3S", "N 2NT+1"], "3♠ by North-South or 2NT, one over, by North"),
    ):
        assert name_of_pars(contracts) == name


def test_no_sentence_blames_anybody() -> None:
    source = Path(verdict.__file__).read_text(encoding="utf-8").lower()
    for word in ("mistake", "error", "wrong", "bad ", "should", "missed", "fault"):
        assert not re.search(rf"\b{word}", source)
