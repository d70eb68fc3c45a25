"""The deals that wait for the solver, and the worker, for the start page of the admin."""

from collections.abc import Iterator

from django.http import HttpRequest

from config.admin.waiting import Line, count, link_to_list, register
from config.values.words import format_age
from deals.models import Deal
from deals.models import SolverStatus as Status
from deals.watching import describe_silence, loops_of_workers, trouble_of_solver


@register(order=4)
def deals(request: HttpRequest) -> Iterator[Line]:
    for what, status in (("Deals to solve", Status.PENDING), ("Deals that cannot be solved", Status.FAILED)):
        if url := link_to_list(request, Deal, double_dummy_status__exact=status):
            yield Line(what, count(Deal.objects.filter(double_dummy_status=status)), url)


@register(order=5)
def worker(request: HttpRequest) -> Iterator[Line]:
    """Tell when a worker last gave a sign of life, and what does not work."""
    loops = loops_of_workers()
    last = max((loop["last"] for loop in loops), default=None)
    trouble = " ".join(filter(None, (describe_silence(loops), trouble_of_solver())))
    yield Line(
        "The worker's last sign of life", format_age(last) if last else "never", note=trouble, is_trouble=bool(trouble)
    )
