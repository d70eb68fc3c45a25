"""A bridge file as a request's body: 16 MiB are never in memory at once."""

from shutil import copyfileobj
from tempfile import SpooledTemporaryFile
from typing import IO, Any

from rest_framework.parsers import BaseParser, DataAndFiles, MultiPartParser

IN_MEMORY = 1024 * 1024


class FileParser(BaseParser):
    def parse(
        self, stream: IO[bytes], media_type: str | None = None, parser_context: Any = None
    ) -> IO[bytes]:
        """The whole of it, on disk when it is large; the caller closes it.

        A slow client's body must not arrive while a transaction is open: SQLite lets nobody else write meanwhile.
        """
        body = SpooledTemporaryFile(IN_MEMORY)  # noqa: SIM115  (it outlives this method)
        copyfileobj(stream, body)
        body.seek(0)
        return body


class PbnParser(FileParser):
    media_type = "application/x-pbn"


class LinParser(FileParser):
    media_type = "application/x-lin"


class TextParser(FileParser):
    media_type = "text/plain"


class FormParser(MultiPartParser):
    """Read a form with a file. config.edge.wsgi guards against headers of its parts that cannot be read."""

    def parse(self, stream: Any, media_type: str | None = None, parser_context: Any = None) -> DataAndFiles:
        request = parser_context["request"]._request
        return DataAndFiles(*request.parse_file_upload(request.META, stream))


class OctetStreamParser(FileParser):
    media_type = "application/octet-stream"
