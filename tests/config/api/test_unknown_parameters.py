"""A query parameter that an operation does not have is refused with its nearest name, and nothing is done.

That each operation refuses one is tried where its examples are recorded (tests/conformance/examples).
"""

from typing import Any
from urllib.parse import urlencode

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from rest_framework.test import APIClient

from accounts.models import Account
from boards.models import Board, Collection
from bridge.formats.pbn.writer import write_pbn
from config.api.errors import MAX_FIELDS, MAX_NAME
from config.api.unknown_parameters import meanings
from tests import factories
from tests.answers import assert_error, field_errors
from tests.conformance.document import document
from tests.service_client import ServiceClient

pytestmark = pytest.mark.django_db

ADVICE: dict[str, dict[str, str]] = {
    "/api/boards?themme=stayman": {"themme": "theme"}, "/api/boards?limit=5": {"limit": "pageSize"},
    "/api/boards?vulnerabilty=All&Dealer=N": {"vulnerabilty": "vulnerability", "Dealer": "dealer"},
    "/api/themes?type=convention&types[]=x": {"type": "types", "types[]": "types"},
    "/api/boards?cursor=cAAG": {"cursor": "after"}, "/api/boards?page_size=5": {"page_size": "pageSize"},
    "/api/boards?q%00=5": {"q\ufffd": "q"}, "/api/collections?nextCursor=x": {"nextCursor": "after"},
    "/api/deals/events?cursor=5": {"cursor": "after"}, "/api/boards.pbn?sort=top": {"sort": ""},
    "/api/boards?search=slam&offset=20&vul=All": {"search": "q", "offset": "page", "vul": "vulnerability"},
    "/api/boards?owner=x&sortBy=top&type=x": {"owner": "userId", "sortBy": "sort", "type": "themeType"},
    "/api/collections?userId=x&offset=20": {"userId": "owner", "offset": "page"},
    "/api/deals/events?offset=5&since=5&size=5": {"offset": "after", "since": "after", "size": "limit"},
    "/api/boards/summary?page=2": {"page": ""}, "/api/events?after=zz": {"after": ""},
}  # fmt: skip
"""For each address its unknown parameters, each with the nearest that there is, or nothing."""


def advice(answer: Any) -> dict[str, str]:
    """Return the unknown parameters of the answer, each with the nearest that it names."""
    fields = assert_error(answer, 400, "unknown_parameter")["meta"]["fields"]
    assert {reason["code"] for reasons in fields.values() for reason in reasons} == {"unknown_parameter"}
    said = {name: reasons[0]["message"] for name, reasons in fields.items()}
    leave = "This address has no such parameter. Leave it out."
    return {name: text.removeprefix("Did you mean ").replace(leave, "").rstrip("?") for name, text in said.items()}


def test_an_unknown_parameter_is_refused_with_its_nearest_name(service: APIClient) -> None:
    assert {path: advice(service.get(path)) for path in ADVICE} == ADVICE
    meta = assert_error(service.get("/api/collections?colour=red"), 400, "unknown_parameter")["meta"]
    assert meta["parameters"] == ["after", "owner", "page", "pageSize"], "all that there are"


def test_each_hint_names_a_parameter_that_some_address_has() -> None:
    shared = document()["components"]["parameters"].values()
    of_operations = [
        one for path in document()["paths"].values() for each in path.values() for one in each["parameters"]
    ]
    ours = {one["name"] for one in (*shared, *of_operations) if one.get("in") == "query"}
    assert {name for names in meanings().values() for name in names} <= ours


def test_what_else_is_wrong_is_said_beside_it(anonymous: APIClient, member: APIClient) -> None:
    answer = anonymous.get("/api/boards?colour=red&dealer=X&page=0&theme=stayman&sort=top&sort=top")
    fields = assert_error(answer, 400, "unknown_parameter")["meta"]["fields"]
    assert {name: [reason["code"] for reason in reasons] for name, reasons in fields.items()} == {
        "colour": ["unknown_parameter"], "dealer": ["invalid_choice"], "page": ["invalid"], "sort": ["repeated"],
    }  # fmt: skip
    many = "&".join(f"c{number}=1" for number in range(60))
    fields = assert_error(anonymous.get(f"/api/boards?dealer=X&{many}"), 400, "unknown_parameter")["meta"]["fields"]
    assert len(fields) == MAX_FIELDS


