"""Writing JSON answers. One function writes them all, so that an ETag of data equals that of the body."""

from typing import Any

from rest_framework.renderers import BaseRenderer

from config.values.strict_json import dump_json


class JSONRenderer(BaseRenderer):
    media_type = "application/json"
    format = "json"
    charset = None  # JSON is UTF-8 by definition (RFC 8259 §8.1)

    def render(self, data: Any, accepted_media_type: str | None = None, renderer_context: Any = None) -> bytes:
        return b"" if data is None else dump_json(data)


class NdjsonRenderer(JSONRenderer):
    """Names the type of a list as a stream, one JSON value a line. The view writes the stream itself."""

    media_type = "application/x-ndjson"
    format = "ndjson"
