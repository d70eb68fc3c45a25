from datetime import timedelta
from threading import Event, Thread
from uuid import UUID

import pytest
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from deals.models import Deal
from deals.solver import jobs
from deals.solver.jobs import Status
from deals.solver.process import Solution
from tests import factories

SOLVED = Solution("7" * 20, {"None": {"score": 0, "contracts": ["Pass"]}})


def claimed() -> jobs.Claim:
    claim = jobs.claim()
    assert claim is not None
    return claim


def ids(claim: jobs.Claim) -> list[UUID]:
    return [job.id for job in claim.jobs]


def expire() -> None:
    Deal.objects.update(claimed_until=timezone.now() - timedelta(seconds=1))


def states() -> set[tuple[str, bool]]:
    rows = Deal.objects.values_list("double_dummy_status", "claimed_until")
    return {(status, until is not None) for status, until in rows}


def test_a_claim_takes_the_oldest_pending_deals_and_no_others(
    db: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(jobs, "BATCH", 2)
    first, second, third = factories.deal(), factories.deal(), factories.deal()
    factories.deal(double_dummy_status=Status.FAILED)
    factories.deal(double_dummy_status=Status.UNAVAILABLE)
    assert ids(claimed()) == [first.pk, second.pk]
    assert ids(claimed()) == [third.pk]
    assert jobs.claim() is None


def test_a_claim_is_free_again_when_its_lease_is_over(db: None) -> None:
    deal = factories.deal()
    claimed()
    assert jobs.claim() is None
    expire()
    assert ids(claimed()) == [deal.pk]


def test_a_renewed_claim_lasts_longer_and_is_still_ours(db: None) -> None:
    deal = factories.deal()
    claim = claimed()
    before = claim.until
    jobs.renew(claim)
    assert claim.until > before
    assert jobs.store(claim, {deal.pk: SOLVED}) == 1


def test_a_claim_falls_due_for_renewal_while_it_has_half_its_time_left(db: None) -> None:
    factories.deal()
    claim = claimed()
    assert not claim.due
    claim.until -= jobs.LEASE * 0.6
    assert claim.due


def test_a_stored_solution_is_all_there_and_the_claim_is_over(db: None) -> None:
    deal = factories.deal()
    assert jobs.store(claimed(), {deal.pk: SOLVED}) == 1
    deal.refresh_from_db()
    assert (deal.double_dummy_status, deal.double_dummy, deal.par, deal.claimed_until) == (
        Status.DONE,
        SOLVED.table,
        SOLVED.par,
        None,
    )


def test_who_has_lost_a_claim_stores_counts_and_gives_back_nothing(db: None) -> None:
    deal = factories.deal()
    late = claimed()
    expire()
    current = claimed()
    assert jobs.store(late, {deal.pk: SOLVED}) == 0
    jobs.count_failure(late, late.jobs[0])
    assert jobs.give_back(late) == 0
    deal.refresh_from_db()
    assert (deal.double_dummy_status, deal.solver_attempts, deal.claimed_until) == (
        Status.PENDING,
        0,
        current.until,
    )


def test_nothing_is_stored_twice(db: None) -> None:
    deal = factories.deal()
    claim = claimed()
    assert [jobs.store(claim, {deal.pk: SOLVED}) for _ in range(2)] == [1, 0]


def test_a_deal_deleted_while_it_is_solved_stays_deleted(db: None) -> None:
    deal = factories.deal()
    claim, key = claimed(), deal.pk
    deal.delete()
    assert jobs.store(claim, {key: SOLVED}) == 0
    assert not Deal.objects.exists()


def test_what_is_given_back_is_free_at_once_and_what_is_done_stays_done(db: None) -> None:
    done, rest = factories.deal(), factories.deal()
    claim = claimed()
    jobs.store(claim, {done.pk: SOLVED})
    assert jobs.give_back(claim) == 1
    assert ids(claimed()) == [rest.pk]


def test_the_third_failure_is_the_last(db: None) -> None:
    deal = factories.deal()
    claim = claimed()
    (job,) = claim.jobs
    for attempts in (1, 2):
        again = jobs.count_failure(claim, job)
        assert again is not None
        job = again
        deal.refresh_from_db()
        assert (deal.double_dummy_status, deal.solver_attempts) == (Status.PENDING, attempts)
        assert job.attempts == attempts
    assert jobs.count_failure(claim, job) is None
    deal.refresh_from_db()
    assert (deal.double_dummy_status, deal.solver_attempts, deal.claimed_until) == (Status.FAILED, 3, None)


def test_only_free_deals_become_unavailable_and_all_of_those_come_back(db: None) -> None:
    factories.deal()
    claimed()
    factories.deal()
    assert jobs.mark_unavailable() == 1
    assert states() == {(Status.PENDING, True), (Status.UNAVAILABLE, False)}
    assert jobs.mark_available() == 1
    assert states() == {(Status.PENDING, True), (Status.PENDING, False)}


def test_moving_many_deals_goes_in_chunks_and_misses_none(db: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jobs, "CHUNK", 2)
    for _ in range(5):
        factories.deal()
    assert list(jobs.move(Deal.objects.all(), Status.UNAVAILABLE)) == [2, 2, 1]
    assert states() == {(Status.UNAVAILABLE, False)}


def test_an_idle_look_is_one_query_that_opens_no_transaction(db: None) -> None:
    with CaptureQueriesContext(connection) as queries:
        assert jobs.claim() is None
    assert len(queries) == 1
    assert queries[0]["sql"].startswith("SELECT")


def test_a_claim_passes_over_what_another_is_claiming_at_this_moment(transactional_db: None) -> None:
    if not connection.features.has_select_for_update_skip_locked:
        pytest.skip("This database lets one claim at a time, so there is nothing to pass over.")
    locked, free = factories.deal(), factories.deal()
    held, over = Event(), Event()

    def hold() -> None:
        with transaction.atomic():
            Deal.objects.select_for_update().get(pk=locked.pk)
            held.set()
            over.wait(20)
        connection.close()

    holder = Thread(target=hold)
    holder.start()
    try:
        assert held.wait(20)
        assert ids(claimed()) == [free.pk]
    finally:
        over.set()
        holder.join()


def test_claims_made_at_once_share_the_deals_out(
    transactional_db: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(jobs, "BATCH", 3)
    expected = {factories.deal().pk for _ in range(12)}
    found: list[UUID] = []

    def take() -> None:
        while claim := jobs.claim():
            found.extend(ids(claim))
        connection.close()

    threads = [Thread(target=take) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    # A claim may come back empty while another has the last rows locked; nobody gets a deal twice.
    while claim := jobs.claim():
        found.extend(ids(claim))
    assert len(found) == 12
    assert set(found) == expected
