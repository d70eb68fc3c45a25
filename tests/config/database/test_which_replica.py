"""Which replica may answer is judged by how far the logs of the servers are."""

from collections.abc import Sequence

import pytest
from pytest import MonkeyPatch

from config.database import replicas as module
from config.database.replicas import MAX_SILENCE, LogPosition, Replicas

PRIMARY, FIRST, SECOND = "default", "first", "second"
MAX_LAG = 5.0


class Clock:
    now = 1000.0

    def monotonic(self) -> float:
        return self.now


@pytest.fixture
def clock(monkeypatch: MonkeyPatch) -> Clock:
    clock = Clock()
    monkeypatch.setattr(module, "time", clock)
    return clock


@pytest.fixture
def two(clock: Clock, settings: object, monkeypatch: MonkeyPatch) -> Replicas:
    """Return two replicas that nobody looks at but the test. This process reads from the first, if it may."""
    judged = Replicas()
    judged.all = [module.Replica(FIRST), module.Replica(SECOND)]
    judged.max_lag = MAX_LAG
    be_process(monkeypatch, 2)
    return judged


def be_process(monkeypatch: MonkeyPatch, number: int) -> None:
    monkeypatch.setattr(module.os, "getpid", lambda: number)


Position = int | tuple[int, int] | None
"""Where the log is of a server that answers: on the first timeline, or also which timeline."""


def look(judged: Replicas, clock: Clock, written: Position, replayed: Sequence[Position]) -> str:
    """Let a second pass and the servers be looked at. Return what answers then."""
    clock.now += 1
    first, *others = (
        LogPosition(each, 1) if isinstance(each, int) else each and LogPosition(*each) for each in (written, *replayed)
    )
    judged.judge(clock.now, first, others)
    return judged.choose()


Look = tuple[Position, Sequence[Position], str]
"""What the servers say at a look, and who answers then."""
NO_ANSWER: Look = (None, [None, None], FIRST)
LOOKS: dict[str, Sequence[Look]] = {
    "a replica that lags is left out and comes back, and has MAX_LAG to catch up": [
        (10, [10, 10], FIRST),
        *((position, [10, position], FIRST if position <= 15 else SECOND) for position in range(11, 21)),
        (30, [30, 30], FIRST),
    ],
    "one that is a little behind all the time answers as soon as it is known what it has": [
        (10 * turn, [10 * turn - 15, 0], PRIMARY if turn < 12 else FIRST) for turn in range(10, 60)
    ],
    "one of a quiet primary answers for ever": [(10, [10, 10], FIRST)] * 100,
    "a quiet one that its primary has left behind, cut off from it, is left out in time": [
        *((10, [10, 10], FIRST), (11, [10, 11], FIRST)),
        *([(11, [10, 11], FIRST)] * 4 + [(11, [10, 11], SECOND)] * 50),
    ],
    "one that does not answer, or was promoted, is left out at once": [
        *((10, [10, 10], FIRST), (10, [None, 10], SECOND), (10, [None, None], PRIMARY), (10, [10, None], FIRST)),
    ],
    "one that is ahead of the primary, as after a fail-over, is left out": [(10, [11, 10], SECOND)],
    # Both timelines have the position 12. What the first one has there was never committed on the second.
    "one that stayed on the timeline before a promotion is left out": [
        *((10, [12, 10], SECOND), ((12, 2), [12, 10], PRIMARY)),
        ((12, 2), [12, (11, 2)], PRIMARY),  # it lacks what the primary had at any look
        ((13, 2), [12, (13, 2)], SECOND),
        (None, [12, (13, 2)], SECOND),  # nor while the primary does not answer
        (None, [12, None], SECOND),
        ((13, 2), [(13, 2), (13, 3)], FIRST),
    ],
    "replicas of any age answer while the primary does not": [
        *((10, [10, 10], FIRST), *[(None, [10, 10], FIRST)] * 100, (11, [10, 10], PRIMARY)),
    ],
    # To leave it out would send readers to a server that is known not to answer.
    "one that misses a look answers while the primary does not": [
        (10, [10, None], FIRST),
        *[NO_ANSWER] * 20,
        (10, [None, 10], SECOND),
    ],
}


@pytest.mark.parametrize("rule", LOOKS)
def test_the_log_positions_of_the_looks_say_who_answers(rule: str, two: Replicas, clock: Clock) -> None:
    assert two.choose() == PRIMARY, "until the servers were looked at"
    looks = LOOKS[rule]
    assert [look(two, clock, written, replayed) for written, replayed, _ in looks] == [each for *_, each in looks]


def test_each_process_reads_from_one_replica_and_the_next_from_another(
    two: Replicas, clock: Clock, monkeypatch: MonkeyPatch
) -> None:
    for process, replica in ((2, FIRST), (3, SECOND)):
        be_process(monkeypatch, process)
        assert {look(two, clock, 10, [10, 10]) for _ in range(5)} == {replica}


def test_while_the_primary_does_not_answer_the_latest_timeline_does(two: Replicas, clock: Clock) -> None:
    """The first has followed the server that was promoted. What the second has, it may have alone."""
    look(two, clock, 10, [10, 10])
    assert look(two, clock, None, [(11, 2), 12]) == FIRST
    two.report_failure(FIRST)
    assert two.choose() == PRIMARY
    assert look(two, clock, 12, [(11, 2), 12]) == SECOND, "but it is the primary that says which is right"


def test_a_replica_that_failed_a_request_is_left_out_until_the_next_look(two: Replicas, clock: Clock) -> None:
    look(two, clock, 10, [10, 10])
    two.report_failure(FIRST)
    assert two.choose() == SECOND
    assert look(two, clock, 10, [10, 10]) == FIRST


def test_nothing_is_believed_when_nobody_looks_any_more(two: Replicas, clock: Clock) -> None:
    look(two, clock, None, [10, 10])
    clock.now += MAX_SILENCE + 1
    assert two.choose() == PRIMARY
