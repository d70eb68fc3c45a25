"""The settings of drf-spectacular, which writes the OpenAPI document."""

from typing import Any

from config import paths

TAGS = {
    "accounts": "People and organisations, and their auction systems.",
    "auction-systems": "The bidding systems that accounts and boards name.",
    "boards": "Boards to look at: read by everybody, with files and pictures.",
    "collections": "Boards that members put in an order, with notes.",
    "deals": "For programs with the API key: deals, their boards, files and the feed.",
    "events": "The boards of one evening, match or session.",
    "forms": "What visitors send to the people who run the service.",
    "impersonation": "Support staff look at the service as a member sees it.",
    "themes": "What boards teach.",
    "voting": "One vote for each account and board.",
    "webhooks": "Events of the feed, posted to endpoints that admins add.",
}
"""The groups of operations in the document, and what each is about."""

ASK_THIS_SERVICE = """{
  deepLinking: true,
  requestInterceptor: (request) => {
    const {pathname, search} = new URL(request.url, location);
    return Object.assign(request, {url: location.origin + pathname + search});
  },
}"""
"""Settings of Swagger UI, as JavaScript. "Execute" asks the service that shows the page, by whichever of its names."""


def spectacular_settings(version: str, base_url: str) -> dict[str, Any]:
    """Return SPECTACULAR_SETTINGS for the service's version and its public address."""
    return {
        "TITLE": "Bridge Boards",
        "DESCRIPTION": "Share bridge boards: themes, accounts, boards, voting, impersonation, deals and forms.",
        "VERSION": version,
        "OAS_VERSION": "3.1.1",
        "WEBHOOKS": "deals.webhooks.schema.WEBHOOKS",
        "SCHEMA_PATH_PREFIX": f"{paths.API}/",
        "SERVE_INCLUDE_SCHEMA": False,
        "GET_LIB_DOC_EXCLUDES": "config.api.schema.plumbing_classes",
        "SWAGGER_UI_DIST": "SIDECAR",
        "SWAGGER_UI_FAVICON_HREF": "SIDECAR",
        "SWAGGER_UI_SETTINGS": ASK_THIS_SERVICE,
        "COMPONENT_SPLIT_REQUEST": True,
        "CAMELIZE_NAMES": True,
        "ENUM_NAME_OVERRIDES": {
            "CodeEnum": "config.api.schema.ERROR_CODES",
            "SeatEnum": "boards.models.SEAT_CHOICES",
            "DoubleDummyStatusEnum": "deals.models.SolverStatus",
        },
        "PATH_CONVERTER_OVERRIDES": {"any_uuid": {"type": "string", "format": "uuid"}},
        "POSTPROCESSING_HOOKS": [
            "drf_spectacular.hooks.postprocess_schema_enums",
            "config.api.schema.finish_document",
        ],
        "TAGS": [{"name": name, "description": description} for name, description in TAGS.items()],
        "SERVERS": [{"url": base_url, "description": "This service."}],
        "CONTACT": {"name": "The people who run this service", "url": f"{base_url}{paths.FORM_PAGES}/contact"},
        "LICENSE": {"name": "MIT", "identifier": "MIT"},
    }
