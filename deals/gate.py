"""Everything under /api/deals is closed without the key: known path or not, whatever the method."""

from django.http import HttpRequest
from django.http.response import HttpResponseBase

from config.api.errors import ApiError
from config.api.handlers import error_response
from config.api.middleware import GetResponse
from config.api.paths import DEALS, is_under
from deals.authentication import ApiKeyAuthentication


class ApiKeyGate:
    """Asks ApiKeyAuthentication before routing, negotiation and body reading, each of which would otherwise
    answer 404, 406 or 413 to somebody without the key."""

    def __init__(self, get_response: GetResponse) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        if is_under(request.path_info, DEALS):
            try:
                ApiKeyAuthentication().authenticate(request)
            except ApiError as error:
                return error_response(request, error)
        return self.get_response(request)
