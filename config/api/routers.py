"""The router of every group of the API."""

from rest_framework.routers import SimpleRouter


class ApiRouter(SimpleRouter):
    """Route viewsets as paths without a trailing slash, whose ids are read by Django's path converters."""

    def __init__(self) -> None:
        super().__init__(trailing_slash=False, use_regex_path=False)
