"""GET /api/auction-systems, and recognising one by what a bridge file says of it."""

import pytest
from django.core.management import call_command
from rest_framework.test import APIClient

from accounts.models import AuctionSystem
from accounts.system_names import SystemNames, normalise
from tests import factories

pytestmark = pytest.mark.django_db

OTHER = {"id": "other", "identifier": "other", "labels": {"en": "Other / no agreement"}, "sortOrder": 9999}


def test_the_list_is_a_bare_array_of_whole_systems(anonymous: APIClient) -> None:
    factories.auction_system("acol", sort_order=3)
    response = anonymous.get("/api/auction-systems")
    acol = {"id": "acol", "identifier": "acol", "labels": {"en": "acol"}, "sortOrder": 3}
    assert (response.status_code, response.json()) == (200, [acol, OTHER])
    assert response["Cache-Control"] == "public, max-age=0, must-revalidate"


def test_the_order_is_sort_order_then_identifier(anonymous: APIClient) -> None:
    for identifier, order in (("sef", 2), ("acol", 2), ("zzz", 1), ("Acol", 2)):
        factories.auction_system(identifier, sort_order=order)
    listed = [system["identifier"] for system in anonymous.get("/api/auction-systems").json()]
    assert (listed[0], listed[-1]) == ("zzz", "other")
    assert [name for name in listed if name in ("acol", "sef")] == ["acol", "sef"]


@pytest.fixture
def names() -> SystemNames:
    call_command("load_reference_data", verbosity=0)
    return SystemNames(AuctionSystem.objects.all())


def test_a_system_is_known_by_its_names_in_any_spelling(names: SystemNames) -> None:
    expected = {
        "SAYC": "sayc", "Sayc - Standard American Yellow Card": "sayc", "2/1 gf": "two_over_one",
        "2/1GF - 2/1 Game Force": "two_over_one", "ACOL": "acol", "Acol (4 card majors)": "acol",
        "Polish Club": "polish_club", "Estándar americano (SAYC)": "sayc", "two_over_one": "two_over_one",
        **dict.fromkeys(("", "-", "Our own", "Acolyte", "Acol; Precision", "2")),
    }  # fmt: skip
    found = {text: names.recognise(text) for text in expected}
    assert {text: system and system.identifier for text, system in found.items()} == expected


def test_names_are_compared_by_their_words_and_numbers() -> None:
    assert normalise("2/1-GF  (5M)") == "2 1 gf 5 m" == normalise("2 1 gf 5m")


def test_aliases_of_staff_are_names_too_and_stay_when_the_data_are_loaded_again(names: SystemNames) -> None:
    AuctionSystem.objects.filter(pk="acol").update(aliases="Uncle Bob's\nKitchen bridge")
    call_command("load_reference_data", verbosity=0)
    system = SystemNames(AuctionSystem.objects.all()).recognise("KITCHEN BRIDGE")
    assert system is not None and system.pk == "acol"
