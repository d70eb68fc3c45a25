"""What words find that are asked of several facts, compared with what each board says itself."""

import random
from collections.abc import Callable, Sequence

import pytest

from boards.catalogue.refreshing import refresh
from boards.models import Board
from bridge.layout import controls, losers
from bridge.seats import SEATS, Seat
from deals.models import Deal
from search.conditions import every
from search.index import finding
from search.index.finding import IS_PUBLISHED, find_page
from search.index.folding import fold_all
from search.language.parsing import QueryError
from tests import factories
from tests.bridge.factories import layout
from tests.search.language.known import parse
from tests.search.ways import IN_SEGMENTS, postgresql_only

pytestmark = pytest.mark.django_db

AUCTIONS = (
    *("Pass Pass 1S 2H 4S Pass Pass Pass", "1NT X Pass Pass XX Pass 2C X Pass Pass Pass", "Pass Pass Pass Pass"),
    *("1D X 1H 2C Pass Pass Pass", "Pass 3NT Pass Pass Pass", "1H Pass 4H 4S X Pass Pass Pass", "", "1C 1NT"),
    *("Pass Pass Pass 2C Pass 6C Pass 6H Pass Pass Pass", "1S Pass 2S Pass Pass Pass", "5D Pass Pass Pass"),
    *(
        "1H 1S Pass 2S Pass Pass 3H Pass Pass 3S Pass Pass Pass",
        "2S Pass 4NT Pass Pass Pass",
        "1C Pass 4C Pass Pass Pass",
    ),
)


def store(number: int) -> None:
    choice, cards, calls = random.Random(number), layout(number), AUCTIONS[number % len(AUCTIONS)]
    board = factories.board(number, number=1 + number % 16, calls=calls, cards=cards)
    contract = board.final_contract
    values: dict[str, object] = {"table": choice.choice(["", "3", "A 3"]), "stage": choice.choice(["", "Final"])}
    values |= {"home_team": choice.choice(["", "Hawks"]), "visit_team": choice.choice(["", "Owls", "hawks"])}
    values |= {"scoring": choice.choice(["", "IMP;Cross", "MP"])}
    if contract and contract.leader:
        values |= {"opening_lead": choice.choice(sorted(cards.cards_held_by(contract.leader)))}
        values |= {"tricks": choice.choice([None, choice.randint(5, 13)])}
    if calls and number % 3 == 0:
        values |= {"auction": [[call, *choice.choice([(True, ""), (False, "Weak")])] for call in board.auction or ()]}
    Board.objects.filter(pk=board.pk).update(**values)
    if choice.random() < 0.8:
        digits = "".join(choice.choice("6789abcd") for _ in range(20))
        par = {name: {"score": choice.randint(-90, 90) * 10, "contracts": []} for name in ("None", "NS", "EW", "All")}
        Deal.objects.filter(pk=board.deal_id).update(double_dummy_status="done", double_dummy=digits, par=par)
    refresh([board.pk])


@pytest.fixture(scope="module")
def boards(rows_of_module: None) -> list[Board]:
    for number in range(2 * len(AUCTIONS)):
        store(number)
    return list(Board.objects.with_details().order_by("-number"))


# --- What a board says itself --------------------------------------------------------------------------------------


def calls_of(board: Board) -> list[str]:
    return [call if isinstance(call, str) else call[0] for call in board.auction or ()]


def caller(board: Board, index: int) -> Seat:
    return SEATS[("NESW".index(board.dealer) + index) % 4]


def first_call(board: Board, is_meant: Callable[[Sequence[str], int], bool]) -> Seat | None:
    """Return who made the first call that is meant."""
    calls = calls_of(board)
    return next((caller(board, index) for index in range(len(calls)) if is_meant(calls, index)), None)


def opener(board: Board) -> Seat | None:
    return first_call(board, lambda calls, index: calls[index] != "Pass")


def responder(board: Board) -> Seat | None:
    return seat.partner if (seat := opener(board)) else None


def doubler(board: Board) -> Seat | None:
    return first_call(board, lambda calls, index: calls[index] == "X")


