"""The import of bridge files over HTTP. A large body is kept on disk and not in memory."""

from shutil import copyfileobj
from tempfile import SpooledTemporaryFile
from typing import IO, Any, BinaryIO

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.exceptions import UnsupportedMediaType
from rest_framework.parsers import BaseParser, DataAndFiles, MultiPartParser
from rest_framework.request import Request, is_form_media_type
from rest_framework.response import Response

from accounts.identifiers import SYSTEM
from boards.files.importing import import_boards
from boards.files.options import ImportOptions
from boards.files.serializers import ONE_FILE, ImportQuery, ImportReportSerializer, UploadSerializer
from bridge.formats.files import FileFormat
from config.api.negotiation import django_request_of, is_text
from deals.views import ApiKeyView

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


FORMATS = {
    "application/x-pbn": FileFormat.PBN,
    "text/x-pbn": FileFormat.PBN,
    "application/x-lin": FileFormat.LIN,
}
FILE_TYPES = (*FORMATS, "application/octet-stream", "text/plain")
"""The types that the document and a refusal name. Any other is read too, but for JSON and forms without a file."""


class ImportView(ApiKeyView):
    """POST /api/deals/import?publish&theme&userId&atomic&dryRun&strict&renumbered with a bridge file as the body.

    Or with a multipart form: the file as its field `file`, and the parameters as its fields or in the query.
    The beginning of the file tells its format, whatever its type says. A type of FORMATS decides where it does not.

    → 200 with what was created, what was stored already, what was repaired or left out, and each refused record with
    its line. With strict=true nothing is repaired. With atomic=true a refused record is a 400 with meta.failed, and
    nothing is stored. With dryRun=true nothing is stored either, and the answer says what an import would do.
    """

    queries = {"post": (ImportQuery,)}
    parser_classes = (FormParser, FileParser)
    media_types = (*FILE_TYPES, FormParser.media_type)

    @extend_schema(
        operation_id="importDeals",
        summary="Import a file of boards or deals",
        description="Send the file as the body, or as the only file of a form. The beginning of the file tells its"
        " format, and a ZIP of such files is one too: any Content-Type is taken, such as application/zip or text/xml,"
        " with any charset, but for JSON and for a form without a file. application/x-pbn, text/x-pbn and"
        " application/x-lin name the format of a file whose beginning does not tell it."
        " A parameter stands in the query or in the form; publish, atomic, dryRun, strict and"
        " renumbered are true where either says so."
        " A record is repaired where only one"
        " reading fits, or kept without the part that contradicts the rest, and `warnings` says so. With strict=true"
        " it is refused. Records that are refused are named in the answer and left out. With atomic=true they are a"
        " 400 with meta.failed, and nothing is stored. With dryRun=true the answer is the same, and nothing is stored"
        " in any case.",
        request={
            **dict.fromkeys(FILE_TYPES, OpenApiTypes.BINARY),
            FormParser.media_type: UploadSerializer,
        },
        responses={200: ImportReportSerializer},
    )
    def post(self, request: Request) -> Response:
        query, file, media_type = read_upload(request)
        with file:
            options = ImportOptions(
                owner_id=query.get("userId", SYSTEM),
                themes=[query["theme"]] if "theme" in query else [],
                publish=query["publish"],
                file_format=FORMATS.get(media_type),
                strict=query["strict"],
                renumbered=query["renumbered"],
            )
            report = import_boards(file, options, atomic=query["atomic"], dry_run=query["dryRun"])
        return Response(ImportReportSerializer(report).data)


def read_upload(request: Request) -> tuple[dict[str, Any], BinaryIO, str]:
    """Return the parameters, the file and its media type. A form has them all, else the file is the body."""
    if is_form_media_type(request.content_type):
        parameters = ImportQuery.parse_form(request.query_params, request.POST, request.FILES)
        file: Any = request.FILES["file"]
        return parameters, file, file.content_type
    parameters = ImportQuery.parse(request.query_params)
    body: Any = request.data
    if not hasattr(body, "read"):  # nothing was sent
        raise serializers.ValidationError({"file": [serializers.ErrorDetail(ONE_FILE, code="required")]})
    return parameters, body, request.content_type.partition(";")[0].strip().lower()
