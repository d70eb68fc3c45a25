"""Cursors: positions in a list, which stay where they are while rows are added to it and removed from it.

A client gets one as `nextCursor` and in the Link header, and sends it back as `after`. What it consists of is not the
client's concern.
"""

import re
from base64 import urlsafe_b64decode, urlsafe_b64encode
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from struct import Struct
from typing import Any, NamedTuple
from uuid import UUID

from django.http import QueryDict
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from config.api.pagination import MAX_PAGE, NaturalField, PageQuery, PaginationSerializer, write_links
from config.api.serializers import QuerySerializer

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


NOT_OF_THIS_LIST = "This is not a cursor of this list. Send nextCursor as you got it, or nothing to start anew."


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
        help_text="A cursor, instead of a page: the nextCursor of an earlier answer, or nothing for the first rows. "
        "Rows that are added meanwhile neither repeat nor hide others.",
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
        help_text="Send it as `after` for the rows that follow. null at the end, and where the order is not by time.",
    )


@dataclass(frozen=True, slots=True)
class CursorPage:
    """A page that begins at a cursor. It has no number."""

    page_size: int
    total_count: int
    has_more: bool

    def represent(self) -> dict[str, Any]:
        return {
            "page": None,
            "pageSize": self.page_size,
            "totalCount": self.total_count,
            "totalPages": -(-self.total_count // self.page_size),
            "hasMore": self.has_more,
        }


def cursor_links(path: str, query: QueryDict, query_class: type[QuerySerializer], next_cursor: str | None) -> str:
    """Return the addresses of the first rows and of those that follow the page, both by cursor."""
    links = {"first": ""} | ({"next": next_cursor} if next_cursor else {})
    return write_links(path, query, query_class, "after", links)