def test_a_name_is_repeated_without_odd_characters_and_not_whole_where_it_is_long(
    anonymous: APIClient, member: APIClient, service: APIClient
) -> None:
    odd, shown = "a\x00b\u202ec\nd", "a\ufffdb\ufffdc\ufffdd"
    long, cut = "x" * 5_000, f"{'x' * MAX_NAME}…"
    answer = anonymous.get(f"/api/boards?{urlencode({odd: 1, long: 1})}")
    assert assert_error(answer, 400, "unknown_parameter")["meta"]["fields"].keys() == {shown, cut}
    answer = member.patch("/api/accounts/member", {odd.replace("\x00", "\x01"): 1, long: 1})
    assert field_errors(answer).keys() == {shown, cut}
    form = {"file": SimpleUploadedFile("a.pbn", write_pbn(factories.record()).encode()), odd.replace("\n", "\x02"): "1"}
    assert field_errors(service.post("/api/deals/import", form, format="multipart")).keys() == {shown}
    answer = member.post("/api/collections", {"title": "Lesson", "fromSearch": urlencode({odd: 1})})
    assert "\x00" not in answer.json()["meta"]["fields"]["fromSearch"][0]["message"]


def test_it_is_refused_in_front_of_django_too(board: Board) -> None:
    client = ServiceClient()
    for path in ("/api/boards", f"/api/boards/{board.pk}", "/api/themes"):
        assert client.get(path).status_code == 200
        assert advice(client.get(f"{path}?colour=red")).keys() == {"colour"}, path


def test_what_others_add_to_an_address_passes(anonymous: APIClient, board: Board) -> None:
    added = "utm_source=letter&utm_medium=mail&fbclid=x&gclid=y&_=1764110400"
    for path in ("/api/boards?page=1&", f"/api/boards/{board.pk}?", "/api/themes?", "/api/auction-systems?"):
        assert anonymous.get(f"{path}{added}").status_code == 200, path
    assert "utm_source" not in anonymous.get(f"/api/boards?{added}")["Link"]


def test_whoever_may_not_ask_learns_nothing_of_the_parameters(anonymous: APIClient) -> None:
    assert_error(anonymous.get("/api/voting?colour=red"), 401, "not_authenticated")
    assert_error(anonymous.get("/api/deals?colour=red"), 401, "invalid_api_key")


def test_a_change_with_an_unknown_parameter_changes_nothing(member: APIClient, service: APIClient) -> None:
    assert advice(member.patch("/api/accounts/member?dryRun=true", {"displayName": "Zia"})) == {"dryRun": ""}
    assert Account.objects.get(pk="member").display_name != "Zia"
    file = write_pbn(factories.record())
    answer = service.post("/api/deals/import?publsh=true", file, content_type="application/x-pbn")
    assert advice(answer) == {"publsh": "publish"}
    assert not Board.objects.exists()


def test_a_search_for_a_collection_has_filters_alone(member: APIClient, board: Board) -> None:
    for query, nearest in {"delaer=N": "dealer", "foo": "", "page=3": "", "dealer=N&themme=x": "theme"}.items():
        answer = member.post("/api/collections", {"title": "Lesson", "fromSearch": query})
        reasons = assert_error(answer, 400, "validation_error")["meta"]["fields"]["fromSearch"]
        assert f"Did you mean {nearest}?" in reasons[0]["message"] or not nearest, query
    assert not Collection.objects.exists()


def test_a_long_query_of_unknown_parameters_names_the_first_fifty(anonymous: APIClient) -> None:
    query = "&".join(f"colour{number}=red" for number in range(200))
    assert len(advice(anonymous.get(f"/api/boards?{query}"))) == 50


@pytest.fixture
def board() -> Board:
    return factories.board()
