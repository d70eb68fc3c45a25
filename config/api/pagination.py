"""Lists in pages: by number, as the interface has them, or from a cursor on, with a Link header to the next.

A cursor is a position in a list, which stays where it is while rows are added to it and removed from it. A client gets
one as `nextCursor` and in the Link header, and sends it back as `after`. What it consists of is not its concern.
"""

import re
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from struct import Struct
from typing import Any, NamedTuple, TypeVar
from urllib.parse import urlencode
from uuid import UUID

from django.conf import settings
from django.db.models import Model, QuerySet
from django.http import QueryDict
from django.utils.encoding import escape_uri_path
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from config.api.serializers import QuerySerializer

Row = TypeVar("Row", bound=Model)

MAX_PAGE = 2_147_483_647
MAX_PAGE_SIZE = 100
MAX_LINK_LENGTH = 1500
"""Proxies refuse answers with long headers: nginx takes 4 or 8 KiB in all, and answers 502."""

MAX_SINGLE_LINK_LENGTH = 2200
"""The longest address that is sent alone."""

RELATIONS = ("next", "prev", "first", "last")
"""The link relations, those first that a reader needs most."""

# ASCII digits without sign: int() would also take "+5", " 5", "1_0" and "٥".
NATURAL = re.compile(r"[1-9][0-9]{0,9}")


class NaturalField(serializers.IntegerField):
    """A query parameter that is a whole number from 1 on."""

    default_error_messages = {"invalid": "Give a whole number in plain digits, 1 or more."}

    def to_internal_value(self, data: Any) -> int:
        if not NATURAL.fullmatch(data):
            self.fail("invalid")
        return int(data)


class PageQuery(QuerySerializer):
    page = NaturalField(default=1, min_value=1, max_value=MAX_PAGE, help_text="Counts from 1.")
    pageSize = NaturalField(
        default=20, min_value=1, max_value=MAX_PAGE_SIZE, help_text="The number of items of a page."
    )


class PaginationSerializer(serializers.Serializer):
    """The position of a page in its list."""

    page = serializers.IntegerField(help_text="The number of this page, from 1.")
    pageSize = serializers.IntegerField(help_text="The number of items of a full page.")
    totalCount = serializers.IntegerField(help_text="Exact, not an estimate.")
    totalPages = serializers.IntegerField(help_text="The number of pages. It is 0 for an empty list.")
    hasMore = serializers.BooleanField(help_text="Whether a page follows this one.")


