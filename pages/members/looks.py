"""The record of who looked at the service as a member, shown to that member."""

from collections.abc import Sequence
from uuid import UUID

from django.core.paginator import Paginator
from django.db.models import Count
from django.http import HttpRequest, HttpResponse
from django.utils import timezone

from impersonation.models import Impersonation, ImpersonationEvent
from pages.site.base import MemberPage

LOOKS_ON_A_PAGE = 20


class LooksPage(MemberPage):
    """GET /account/looks → 200: who of the staff looked at the service as the member, when, why and how much."""

    section = "account"

    def get(self, request: HttpRequest) -> HttpResponse:
        looks = Impersonation.objects.filter(subject=self.member).with_people()
        page = Paginator(looks, LOOKS_ON_A_PAGE).get_page(request.GET.get("page"))
        requests = count_requests(list(page))
        now = timezone.now()
        shown = [
            {
                "look": look,
                "is_running": look.is_valid_at(now),
                "end": look.ended_at or look.expires_at,
                "requests": requests.get(look.pk, 0),
            }
            for look in page
        ]
        pages = {
            "prev": f"?page={page.previous_page_number()}" if page.has_previous() else "",
            "next": f"?page={page.next_page_number()}" if page.has_next() else "",
        }
        return self.render_page("impersonation/looks.html", {"looks": shown, "pages": pages, "noindex": True})


def count_requests(looks: Sequence[Impersonation]) -> dict[UUID, int]:
    """Return how many requests are on record of each impersonation."""
    events = ImpersonationEvent.objects.filter(
        impersonation_id__in=[look.pk for look in looks], kind=ImpersonationEvent.Kind.REQUEST
    )
    return dict(events.order_by().values_list("impersonation_id").annotate(Count("id")))
