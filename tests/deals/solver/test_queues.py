from datetime import timedelta
from threading import Event, Thread
from uuid import UUID

import pytest
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from deals.models import Deal
from deals.models import SolverStatus as Status
from deals.solver import queues
from deals.solver.queues import LEASE, TABLES, Claim, Order, claim_next
from tests import factories

PUBLISHED, REQUESTED = Deal.SolverPriority
SOLVED = {"double_dummy": "7" * 20, "par": {"None": {"score": 0, "contracts": ["Pass"]}}}


def claim_deals() -> Claim:
    claim = claim_next(Order.WANTED, [TABLES])
    assert claim is not None
    return claim


def ids(claim: Claim) -> list[UUID]:
    return [job.id for job in claim.jobs]


def states() -> set[tuple[str, bool]]:
    rows = Deal.objects.values_list("double_dummy_status", "claimed_until")
    return {(status, until is not None) for status, until in rows}


@pytest.fixture
def waiting(db: None, monkeypatch: pytest.MonkeyPatch) -> dict[UUID, str]:
    """Store deals that are claimed two at a time. Return by their ids what was done, in that order."""
    monkeypatch.setattr(TABLES, "batch_size", 2)
    priorities = {"requested": REQUESTED, "imported": None, "published": PUBLISHED}
    deals = {
        factories.deal(solver_priority=priority, wanted_at=timezone.now()).pk: f"{name} {number}"
        for number in (1, 2, 3)
        for name, priority in priorities.items()
    }
    for status in (Status.FAILED, Status.UNAVAILABLE):
        factories.deal(double_dummy_status=status, solver_priority=REQUESTED)
    return deals


def test_claims_take_the_latest_of_what_somebody_waits_for_or_the_oldest_of_all(
    waiting: dict[UUID, str],
) -> None:
    longest_waiting = TABLES.claim(Order.OLDEST)
    assert longest_waiting
    assert [waiting[deal] for deal in ids(longest_waiting)] == ["requested 1", "imported 1"]
    TABLES.release(longest_waiting)
    assert [[waiting[deal] for deal in ids(claim_deals())] for _ in range(6)] == [
        *(["requested 3", "requested 2"], ["requested 1"], ["published 3", "published 2"], ["published 1"]),
        *(["imported 3", "imported 2"], ["imported 1"]),
    ]
    assert claim_next(Order.WANTED, [TABLES]) is None


def test_an_index_serves_each_order(db: None) -> None:
    Deal.objects.bulk_create(Deal(cards=factories.layout(seed).cards) for seed in range(300))
    Deal.objects.filter(pk=factories.deal().pk).raise_priority(REQUESTED)
    postgresql = connection.vendor == "postgresql"
    indexes = {Order.WANTED: "deal_to_solve_first", Order.NEWEST: "deal_to_solve", Order.OLDEST: "deal_to_solve"}
    with connection.cursor() as cursor:
        if postgresql:
            cursor.execute("SET LOCAL enable_seqscan = off")  # A table so small is read faster without an index.
            cursor.execute("SET LOCAL enable_sort = off")
        for order, index in indexes.items():
            with CaptureQueriesContext(connection) as queries:
                assert TABLES.claim(order)
            *_, claim = [each["sql"] for each in queries if "ORDER BY" in each["sql"]]
            cursor.execute(f"{'EXPLAIN' if postgresql else 'EXPLAIN QUERY PLAN'} {claim}")
            plan = " ".join(str(column) for row in cursor.fetchall() for column in row) + " "
            assert f" {index} " in plan
            assert "Sort" not in plan and "TEMP B-TREE" not in plan


def test_a_claim_is_renewed_when_less_than_half_of_its_lease_is_left_and_is_still_ours(db: None) -> None:
    deal = factories.deal()
    claim = claim_deals()
    was_due = claim.should_be_renewed
    claim.expires_at = before = claim.expires_at - LEASE * 0.6
    Deal.objects.update(claimed_until=before)
    assert (was_due, claim.should_be_renewed) == (False, True)
    TABLES.renew(claim)
    assert claim.expires_at > before
    assert TABLES.store(claim, {deal.pk: SOLVED}) == 1