@dataclass(frozen=True, slots=True)
class Page:
    page: int
    page_size: int
    total_count: int

    @property
    def first_row(self) -> int:
        return (self.page - 1) * self.page_size

    @property
    def total_pages(self) -> int:
        return -(-self.total_count // self.page_size)

    @property
    def has_more(self) -> bool:
        return self.page < self.total_pages

    @property
    def neighbours(self) -> dict[str, int]:
        """Return page numbers by link relation (RFC 8288): first and last always, prev and next where they exist."""
        last = max(self.total_pages, 1)
        pages = {"first": 1, "prev": min(self.page - 1, last), "next": self.page + 1, "last": last}
        return {relation: page for relation, page in pages.items() if 1 <= page <= last}

    def represent(self) -> dict[str, Any]:
        return {
            "page": self.page,
            "pageSize": self.page_size,
            "totalCount": self.total_count,
            "totalPages": self.total_pages,
            "hasMore": self.has_more,
        }


def read_page(queryset: "QuerySet[Row]", query: Mapping[str, Any]) -> tuple[Page, list[Row]]:
    """Return the page that a parsed PageQuery asks for, and its rows: none past the end.

    Two queries: the keys of the page, then the rows with these keys. So a large OFFSET skips keys alone, and the
    database joins other tables only to the rows of the page.
    """
    page = Page(query["page"], query["pageSize"], queryset.count())
    if page.first_row >= page.total_count:
        return page, []
    keys = queryset.values_list("pk", flat=True)[page.first_row : page.first_row + page.page_size]
    return page, list(queryset.filter(pk__in=list(keys)))


def link_header(path: str, query: QueryDict, query_class: type[QuerySerializer], page: Page) -> str:
    """Return the addresses of the page's neighbours."""
    return write_links(path, query, query_class, "page", page.neighbours)


def write_links(
    path: str, query: QueryDict, query_class: type[QuerySerializer], name: str, values: Mapping[str, Any]
) -> str:
    """Return the Link header: the request's own address with other values of one parameter, by link relation.

    Parameters of neither the page nor `query_class` are left out: the route does not know them. The others are sorted.
    Where filters are so long that the header would have more than MAX_LINK_LENGTH characters, relations are left out,
    those that a reader needs least first. It is "" where even one is longer than MAX_SINGLE_LINK_LENGTH.
    """
    known = PageQuery.names() | query_class.names()
    parameters = sorted(each for each in query.lists() if each[0] in known)
    before = urlencode([each for each in parameters if each[0] < name], doseq=True)
    after = urlencode([each for each in parameters if each[0] > name], doseq=True)
    start = f"{settings.PUBLIC_BASE_URL}{escape_uri_path(path)}?{before}{'&' if before else ''}{name}="
    end = f"&{after}" if after else ""
    links = {rel: f'<{start}{value}{end}>; rel="{rel}"' for rel, value in values.items()}
    while len(link := ", ".join(links.values())) > MAX_LINK_LENGTH and len(links) > 1:
        del links[max(links, key=RELATIONS.index)]
    return link if len(link) <= MAX_SINGLE_LINK_LENGTH else ""


LAYOUT = Struct(">cq16s")
"""The letter of the list, the microseconds since EPOCH, the id."""
EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
TEXT = re.compile(r"[A-Za-z0-9_-]{34}")
NUMBER_LAYOUT = Struct(">cq")
"""The letter of the list, the number."""
NUMBER_TEXT = re.compile(r"[A-Za-z0-9_-]{12}")


class Cursor(NamedTuple):
    """The position right after a row in a list whose newest rows come first. `letter` is that of the list."""

    letter: str
    moment: datetime
    id: UUID

    def encode(self) -> str:
        microseconds = (self.moment - EPOCH) // timedelta(microseconds=1)
        packed = LAYOUT.pack(self.letter.encode(), microseconds, self.id.bytes)
        return urlsafe_b64encode(packed).rstrip(b"=").decode()

    @classmethod
    def decode(cls, text: str) -> "Cursor":
        """Return the cursor that was encoded as this text. Raise ValueError for any other text."""
        if not TEXT.fullmatch(text):
            raise ValueError("A cursor has 34 characters of base64url.")
        letter, microseconds, key = LAYOUT.unpack(urlsafe_b64decode(f"{text}=="))
        try:
            cursor = cls(letter.decode("ascii"), EPOCH + timedelta(microseconds=microseconds), UUID(bytes=key))
        except OverflowError as error:
            raise ValueError("A cursor's moment is in the years 1 to 9999.") from error
        if cursor.encode() != text:
            raise ValueError("Each cursor is written in one way.")
        return cursor


class NumberCursor(NamedTuple):
    """The position right after the row with a number, where the greatest number comes first."""

    letter: str
    number: int

    def encode(self) -> str:
        return urlsafe_b64encode(NUMBER_LAYOUT.pack(self.letter.encode(), self.number)).decode()

    @classmethod
    def decode(cls, text: str) -> "NumberCursor":
        """Return the cursor that was encoded as this text. Raise ValueError for any other text."""
        if not NUMBER_TEXT.fullmatch(text):
            raise ValueError("A cursor of a number has 12 characters of base64url.")
        letter, number = NUMBER_LAYOUT.unpack(urlsafe_b64decode(text))
        if number < 0:
            raise ValueError("Numbers are greater than 0.")
        return cls(letter.decode("ascii"), number)


FIRST_NUMBER = NumberCursor("", 2**63 - 1)
"""The position before the greatest number."""

START = Cursor("", datetime.max.replace(tzinfo=UTC), UUID(int=2**128 - 1))
"""The position before the newest row of any list."""


NOT_OF_THIS_LIST = "This cursor does not belong to this list. Send nextCursor unchanged, or nothing to start again."


@extend_schema_field(OpenApiTypes.STR)
class CursorField(serializers.Field):
    """A query parameter that is a cursor, or "" for the position before all rows."""

    kind: type[Cursor | NumberCursor] = Cursor
    start: Cursor | NumberCursor = START

    default_error_messages = {"invalid": NOT_OF_THIS_LIST}

    def to_internal_value(self, data: str) -> Cursor | NumberCursor:
        if not data:
            return self.start
        try:
            return self.kind.decode(data)
        except ValueError:
            self.fail("invalid")


class NumberCursorField(CursorField):
    kind = NumberCursor
    start = FIRST_NUMBER


class CursorPageQuery(PageQuery):
    # Without a default in the document: generated clients send defaults, and `page` excludes `after`.
    page = NaturalField(
        required=False,
        min_value=1,
        max_value=MAX_PAGE,
        help_text="Counts from 1, which is read when neither page nor after is given.",
    )
    after = CursorField(
        required=False,
        help_text="A cursor, instead of a page: the nextCursor of the last answer, or nothing for the first rows."
        " Rows added in the meantime cause no repeats and no gaps.",
    )

    @classmethod
    def parse_for(cls, query: QueryDict, letter: str) -> dict[str, Any]:
        """Return the parameters. Refuse a cursor of a list with another letter, and one beside a page."""
        parameters = {"page": 1, **cls.parse(query)}
        after: Cursor | NumberCursor | None = parameters.get("after")
        reason = ""
        if after is not None and "page" in query:
            reason = "Give page or after, not both."
        elif after and after.letter not in ("", letter):
            reason = NOT_OF_THIS_LIST
        if reason:
            raise refused_cursor(reason)
        return parameters


def refused_cursor(reason: str) -> serializers.ValidationError:
    return serializers.ValidationError({"after": [serializers.ErrorDetail(reason, code="invalid")]})


class CursorPaginationSerializer(PaginationSerializer):
    page = serializers.IntegerField(allow_null=True, help_text="null where `after` was sent.")
    nextCursor = serializers.CharField(
        allow_null=True,
        help_text="Send it as `after` to get the next rows. null at the end, when hasMore is false.",
    )


@dataclass(frozen=True, slots=True)
class CursorPage:
    """A page that begins at a cursor. It has no number."""

    page_size: int
    total_count: int
    has_more: bool

    def represent(self) -> dict[str, Any]:
        numbered = Page(1, self.page_size, self.total_count).represent()
        return {**numbered, "page": None, "hasMore": self.has_more}


def cursor_list(
    page: Page | CursorPage, next_cursor: str | None, path: str, query: QueryDict, query_class: type[QuerySerializer]
) -> tuple[dict[str, Any], str]:
    """Return the pagination of a list that has cursors, and its Link header.

    It has the page's neighbours or, after a cursor, the first rows and those that follow.
    """
    pagination = {**page.represent(), "nextCursor": next_cursor}
    if isinstance(page, Page):
        return pagination, link_header(path, query, query_class, page)
    links = {"first": ""} | ({"next": next_cursor} if next_cursor else {})
    return pagination, write_links(path, query, query_class, "after", links)
