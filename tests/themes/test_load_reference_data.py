"""manage.py load_reference_data."""

import io

import pytest
from django.contrib.auth.models import Group
from django.core.management import call_command

from accounts.models import AuctionSystem
from themes.models import Theme

pytestmark = pytest.mark.django_db

LANGUAGES = {"en", "fr", "de", "nl", "es", "it", "pl", "sv"}
NOTHING_NEW = "New: 0 auction systems, 0 themes.\n"


def load() -> str:
    out = io.StringIO()
    call_command("load_reference_data", stdout=out)
    return out.getvalue()


def everything() -> tuple[object, ...]:
    return tuple(list(model.objects.order_by("pk").values()) for model in (AuctionSystem, Theme, Group))


def test_it_makes_systems_themes_and_the_group_and_says_so() -> None:
    # `other` is there since migrate.
    assert load() == "New: 27 auction systems, 29 themes, the support group.\n"
    assert (AuctionSystem.objects.count(), Theme.objects.count()) == (28, 29)


@pytest.mark.usefixtures("reference_data")
@pytest.mark.parametrize("model", [AuctionSystem, Theme])
def test_everything_has_a_name_in_eight_languages(model: type[AuctionSystem] | type[Theme]) -> None:
    for labels in model.objects.values_list("labels", flat=True):
        assert labels.keys() == LANGUAGES
        assert all(isinstance(label, str) and label.strip() == label != "" for label in labels.values())


@pytest.mark.usefixtures("reference_data")
def test_the_systems_have_an_order_that_ends_with_other() -> None:
    orders = list(AuctionSystem.objects.values_list("sort_order", flat=True))
    assert orders == list(range(28))
    assert AuctionSystem.objects.last().pk == "other"


@pytest.mark.usefixtures("reference_data")
def test_the_themes_belong_to_the_service() -> None:
    assert set(Theme.objects.values_list("owner_id", flat=True)) == {"system"}


@pytest.mark.usefixtures("reference_data")
def test_repeating_it_changes_nothing() -> None:
    before = everything()
    assert load() == NOTHING_NEW
    assert everything() == before


@pytest.mark.usefixtures("reference_data")
def test_staffs_corrections_stay() -> None:
    AuctionSystem.objects.filter(pk="acol").update(labels={"en": "Acol, as played here"}, sort_order=500)
    # Part of what was loaded: a translation that was wrong was taken out.
    AuctionSystem.objects.filter(pk="sayc").update(labels={"en": "Standard American Yellow Card (SAYC)"})
    AuctionSystem.objects.filter(pk="precision").update(identifier="precision_club")
    AuctionSystem.objects.filter(pk="other").update(labels={"en": "None of these"}, sort_order=0)
    Theme.objects.filter(identifier="stayman").update(labels={})
    Group.objects.get(name="support").permissions.clear()
    before = everything()
    assert load() == NOTHING_NEW
    assert everything() == before
    assert not Group.objects.get(name="support").permissions.exists()


@pytest.mark.usefixtures("reference_data")
def test_what_is_missing_is_made_again() -> None:
    AuctionSystem.objects.filter(pk="acol").delete()
    Theme.objects.filter(identifier="stayman").delete()
    assert load() == "New: 1 auction systems, 1 themes.\n"
