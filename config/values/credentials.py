"""The request headers by which users identify themselves."""

CREDENTIALS = frozenset({"HTTP_AUTHORIZATION", "HTTP_X_IMPERSONATION_ID"})
"""Their names in META. `request.headers` would first make an object of all headers."""
