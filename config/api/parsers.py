"""Reading JSON bodies. What some store or reader could not give back is refused before it is stored."""

from typing import IO, Any

from rest_framework.parsers import BaseParser

from config.api.errors import BadRequest
from config.values.strict_json import JsonError, parse_json


def is_text(content_type: str) -> bool:
    """Tell whether a body of this type is JSON or a form, whose texts are decoded. Any other is a file: bytes."""
    media_type = content_type.partition(";")[0].strip().lower()
    return media_type.endswith(("/json", "+json", "/x-www-form-urlencoded")) or media_type.startswith("multipart/")


class StrictJSONParser(BaseParser):
    """Parse a JSON body. Raise BadRequest for what config.values.strict_json refuses."""

    media_type = "application/json"

    def parse(self, stream: IO[bytes], media_type: str | None = None, parser_context: Any = None) -> Any:
        try:
            return parse_json(stream.read())
        except JsonError as error:
            raise BadRequest(str(error)) from None


class MergePatchParser(StrictJSONParser):
    """Parse the JSON of a PATCH that names its kind (RFC 7396)."""

    media_type = "application/merge-patch+json"
