"""A bridge file as a request's body, handed on as a stream: 16 MiB are never in memory at once."""

from typing import IO, Any

from rest_framework.parsers import BaseParser


class FileParser(BaseParser):
    def parse(
        self, stream: IO[bytes], media_type: str | None = None, parser_context: Any = None
    ) -> IO[bytes]:
        return stream


class PbnParser(FileParser):
    media_type = "application/x-pbn"


class LinParser(FileParser):
    media_type = "application/x-lin"


class TextParser(FileParser):
    media_type = "text/plain"


class OctetStreamParser(FileParser):
    media_type = "application/octet-stream"
