"""What anybody may read of boards, for settings.PUBLIC_READS. BoardViewSet answers the same."""

import re
from uuid import UUID

from django.http import QueryDict

from boards.catalogue.reading import read_board, read_page
from boards.filters import BoardQuery, parse_selection
from config import paths
from config.api.pagination import PageQuery, link_header, represent_page
from config.edge.public_reads import Document, PublicRead
from config.values.strict_json import dump_json

LIST = f"{paths.API}/boards"


def make_board(path: re.Match[str], query: QueryDict) -> Document | None:
    board = read_board(UUID(path["id"]))
    return Document(dump_json(board)) if board else None


def make_page(path: re.Match[str], query: QueryDict) -> Document:
    page, boards = read_page(parse_selection(query), PageQuery.parse(query))
    body = dump_json(represent_page("boards", page, boards))
    return Document(body, (("Link", link_header(path[0], query, BoardQuery, page)),))


BOARD = PublicRead(
    re.compile(rf"{LIST}/(?P<id>[0-9a-f]{{8}}(-[0-9a-f]{{4}}){{3}}-[0-9a-f]{{12}})"), make_board
)
BOARD_LIST = PublicRead(re.compile(LIST), make_page)
