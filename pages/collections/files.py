"""A collection as a file."""

from collections.abc import Iterator, Sequence
from uuid import UUID

from django.http import HttpRequest, StreamingHttpResponse

from boards.collections.reading import Caller
from boards.files.exporting import file_header, read_exported
from boards.models import Board
from bridge.formats.files import FileFormat
from config.edge.limits.exports import stream
from deals.views import PbnRenderer
from pages.collections.finding import caller_of, find_collection, hide, visible_entries
from pages.site.base import PageView


class CollectionFile(PageView):
    """GET /collections/{id}.pbn → 200: its boards in order as a PBN file, within the limits of exports, or 404."""

    vary = ()

    def get(self, request: HttpRequest, pk: UUID) -> StreamingHttpResponse:
        caller = caller_of(request)
        collection = find_collection(pk, caller)
        keys = [entry.board_id for entry in visible_entries(collection, caller)]
        content_type = f"{PbnRenderer.media_type}; charset={PbnRenderer.charset}"
        response = stream(request, "boards", write_boards(keys, caller), content_type)
        response["Content-Disposition"] = f'attachment; filename="collection-{pk}.pbn"'
        hide(collection, response)
        return response


def write_boards(keys: Sequence[UUID], caller: Caller) -> Iterator[bytes]:
    """Yield a file of these boards, as far as the caller may see them. They are some hundreds at most."""
    exported = read_exported(keys, Board.objects.visible_to(caller))
    yield file_header(FileFormat.PBN).encode()
    yield "".join(exported[pk].write(FileFormat.PBN) for pk in keys if pk in exported).encode()