def test_a_solution_is_stored_once_and_ends_the_claim_of_its_deal_alone(db: None) -> None:
    deal, rest = factories.deal(), factories.deal()
    claim = claim_deals()
    assert [TABLES.store(claim, {deal.pk: SOLVED}) for _ in range(2)] == [1, 0]
    (stored,) = Deal.objects.filter(pk=deal.pk).values("double_dummy_status", "claimed_until", *SOLVED)
    assert stored == {"double_dummy_status": Status.DONE, "claimed_until": None, **SOLVED}
    assert TABLES.release(claim) == 1
    claim = claim_deals()
    assert ids(claim) == [rest.pk]
    Deal.objects.all().delete()
    assert TABLES.store(claim, {rest.pk: SOLVED}) == 0
    assert not Deal.objects.exists()


def test_a_worker_that_lost_its_claim_changes_nothing_of_the_deal(db: None) -> None:
    deal = factories.deal()
    late = claim_deals()
    assert claim_next(Order.WANTED, [TABLES]) is None
    Deal.objects.update(claimed_until=timezone.now() - timedelta(seconds=1))
    current = claim_deals()
    assert ids(current) == [deal.pk]
    assert TABLES.store(late, {deal.pk: SOLVED}) == 0
    TABLES.record_failure(late, late.jobs[0])
    assert TABLES.release(late) == 0
    (row,) = Deal.objects.values_list("double_dummy_status", "solver_attempts", "claimed_until")
    assert row == (Status.PENDING, 0, current.expires_at)


def test_a_deal_is_failed_after_its_third_failure(db: None) -> None:
    deal = factories.deal()
    claim = claim_deals()
    (job,) = claim.jobs
    for attempts in (1, 2):
        retry = TABLES.record_failure(claim, job)
        assert retry is not None
        job = retry
        deal.refresh_from_db()
        assert (deal.double_dummy_status, deal.solver_attempts, job.attempts) == (Status.PENDING, attempts, attempts)
    assert TABLES.record_failure(claim, job) is None
    deal.refresh_from_db()
    assert (deal.double_dummy_status, deal.solver_attempts, deal.claimed_until) == (Status.FAILED, 3, None)


def test_only_claimable_deals_become_unavailable_and_all_come_back_in_chunks(
    db: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(queues, "CHUNK_SIZE", 2)
    factories.deal()
    claim_deals()
    for _ in range(5):
        factories.deal()
    assert TABLES.mark_unavailable() == 5
    assert states() == {(Status.PENDING, True), (Status.UNAVAILABLE, False)}
    assert TABLES.mark_available() == 5
    assert states() == {(Status.PENDING, True), (Status.PENDING, False)}
    assert list(TABLES.reset(Deal.objects.filter(claimed_until=None), Status.UNAVAILABLE)) == [2, 2, 1]


def test_a_claim_without_pending_deals_is_one_query_without_a_transaction(db: None) -> None:
    with CaptureQueriesContext(connection) as statements:
        assert claim_next(Order.WANTED, [TABLES]) is None
    assert [statement["sql"].split()[0] for statement in statements] == ["SELECT"]


def test_a_claim_skips_the_deals_that_another_worker_is_claiming_at_this_moment(transactional_db: None) -> None:
    if not connection.features.has_select_for_update_skip_locked:
        pytest.skip("This database lets one claim at a time, so there is nothing to pass over.")
    locked, unlocked = factories.deal(), factories.deal()
    is_locked, is_over = Event(), Event()

    def lock_row() -> None:
        with transaction.atomic():
            Deal.objects.select_for_update().get(pk=locked.pk)
            is_locked.set()
            is_over.wait(20)
        connection.close()

    thread = Thread(target=lock_row)
    thread.start()
    try:
        assert is_locked.wait(20)
        assert ids(claim_deals()) == [unlocked.pk]
    finally:
        is_over.set()
        thread.join()


def test_simultaneous_claims_never_take_the_same_deal(transactional_db: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(TABLES, "batch_size", 3)
    expected = [factories.deal().pk for _ in range(12)]
    claimed: list[UUID] = []

    def claim_all() -> None:
        while claim := claim_next(Order.WANTED, [TABLES]):
            claimed.extend(ids(claim))
        connection.close()

    threads = [Thread(target=claim_all) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    claim_all()  # A claim may come back empty while another has the last rows locked; nobody gets a deal twice.
    assert sorted(claimed) == sorted(expected)
