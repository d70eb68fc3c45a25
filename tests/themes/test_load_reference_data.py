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


def all_rows() -> tuple[object, ...]:
    return tuple(list(model.objects.order_by("pk").values()) for model in (AuctionSystem, Theme, Group))


def test_it_creates_systems_themes_and_the_group_and_reports_them() -> None:
    # The migrations have created `other` already.
    assert load() == "New: 27 auction systems, 29 themes, the support group.\n"
    assert (AuctionSystem.objects.count(), Theme.objects.count()) == (28, 29)


@pytest.mark.usefixtures("reference_data")
@pytest.mark.parametrize("model", [AuctionSystem, Theme])
def test_every_row_has_a_label_in_eight_languages(model: type[AuctionSystem] | type[Theme]) -> None:
    for labels in model.objects.values_list("labels", flat=True):
        assert labels.keys() == LANGUAGES
        assert all(isinstance(label, str) and label.strip() == label != "" for label in labels.values())


@pytest.mark.usefixtures("reference_data")
def test_every_theme_is_described_for_its_readers() -> None:
    for theme in Theme.objects.all():
        theme.full_clean()
        assert theme.description.keys() == {"en", "fr", "de", "nl"}
        assert len(set(theme.description.values())) == 4


@pytest.mark.usefixtures("reference_data")
def test_the_auction_systems_are_ordered_and_other_is_last() -> None:
    orders = list(AuctionSystem.objects.values_list("sort_order", flat=True))
    assert orders == list(range(28))
    assert AuctionSystem.objects.last().pk == "other"


@pytest.mark.usefixtures("reference_data")
def test_the_themes_belong_to_the_system_account() -> None:
    assert set(Theme.objects.values_list("owner_id", flat=True)) == {"system"}


@pytest.mark.usefixtures("reference_data")
def test_a_second_run_changes_nothing() -> None:
    before = all_rows()
    assert load() == NOTHING_NEW
    assert all_rows() == before


@pytest.mark.usefixtures("reference_data")
def test_a_second_run_keeps_what_staff_corrected() -> None:
    AuctionSystem.objects.filter(pk="acol").update(labels={"en": "Acol, as played here"}, sort_order=500)
    # Staff may also have taken out a translation.
    AuctionSystem.objects.filter(pk="sayc").update(labels={"en": "Standard American Yellow Card (SAYC)"})
    AuctionSystem.objects.filter(pk="precision").update(identifier="precision_club")
    AuctionSystem.objects.filter(pk="other").update(labels={"en": "None of these"}, sort_order=0)
    AuctionSystem.objects.filter(pk="weak_notrump").update(aliases="")
    Theme.objects.filter(identifier="stayman").update(labels={}, description={})
    Theme.objects.filter(identifier="finesse").update(description={"en": "Ours."})
    Group.objects.get(name="support").permissions.clear()
    before = all_rows()
    assert load() == NOTHING_NEW
    assert all_rows() == before
    assert not Group.objects.get(name="support").permissions.exists()


@pytest.mark.usefixtures("reference_data")
def test_a_second_run_creates_what_is_missing() -> None:
    AuctionSystem.objects.filter(pk="acol").delete()
    Theme.objects.filter(identifier="stayman").delete()
    assert load() == "New: 1 auction system, 1 theme.\n"
