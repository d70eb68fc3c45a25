"""Count false boards among spoilt records: `python -m bench.spoilt [COUNT]`, 800 of each kind by default.

Each record is sound: a legal auction, its contract, all 52 cards of the play and the result. It is spoilt, written as
PBN and read again. A board is false when it is kept without a warning and differs from the sound one, but for a last
call that is lost.
"""

import random
import sys
from collections import Counter
from dataclasses import replace
from io import BytesIO

from bench.random_boards import boards
from bench.scratch import say
from deals.bridge.board import BoardRecord, complete_record
from deals.bridge.outcomes import Outcome, ReadBoard
from deals.bridge.pbn.reader import read_pbn
from deals.bridge.pbn.writer import write_pbn
from tests.bridge_strategies import random_play
from tests.deals.bridge.pbn.spoiling import change_tag, lose_a_call, swap_two_cards, turn_hands

RECORDS = {"hands turned": turn_hands, "two cards swapped": swap_two_cards}
TEXTS = {
    "wrong declarer": change_tag("Declarer"),
    "wrong dealer": change_tag("Dealer"),
    "a call lost": lose_a_call,
}


def with_play(board: BoardRecord, chances: random.Random) -> BoardRecord:
    assert board.contract
    play = random_play(board.layout, board.contract, 52, chances)
    return complete_record(replace(board, play=play, tricks=None))


def read(text: str) -> Outcome:
    (outcome,) = read_pbn(BytesIO(text.encode()))
    return outcome


def judge(sound: BoardRecord, outcome: Outcome) -> str:
    if not isinstance(outcome, ReadBoard):
        return "refused"
    if outcome.is_doubtful:
        return "draft"
    if outcome.warnings:
        return "kept with a warning"
    calls = [call.call for call in outcome.content.auction.calls] if outcome.content.auction else []
    is_prefix = sound.auction and calls == [call.call for call in sound.auction.calls][: len(calls)]
    same = is_prefix and replace(outcome.content, auction=sound.auction) == sound
    return "the sound board" if same else "FALSE"


def main() -> None:
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 800
    chances = random.Random(1)
    sound = [with_play(board, chances) for board in boards(count * 2) if board.tricks is not None][:count]
    for name, spoil in RECORDS.items():
        show(name, Counter(judge(board, read(write_pbn(spoil(board, chances)))) for board in sound))
    for name, change in TEXTS.items():
        show(name, Counter(judge(board, read(change(write_pbn(board), chances))) for board in sound))


def show(name: str, verdicts: Counter[str]) -> None:
    parts = ", ".join(f"{number} {verdict}" for verdict, number in verdicts.most_common())
    say(f"{name}, {verdicts.total()} records: {parts}")


if __name__ == "__main__":
    main()
