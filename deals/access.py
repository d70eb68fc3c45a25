"""What every view under /api/deals has in common."""

from config.api.views import ApiView
from deals.authentication import ApiKeyAuthentication
from deals.permissions import HasApiKey


class ServiceView(ApiView):
    """For services with the API key; not for browsers, so no origin is ever allowed in."""

    authentication_classes = (ApiKeyAuthentication,)
    permission_classes = (HasApiKey,)
    vary = ("X-API-Key",)
