"""A path may have chosen the renderer of its answer, and finished JSON passes it unchanged."""

from itertools import product
from typing import Any

import orjson
import pytest
from django.test import RequestFactory
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.test import APIClient

from config.api.conditional import etag_of
from config.api.negotiation import ChosenByPath, JSONRenderer
from config.api.views import ApiView
from deals.views import PbnRenderer
from tests.answers import assert_error

ACCEPTED = [
    None, "", "*/*", "application/json", "application/x-pbn", "application/*", "text/html",
    "application/json, text/plain, */*", "application/json; q=0", "application/json; indent=4", " */*",
    "*/*, application/x-pbn", "APPLICATION/JSON", "nonsense",
]  # fmt: skip


def test_a_path_that_has_chosen_takes_any_accept_header() -> None:
    for accepted, renderer in product(ACCEPTED, (JSONRenderer(), PbnRenderer())):
        request = Request(RequestFactory().get("/", headers={} if accepted is None else {"accept": accepted}))
        assert ChosenByPath().select_renderer(request, [renderer]) == (renderer, renderer.media_type), accepted


BOARD = '{"title": "é",\n"hcp":{"north":10}}'.encode()


class FinishedView(ApiView):
    """An answer whose parts are finished JSON, and one that is finished as a whole and has its ETag."""

    permission_classes = (AllowAny,)
    public_read = True

    def get(self, request: Request, whole: bool) -> Response:
        if whole:
            return Response(orjson.Fragment(BOARD), headers={"ETag": '"kept"'})
        return Response({"boards": [orjson.Fragment(BOARD)] * 2, "pagination": {"page": 1}})


def read(whole: bool, **headers: str) -> Any:
    request = RequestFactory().get("/api/boards", headers=headers)
    return FinishedView.as_view()(request, whole=whole).render()


def test_finished_json_inside_an_answer_is_written_byte_for_byte() -> None:
    response = read(whole=False)
    assert response.content == b'{"boards":[%b,%b],"pagination":{"page":1}}' % (BOARD, BOARD)
    assert (response["Content-Type"], response["ETag"]) == ("application/json", etag_of(response.content))


def test_a_view_may_keep_the_etag_of_a_finished_answer() -> None:
    response = read(whole=True)
    assert (response.content, response["ETag"]) == (BOARD, '"kept"')
    assert read(whole=True, if_none_match='"kept"').status_code == 304
    assert read(whole=True, if_none_match=etag_of(BOARD)).status_code == 200
    assert read(whole=True, if_match='"other"').status_code == 412


@pytest.mark.django_db
def test_a_type_with_the_quality_0_is_not_sent(anonymous: APIClient) -> None:
    """The range that names a type most exactly decides, wherever it stands (RFC 9110 §12.5.1)."""
    json, ndjson = "application/json", "application/x-ndjson"
    for accept, sent in {
        "application/json;q=0": None, "*/*;q=0": None, "application/*; q=0.000": None, "text/html, */*;q=0": None,
        "application/json;q=0, */*": ndjson, "application/json;q=0, */*;q=0.1": ndjson, f"{ndjson};q=0, */*": json,
        "*/*;q=0, application/json": json, "application/*;q=0, */*": None, "application/*;Q=0, APPLICATION/JSON": json,
        f"application/json;q=0, {ndjson};q=0, */*": None, "application/json;q=0.1": json, "": None, "*/*": json,
        "application/json;q=0, application/json": json, "application/json;q=none": json, "image/webp;q=0": None,
    }.items():  # fmt: skip
        answer = anonymous.get("/api/boards", headers={"accept": accept})
        if sent is None:
            assert_error(answer, 406, "not_acceptable")
        else:
            assert (answer.status_code, answer["Content-Type"]) == (200, sent), accept
            answer.getvalue()  # a stream keeps its permit until it ends
    assert_error(anonymous.get("/api/themes", headers={"accept": "application/json;q=0, */*"}), 406, "not_acceptable")
    assert_error(anonymous.get("/api/nothing", headers={"accept": "*/*;q=0"}), 404, "not_found")
