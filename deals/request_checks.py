"""The request check of /api/deals: without the API key every path and method is refused, known route or not."""

from django.http import HttpRequest

from config.edge.request_checks import RequestCheck
from config.paths import DEALS, is_under
from deals.authentication import ApiKeyAuthentication


class ApiKeyGate(RequestCheck):
    """Require the key before routing, negotiation or body reading could answer 404, 406 or 413 to a stranger."""

    def check(self, request: HttpRequest) -> None:
        if is_under(request.path_info, DEALS):
            ApiKeyAuthentication().authenticate(request)
