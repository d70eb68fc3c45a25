"""A bridge file as a request's body, handed on as a stream: 16 MiB are never in memory at once."""

from typing import IO, Any

from rest_framework.parsers import BaseParser


class PbnParser(BaseParser):
    media_type = "application/x-pbn"

    def parse(
        self, stream: IO[bytes], media_type: str | None = None, parser_context: Any = None
    ) -> IO[bytes]:
        return stream


class TextParser(PbnParser):
    media_type = "text/plain"


class OctetStreamParser(PbnParser):
    media_type = "application/octet-stream"
