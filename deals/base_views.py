"""The base class of every view under /api/deals, those in boards/ too."""

from config.api.views import ApiView
from deals.authentication import ApiKeyAuthentication
from deals.permissions import HasApiKey


class ApiKeyView(ApiView):
    """A view for services that have the API key. Browsers have no use for it, so CORS never allows an origin."""

    authentication_classes = (ApiKeyAuthentication,)
    permission_classes = (HasApiKey,)
    vary = ("X-API-Key",)
