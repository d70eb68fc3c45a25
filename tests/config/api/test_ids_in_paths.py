"""An id in a path is read in either case, on every route, and answers write it in lower case."""

import re

import pytest
from django.test import Client
from rest_framework.test import APIClient

from tests import factories
from tests.routes import routes
from tests.service_client import ServiceClient

pytestmark = pytest.mark.django_db


def test_every_route_takes_ids_in_either_case() -> None:
    """Check that all use the one converter: Django's own knows lower case alone."""
    converters = set(re.findall(r"<(\w+):\w+>", " ".join(route.path for route in routes())))
    others = {"slug", "str"}  # the name of a guide, the token of a mail's link
    assert converters == {"any_uuid", "account_id", "int", *others}


@pytest.mark.parametrize("spell", [str.upper, str.title, str.lower])
def test_a_board_is_found_by_its_id_in_either_case(spell, anonymous: APIClient, service: APIClient) -> None:
    board = factories.board()
    board_id, deal_id = spell(str(board.pk)), spell(str(board.deal_id))
    for ending in ("", ".pbn", ".lin", ".svg"):
        expected = anonymous.get(f"/api/boards/{board.pk}{ending}")
        for client in (anonymous, ServiceClient()):
            response = client.get(f"/api/boards/{board_id}{ending}")
            assert (response.status_code, response.content) == (200, expected.content)
            assert response["ETag"] == expected["ETag"]
    assert service.get(f"/api/deals/{deal_id}").json()["id"] == str(board.deal_id)
    assert [each["id"] for each in service.get(f"/api/deals/{deal_id}/boards").json()] == [str(board.pk)]
    assert service.get(f"/api/deals/{deal_id}.pbn")["Content-Disposition"].endswith(f'{board.deal_id}.pbn"')
    changed = service.patch(f"/api/deals/{deal_id}/boards/{board_id}", {"title": "A title"})
    assert changed.json()["id"] == str(board.pk)


def test_a_page_names_its_address_in_lower_case(client: Client) -> None:
    board = factories.board()
    address = f"/boards/{str(board.pk).upper()}"
    assert f'href="http://testserver/boards/{board.pk}"' in client.get(address).content.decode()
    assert client.get(f"{address}.txt").status_code == 200