def overcaller(board: Board) -> Seat | None:
    """Return who bid, as the first of the side that did not open to make a call other than pass."""
    opened = opener(board)
    sides = {"NS", "EW"} - {opened.side if opened else ""}
    seat = first_call(board, lambda calls, index: calls[index] != "Pass" and caller(board, index).side in sides)
    bid = first_call(board, lambda calls, index: calls[index][0] in "1234567" and caller(board, index) == seat)
    earlier = first_call(board, lambda calls, index: calls[index] == "X" and caller(board, index) == seat)
    return seat if bid and not earlier else None


def hand(board: Board, seat: Seat) -> list[str]:
    return board.deal.layout.hands[seat.index].split(".")


def declares(board: Board) -> Seat | None:
    return Seat(board.declarer) if board.declarer else None


def side(board: Board, seat: Seat | None) -> list[str]:
    """Return the suits of both hands of a side, none where it is not known."""
    return [*hand(board, seat), *hand(board, seat.partner)] if seat else []


def fit(board: Board, seat: Seat | None) -> int:
    suits = side(board, seat)
    return max((len(one + other) for one, other in zip(suits[:4], suits[4:], strict=True)), default=0)


def is_balanced(suits: list[str]) -> bool:
    return sorted(map(len, suits)) in ([3, 3, 3, 4], [2, 3, 4, 4], [2, 3, 3, 5])


def has(seat: Seat | None, board: Board, is_meant: Callable[[list[str]], bool]) -> bool:
    return seat is not None and is_meant(hand(board, seat))


def is_game(board: Board) -> bool:
    return board.contract[:3] == "3NT" or board.contract[:2] in ("4H", "4S", "4N") or board.contract[:1] == "5"


def result(board: Board) -> int | None:
    return None if board.tricks is None else board.tricks - int(board.contract[0]) - 6


def against_par(board: Board) -> int | None:
    if board.score is None or not board.declarer or not board.deal.par:
        return None
    beyond = board.score - int(board.deal.par[board.vulnerability]["score"])
    return beyond if board.declarer in "NS" else -beyond


def tricks(board: Board, seat: Seat, denomination: str) -> int:
    digits = board.deal.double_dummy or "0" * 20
    return int(digits[5 * seat.index + ("C", "D", "H", "S", "NT").index(denomination)], 16)


def is_vulnerable(board: Board, seat: Seat | None) -> bool:
    return seat is not None and (board.vulnerability == "All" or board.vulnerability == seat.side)


def teams(board: Board) -> set[str]:
    return {board.home_team.lower(), board.visit_team.lower()}


def begins(board: Board, *wanted: str) -> bool:
    calls = calls_of(board)
    return len(calls) >= len(wanted) and all(one in (other, "?") for one, other in zip(wanted, calls, strict=False))


def has_run(board: Board, *wanted: str) -> bool:
    calls = calls_of(board)
    return any(
        len(calls) - start >= len(wanted)
        and all(one in (other, "?") for one, other in zip(wanted, calls[start:], strict=False))
        for start in range(len(calls))
    )


