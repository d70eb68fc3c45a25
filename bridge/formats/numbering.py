"""Whether dealer and vulnerability are those of the board number (Law 2). Lessons give boards new numbers."""

from collections.abc import Iterable, Iterator

from bridge.formats.outcomes import Outcome, ReadBoard, RecordError, RecordWarning
from bridge.vulnerability import board_dealer, board_vulnerability

AGAINST_NUMBER = "against_board_number"
MAX_NAMED = 3


def check_numbers(outcomes: Iterable[Outcome], *, strict: bool) -> Iterator[Outcome]:
    """Yield the outcomes, and behind them one warning of all boards that differ. When strict, each is an error."""
    first, count, named = None, 0, []
    for outcome in outcomes:
        error = find_difference(outcome)
        yield error if error and strict else outcome
        if error:
            first = first or error
            count += 1
            named += [error.board] * (count <= MAX_NAMED)
    if first and not strict:
        yield RecordWarning(first.record, first.board, first.line, AGAINST_NUMBER, describe(named, count))


def find_difference(outcome: Outcome) -> RecordError | None:
    """Return what is wrong with a board whose number has another dealer or vulnerability."""
    if not isinstance(outcome, ReadBoard) or not (number := outcome.content.board_number):
        return None
    dealer, vulnerability = outcome.content.dealer, outcome.content.vulnerability
    expected = board_dealer(number), board_vulnerability(number)
    if (dealer, vulnerability) == expected:
        return None
    message = (
        f"Dealer {dealer.full_name} and vulnerability {vulnerability} are not those of board {number}, which has"
        f" {expected[0].full_name} and {expected[1]}. Import with renumbered=true if that is meant."
    )
    return RecordError(outcome.record, outcome.board or str(number), outcome.line, AGAINST_NUMBER, message)


def describe(named: list[str], count: int) -> str:
    """Return the sentence of so many boards, the first of which are named."""
    others = f" and {count - len(named):,} more" * (count > len(named))
    return (
        f"Board{'s' * (count > 1)} {', '.join(named)}{others}: dealer or vulnerability is not that of the board number."
        " It was kept as the file has it."
    )
