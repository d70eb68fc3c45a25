"""A board as the facts of the index see it: what several of them are made of, made once."""

from functools import cached_property

from boards.analysis import summarise_play
from boards.models import Board
from boards.records import StoredCall
from bridge.seats import SEATS


class Subject:
    """A published board or a draft of `with_details()`, and what several facts are made of."""

    def __init__(self, board: Board) -> None:
        self.board = board
        self.suits = [hand.split(".") for hand in board.deal.layout.hands]
        self.lengths = [[len(ranks) for ranks in hand] for hand in self.suits]
        self.points = [board.deal.layout.hcp(seat) for seat in SEATS]
        self.contract = board.final_contract
        self.double_dummy = [int(digit, 16) for digit in board.deal.double_dummy]

    @cached_property
    def calls(self) -> list[str]:
        """Return the calls as the language spells them: 1N, P, X."""
        return [short_call(stored) for stored in self.board.auction or ()]

    @cached_property
    def opening(self) -> int | None:
        """Return the index of the first call that is no pass, or None."""
        return next((index for index, call in enumerate(self.calls) if call != "P"), None)

    @property
    def result(self) -> int | None:
        """Return the tricks above the contract, or below it as a negative number."""
        needed = self.contract.tricks_needed if self.contract else None
        return None if needed is None or self.board.tricks is None else self.board.tricks - needed

    @property
    def makeable(self) -> str | None:
        """Return "yes" or "no" for a contract that makes by double dummy or not, None when that is not known."""
        contract = self.contract
        if contract is None or not contract.denomination or not contract.declarer or not self.double_dummy:
            return None
        tricks = self.double_dummy[contract.declarer.index * 5 + contract.denomination.rank]
        return "yes" if tricks >= (contract.tricks_needed or 0) else "no"

    @property
    def costs(self) -> tuple[int | None, int | None, int | None]:
        """Return the tricks that the lead, declarer's cards and the defenders' cost, each None until it is known."""
        play = summarise_play(self.board)
        return (play.lead, play.lost_by_declarer, play.lost_by_defence) if play else (None, None, None)

    @property
    def is_competitive(self) -> bool:
        """Tell whether both sides made a call that is no pass."""
        return len({index % 2 for index, call in enumerate(self.calls) if call != "P"}) == 2


def short_call(stored: StoredCall) -> str:
    call = stored if isinstance(stored, str) else stored[0]
    return "P" if call == "Pass" else call.replace("NT", "N")