FOUND: dict[str, Callable[[Board], bool]] = {
    "lead=H": lambda board: board.opening_lead[:1] == "H",
    "lead=trump": lambda board: board.opening_lead[:1] == board.contract[1:2] != "",
    "is:game": is_game,
    "is:slam": lambda board: board.contract[:1] in ("6", "7"),
    "is:partscore": lambda board: board.contract[:1] in tuple("1234") and not is_game(board),
    "is:made": lambda board: (result(board) or 0) >= 0 and result(board) is not None,
    "is:down": lambda board: (result(board) or 0) < 0,
    "is:alerted": lambda board: any(isinstance(call, list) for call in board.auction or ()),
    "is:unmakeable": lambda board: (
        bool(board.declarer and board.deal.double_dummy)
        and tricks(board, Seat(board.declarer), str(board.final_contract.denomination)) < int(board.contract[0]) + 6
    ),
    "any(is:balanced)": lambda board: any(is_balanced(hand(board, seat)) for seat in SEATS),
    "vul=declarer": lambda board: is_vulnerable(board, declares(board)),
    "vul=defence": lambda board: is_vulnerable(board, declares(board) and Seat(board.declarer).next),
    "team=Hawks": lambda board: "hawks" in teams(board),
    "team=owls,hawks -table=3": lambda board: bool({"owls", "hawks"} & teams(board)) and board.table != "3",
    'table="a 3"': lambda board: board.table == "A 3",
    "stage=FINAL": lambda board: board.stage == "Final",
    "scoring=imp": lambda board: board.scoring.startswith("IMP"),
    "openerseat=3": lambda board: calls_of(board)[:2] == ["Pass"] * 2 and calls_of(board)[2] != "Pass",
    "openerseat<=2": lambda board: any(call != "Pass" for call in calls_of(board)[:2]),
    "makes=game:ns": lambda board: any(
        tricks(board, seat, denomination) >= least
        for seat in (Seat.NORTH, Seat.SOUTH)
        for denomination, least in (("NT", 9), ("S", 10), ("H", 10), ("D", 11), ("C", 11))
    ),
    "makes=grand:east": lambda board: any(tricks(board, Seat.EAST, each) == 13 for each in ("C", "D", "H", "S", "NT")),
    "againstpar>=100": lambda board: (against_par(board) or 0) >= 100,
    "againstpar<0": lambda board: (against_par(board) or 0) < 0,
    "any(good=S longest=5)": lambda board: any(
        sum(rank in hand(board, seat)[0] for rank in "AKQ") >= 2 and max(map(len, hand(board, seat))) == 5
        for seat in SEATS
    ),
    "south(longest<=5)": lambda board: max(map(len, hand(board, Seat.SOUTH))) <= 5,
    "any(shortest=0)": lambda board: any(min(map(len, hand(board, seat))) == 0 for seat in SEATS),
    "west(shortest>=2)": lambda board: min(map(len, hand(board, Seat.WEST))) >= 2,
    "dealer(spades>=3)": lambda board: has(Seat(board.dealer), board, lambda suits: len(suits[0]) >= 3),
    "responder(spades>=3)": lambda board: has(responder(board), board, lambda suits: len(suits[0]) >= 3),
    "overcaller(hearts>=3)": lambda board: has(overcaller(board), board, lambda suits: len(suits[1]) >= 3),
    "doubler(clubs<=3)": lambda board: has(doubler(board), board, lambda suits: len(suits[3]) <= 3),
    "declarers(fit>=8)": lambda board: fit(board, declares(board)) >= 8,
    "defenders(fit>=8)": lambda board: fit(board, declares(board) and Seat(board.declarer).next) >= 8,
    "defenders(aces>=2)": lambda board: (
        "".join(side(board, declares(board) and Seat(board.declarer).next)).count("A") >= 2
    ),
    "ew(controls>=6)": lambda board: sum(map(controls, side(board, Seat.EAST))) >= 6,
    "ns(losers<=16)": lambda board: sum(map(losers, side(board, Seat.NORTH))) <= 16,
    "auction^=1H-?-?-4S": lambda board: begins(board, "1H", "?", "?", "4S"),
    "auction^=1C-?-?": lambda board: begins(board, "1C", "?", "?"),
    "auction=?-?-?-?": lambda board: len(calls_of(board)) == 4,
    "auction*=2S-?-?-3H": lambda board: has_run(board, "2S", "?", "?", "3H"),
    "auction*=1S-?-2S": lambda board: has_run(board, "1S", "?", "2S"),
    "auction*=?-4S-?": lambda board: has_run(board, "?", "4S", "?"),
    f"auction^={'-'.join('?' * 12)}-P": lambda board: begins(board, *"?" * 12, "Pass"),
}
"""Texts, and whether a board is meant."""


@pytest.mark.parametrize("in_segments", IN_SEGMENTS)
def test_a_word_finds_what_boards_say(boards: list[Board], in_segments: bool) -> None:
    if in_segments:
        fold_all()
    for text, is_meant in FOUND.items():
        wanted = [board.number for board in boards if is_meant(board)]
        assert 0 < len(wanted) < len(boards), text
        for query, numbers in ((text, wanted), (f"-({text})", [each.number for each in boards if not is_meant(each)])):
            assert find_page(every([IS_PUBLISHED, parse(query)]), 0, 100).numbers == numbers, query


@postgresql_only  # SQLite looks at all boards
def test_any_call_at_an_end_of_a_run_is_looked_for_in_few_auctions(
    boards: list[Board], monkeypatch: pytest.MonkeyPatch
) -> None:
    fold_all()
    monkeypatch.setattr(finding, "MAX_AUCTIONS", 2)
    assert find_page(parse("auction*=1S-?-2S"), 0, 1).total
    with pytest.raises(QueryError) as error:
        find_page(parse("auction*=P-?"), 0, 1)
    assert error.value.code == "too_many_auctions"
