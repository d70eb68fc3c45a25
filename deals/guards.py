"""Everything under /api/deals is closed without the API key: known path or not, whatever the method."""

from django.http import HttpRequest

from config.edge.guards import Guard
from config.paths import DEALS, is_under
from deals.authentication import ApiKeyAuthentication


class ApiKeyGate(Guard):
    """Ask for the key before routing, negotiation and body reading could answer 404, 406 or 413 to a stranger."""

    def check(self, request: HttpRequest) -> None:
        if is_under(request.path_info, DEALS):
            ApiKeyAuthentication().authenticate(request)
