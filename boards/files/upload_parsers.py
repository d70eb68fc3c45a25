"""Parsers of a request whose body is a bridge file. A large body is kept on disk and not in memory."""

from shutil import copyfileobj
from tempfile import SpooledTemporaryFile
from typing import IO, Any

from rest_framework.exceptions import UnsupportedMediaType
from rest_framework.parsers import BaseParser, DataAndFiles, MultiPartParser

from config.api.django_request import django_request_of
from config.api.negotiation import is_text

MAX_BYTES_IN_MEMORY = 1024 * 1024


class FileParser(BaseParser):
    """Take a body of any type but JSON and forms, which a program sends by mistake: curl names a form by itself."""

    media_type = "*/*"

    def parse(self, stream: IO[bytes], media_type: str | None = None, parser_context: Any = None) -> IO[bytes]:
        """Read the whole body into a temporary file. The caller closes it.

        The body is read before any transaction begins: a slow client would keep it open, and SQLite lets nobody
        else write until it ends.
        """
        if media_type and is_text(media_type):
            raise UnsupportedMediaType(media_type)
        body = SpooledTemporaryFile(MAX_BYTES_IN_MEMORY)  # noqa: SIM115  (it outlives this method)
        copyfileobj(stream, body)
        body.seek(0)
        return body


class FormParser(MultiPartParser):
    """Read a form with a file. config.edge.serving.wsgi guards against headers of its parts that cannot be read."""

    def parse(self, stream: Any, media_type: str | None = None, parser_context: Any = None) -> DataAndFiles:
        request = django_request_of(parser_context["request"])
        return DataAndFiles(*request.parse_file_upload(request.META, stream))
