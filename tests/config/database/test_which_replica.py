"""Which replica may answer is judged by how far the logs of the servers are."""

from collections.abc import Sequence

import pytest

from config.database import replicas as module
from config.database.replicas import MAX_SILENCE, LogPosition, Replicas

PRIMARY, FIRST, SECOND = "default", "first", "second"
MAX_LAG = 5.0


class Clock:
    now = 1000.0

    def monotonic(self) -> float:
        return self.now


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    clock = Clock()
    monkeypatch.setattr(module, "time", clock)
    return clock


@pytest.fixture
def two(clock: Clock, settings: object, monkeypatch: pytest.MonkeyPatch) -> Replicas:
    """Return two replicas that nobody looks at but the test. This process reads from the first, if it may."""
    judged = Replicas()
    judged.all = [module.Replica(FIRST), module.Replica(SECOND)]
    judged.max_lag = MAX_LAG
    be_process(monkeypatch, 2)
    return judged


def be_process(monkeypatch: pytest.MonkeyPatch, number: int) -> None:
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


def test_the_primary_answers_until_the_servers_were_looked_at(two: Replicas, clock: Clock) -> None:
    assert two.choose() == PRIMARY
    assert look(two, clock, 10, [10, 10]) == FIRST


def test_each_process_reads_from_one_replica_and_the_next_from_another(
    two: Replicas, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert [look(two, clock, 10, [10, 10]) for _ in range(5)] == [FIRST] * 5
    be_process(monkeypatch, 3)
    assert [look(two, clock, 10, [10, 10]) for _ in range(5)] == [SECOND] * 5


def test_a_replica_that_lags_is_left_out_and_comes_back(two: Replicas, clock: Clock) -> None:
    assert look(two, clock, 10, [10, 10]) == FIRST
    answers = [look(two, clock, position, [10, position]) for position in range(11, 21)]
    assert answers == [FIRST] * 5 + [SECOND] * 5, "it answers while it has what was committed MAX_LAG ago"
    assert look(two, clock, 30, [30, 30]) == FIRST


def test_a_replica_that_is_a_little_behind_all_the_time_answers(two: Replicas, clock: Clock) -> None:
    answers = [look(two, clock, 10 * turn, [10 * turn - 15, 0]) for turn in range(10, 60)]
    assert answers == [PRIMARY] * 2 + [FIRST] * 48, "as soon as it is known what it has"


def test_a_replica_of_a_quiet_primary_answers_for_ever(two: Replicas, clock: Clock) -> None:
    assert {look(two, clock, 10, [10, 10]) for _ in range(100)} == {FIRST}


def test_a_quiet_replica_that_its_primary_has_left_behind_is_left_out(two: Replicas, clock: Clock) -> None:
    """It is cut off from its primary. Its own clock would say that nothing has happened since."""
    look(two, clock, 10, [10, 10])
    look(two, clock, 11, [10, 11])
    assert {look(two, clock, 11, [10, 11]) for _ in range(50)} == {FIRST, SECOND}
    assert look(two, clock, 11, [10, 11]) == SECOND


def test_a_replica_that_does_not_answer_or_was_promoted_is_left_out_at_once(two: Replicas, clock: Clock) -> None:
    look(two, clock, 10, [10, 10])
    assert look(two, clock, 10, [None, 10]) == SECOND
    assert look(two, clock, 10, [None, None]) == PRIMARY
    assert look(two, clock, 10, [10, None]) == FIRST


def test_a_replica_that_is_ahead_of_the_primary_is_left_out(two: Replicas, clock: Clock) -> None:
    """After a fail-over it has what the new primary never had."""
    assert look(two, clock, 10, [11, 10]) == SECOND


def test_a_replica_that_stayed_on_the_timeline_before_a_promotion_is_left_out(two: Replicas, clock: Clock) -> None:
    """Both timelines have the position 12. What the first one has there was never committed on the second."""
    assert look(two, clock, 10, [12, 10]) == SECOND
    assert look(two, clock, (12, 2), [12, 10]) == PRIMARY
    assert look(two, clock, (12, 2), [12, (11, 2)]) == PRIMARY, "it lacks what the primary had at any look"
    assert look(two, clock, (13, 2), [12, (13, 2)]) == SECOND
    assert look(two, clock, None, [12, (13, 2)]) == SECOND, "nor does it answer while the primary does not"
    assert look(two, clock, None, [12, None]) == SECOND
    assert look(two, clock, (13, 2), [(13, 2), (13, 3)]) == FIRST


def test_while_the_primary_does_not_answer_the_latest_timeline_does(two: Replicas, clock: Clock) -> None:
    """The first has followed the server that was promoted. What the second has, it may have alone."""
    look(two, clock, 10, [10, 10])
    assert look(two, clock, None, [(11, 2), 12]) == FIRST
    two.report_failure(FIRST)
    assert two.choose() == PRIMARY
    assert look(two, clock, 12, [(11, 2), 12]) == SECOND, "but it is the primary that says which is right"


def test_replicas_of_any_age_answer_while_the_primary_does_not(two: Replicas, clock: Clock) -> None:
    look(two, clock, 10, [10, 10])
    assert {look(two, clock, None, [10, 10]) for _ in range(100)} == {FIRST}
    assert look(two, clock, 11, [10, 10]) == PRIMARY


def test_a_replica_that_misses_a_look_answers_while_the_primary_does_not(two: Replicas, clock: Clock) -> None:
    """To leave it out would send readers to a server that is known not to answer."""
    look(two, clock, 10, [10, None])
    assert {look(two, clock, None, [None, None]) for _ in range(20)} == {FIRST}
    assert look(two, clock, 10, [None, 10]) == SECOND


def test_a_replica_that_failed_a_request_is_left_out_until_the_next_look(two: Replicas, clock: Clock) -> None:
    look(two, clock, 10, [10, 10])
    two.report_failure(FIRST)
    assert two.choose() == SECOND
    assert look(two, clock, 10, [10, 10]) == FIRST


def test_nothing_is_believed_when_nobody_looks_any_more(two: Replicas, clock: Clock) -> None:
    look(two, clock, None, [10, 10])
    clock.now += MAX_SILENCE + 1
    assert two.choose() == PRIMARY
