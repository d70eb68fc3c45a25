"""The queue of the deals: their tables and pars. A deal that nobody asked for waits until those are there."""

import re
from collections.abc import Collection
from typing import Any
from uuid import UUID

from deals.events.recording import record_deals
from deals.models import Deal, FeedEvent
from deals.signals import double_dummy_changed
from deals.solver.queues import Answer, Columns, Order, Queue

_TABLE = re.compile(r"[0-9a-d]{20}")


class Tables(Queue):
    """Deals without a table. A wanted one has a priority: the highest come first, and all of a claim have the same.

    A deal that comes in waits until the batch in hand is solved. Larger batches are hardly faster on one thread.
    """

    model, task = Deal, "tables"
    batch_size = 5
    seconds_per_job = 5  # It takes 0.3 s, the worst one seen 2.5 s; a busy machine is no reason to kill.
    status = "double_dummy_status"
    attempts = "solver_attempts"
    changed_at = "updated_at"

    def choose(self, claimable: Any, order: Order) -> list[Deal]:
        deals = claimable.only("id", "cards", "solver_attempts", "solver_priority")
        if order is Order.OLDEST:
            return self.lock(deals.order_by("created_at", "id"))
        if order is Order.NEWEST:
            return self.lock(deals.order_by("-created_at", "-id"))
        wanted = deals.filter(solver_priority__isnull=False)
        first = self.lock(wanted.order_by("-solver_priority", "-wanted_at", "id"))
        return [deal for deal in first if deal.solver_priority == first[0].solver_priority]

    def ask(self, row: Deal) -> str:
        return row.cards

    def read(self, answer: Answer) -> Columns:
        """Return table and par in the stored forms of `bridge.double_dummy`."""
        if not _TABLE.fullmatch(str(answer.get("table"))) or not isinstance(answer.get("par"), dict):
            raise ValueError
        return {"double_dummy": answer["table"], "par": answer["par"]}

    def announce(self, ids: Collection[UUID], *, is_solved: bool) -> None:
        if is_solved:
            record_deals(FeedEvent.Type.DEAL_ANALYSED, list(ids))
        double_dummy_changed.send(sender=Deal, deal_ids=ids)


TABLES = Tables()
