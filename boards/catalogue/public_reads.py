"""What anybody may read of boards, for settings.PUBLIC_READS. BoardViewSet answers the same."""

import re
from uuid import UUID

from django.contrib.auth.models import AnonymousUser
from django.http import QueryDict

from boards.catalogue.answers import LIST_QUERIES, answer_list
from boards.catalogue.reading import read_board
from config import paths
from config.edge.serving.public_reads import Document, PublicRead
from config.values.strict_json import dump_json

LIST = f"{paths.API}/boards"


def make_board(path: re.Match[str], query: QueryDict) -> Document | None:
    board = read_board(UUID(path["id"]))
    return Document(dump_json(board)) if board else None


def make_page(path: re.Match[str], query: QueryDict) -> Document:
    answer = answer_list(path[0], query, AnonymousUser())
    return Document(dump_json(answer.body), (("Link", answer.link),))


BOARD = PublicRead(re.compile(rf"{LIST}/(?P<id>[0-9a-f]{{8}}(-[0-9a-f]{{4}}){{3}}-[0-9a-f]{{12}})"), make_board)
BOARD_LIST = PublicRead(re.compile(LIST), make_page, LIST_QUERIES)
