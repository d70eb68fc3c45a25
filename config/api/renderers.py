"""JSON out. One function makes the bytes, so that a validator hashed from data and one hashed from a body agree."""

from typing import Any

import orjson
from rest_framework.renderers import BaseRenderer


def dump_json(data: Any) -> bytes:
    """Compact UTF-8 JSON. Integers beyond 64 bits never get here: the parser refuses them on the way in."""
    return orjson.dumps(data, option=orjson.OPT_NON_STR_KEYS)


class JSONRenderer(BaseRenderer):
    media_type = "application/json"
    format = "json"
    charset = None  # JSON is UTF-8 by definition (RFC 8259 §8.1)

    def render(
        self, data: Any, accepted_media_type: str | None = None, renderer_context: Any = None
    ) -> bytes:
        return b"" if data is None else dump_json(data)
