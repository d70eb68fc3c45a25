"""The holder finds each kind of contradiction. Without these tests it might hold nothing, and no test would notice."""

import json
from dataclasses import replace
from typing import Any

import pytest

from tests.conformance.exchange import Exchange
from tests.conformance.holding import problems

ERROR = {"code": "not_found", "message": "Nothing.", "meta": {"requestId": "1"}}
HEADERS = {"Content-Type": "application/json", "X-Request-Id": "1"}
ANSWERED = Exchange(
    method="GET",
    path="/api/auction-systems",
    query="",
    sent_headers={},
    sent_body=b"",
    status=200,
    headers={**HEADERS, "ETag": '"0123"'},
    body=b'[{"id": "acol", "identifier": "acol", "labels": {"en": "Acol"}, "sortOrder": 1}]',
)
VOTED = replace(
    ANSWERED,
    method="PUT",
    path="/api/voting/6f9619ff-8b86-4d01-b42d-00cf4fc964ff",
    sent_headers={"authorization": "Bearer x", "content-type": "application/json"},
    sent_body=b'{"vote": "up"}',
    status=204,
    headers={"X-Request-Id": "1"},
    body=b"",
)
PAGE = {"page": 1, "pageSize": 20, "totalCount": 0, "totalPages": 0, "hasMore": False, "nextCursor": None}
EMPTY = json.dumps({"boards": [], "pagination": PAGE}).encode()
LIST = replace(ANSWERED, path="/api/boards", headers={**ANSWERED.headers, "Link": "<x>"}, body=EMPTY)


def refused(**changes: Any) -> Exchange:
    return replace(ANSWERED, **{"status": 404, "headers": HEADERS, "body": json.dumps(ERROR).encode(), **changes})


@pytest.mark.parametrize(
    "exchange",
    [
        *(ANSWERED, VOTED, LIST),
        replace(LIST, query="page=2&theme=&unknown=1", path="/api/boards/"),
        replace(VOTED, sent_body=None),
        refused(path="/api/nothing"),
        replace(ANSWERED, method="HEAD", body=b""),
        refused(path=LIST.path, status=411, sent_headers={"transfer-encoding": "chunked"}),
        replace(ANSWERED, method="OPTIONS", status=204, headers={"X-Request-Id": "1"}, body=b""),
        replace(ANSWERED, path="/api/openapi.json", headers={}),
    ],
    ids=str,
)
def test_it_lets_pass_what_the_document_says(exchange: Exchange) -> None:
    assert list(problems(exchange)) == []


@pytest.mark.parametrize(
    ("exchange", "problem"),
    [
        (replace(ANSWERED, path="/api/nothing"), "no such path"),
        (replace(ANSWERED, method="DELETE"), "no such method"),
        (replace(ANSWERED, status=418), "does not list the status 418"),
        (replace(ANSWERED, headers={**ANSWERED.headers, "Content-Type": "text/html"}), "lists no text/html"),
        (replace(ANSWERED, headers=HEADERS), "has no ETag"),
        (replace(ANSWERED, headers={**ANSWERED.headers, "ETag": "weak"}), 'ETag: "weak"'),
        (replace(ANSWERED, headers={**ANSWERED.headers, "X-New": "1"}), "lists no header X-New"),
        (replace(ANSWERED, body=b"<html>"), "not JSON"),
        (replace(ANSWERED, body=b"{}"), 'not of type "array"'),
        (replace(ANSWERED, body=ANSWERED.body.replace(b'"sortOrder"', b'"order"')), "'order' was unexpected"),
        (refused(status=401, headers=HEADERS), "has no WWW-Authenticate"),
        (refused(status=400), "does not name not_found"),
        (refused(status=411), "does not list the status 411"),
        (refused(status=409, sent_headers={"content-length": "2"}), "does not list the status 409"),
        (refused(path="/api/nothing", body=b"{}"), '"code" is a required property'),
        (replace(LIST, query="page=0"), "query parameter page"),
        (replace(LIST, query="page=1&page=2"), "page more than once"),
        (replace(LIST, sent_headers={"x-impersonation-id": "5"}), "header parameter X-Impersonation-Id"),
        (replace(VOTED, path="/api/voting/5"), "path parameter boardId"),
        (replace(VOTED, sent_headers={"content-type": "application/json"}), "without the credentials"),
        (replace(VOTED, sent_body=b""), "without the body"),
        (replace(VOTED, sent_body=b'{"vote": "maybe"}'), '"maybe" is not one of'),
        (replace(VOTED, sent_body=b'{"vote": "up", "x": 1}'), "'x' was unexpected"),
        (replace(VOTED, sent_headers={**VOTED.sent_headers, "content-type": "text/plain"}), "body of text/plain"),
        (replace(VOTED, body=b"done"), "may have no body"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_it_finds_a_contradiction(exchange: Exchange, problem: str) -> None:
    assert problem in "\n".join(problems(exchange))
