"""Pages by number, as the interface has them: {"boards": […], "pagination": {…}} and a Link header."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar
from urllib.parse import urlencode

from django.conf import settings
from django.db.models import Model, QuerySet
from django.http import QueryDict
from django.utils.encoding import escape_uri_path
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from config.api.serializers import QuerySerializer

Row = TypeVar("Row", bound=Model)

MAX_PAGE = 2_147_483_647
MAX_PAGE_SIZE = 100
MAX_LINK_LENGTH = 1500
"""Proxies refuse answers with long headers: nginx takes 4 or 8 KiB in all, and answers 502."""

RELATIONS = ("next", "prev", "first", "last")
"""The link relations, those first that a reader needs most."""

# ASCII digits without sign: int() would also take "+5", " 5", "1_0" and "٥".
NATURAL = re.compile(r"[1-9][0-9]{0,9}")


class NaturalField(serializers.IntegerField):
    """A query parameter that is a whole number from 1 on."""

    default_error_messages = {"invalid": "Give a whole number in plain digits, from 1 on."}

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
    """Where a page stands in its list."""

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
        if not self.has_more:
            del pages["next"]
        if not pages["prev"]:
            del pages["prev"]
        return pages

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


def page_response(request: Request, view: Any, page: Page, items: Sequence[Any]) -> Response:
    """Return the answer of a list: a page of items under the view's `items_key`, the pagination and the Link header."""
    response = Response(represent_page(view.items_key, page, items))
    response["Link"] = link_header(request.path, request.query_params, PageQuery, page)
    return response


def represent_page(items_key: str, page: Any, items: Any) -> dict[str, Any]:
    return {items_key: items, "pagination": page.represent()}


def link_header(path: str, query: QueryDict, query_class: type[QuerySerializer], page: Page) -> str:
    """Return the addresses of the page's neighbours."""
    return write_links(path, query, query_class, "page", page.neighbours)


def write_links(
    path: str, query: QueryDict, query_class: type[QuerySerializer], name: str, values: Mapping[str, Any]
) -> str:
    """Return the Link header: the request's own address with other values of one parameter, by link relation.

    Parameters of neither the page nor `query_class` are left out: the route does not know them. The others are sorted.
    Where filters are so long that the header would have more than MAX_LINK_LENGTH characters, relations are left out,
    those that a reader needs least first.
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
    return link
