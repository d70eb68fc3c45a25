"""manage.py load_reference_data."""

import pytest
from django.contrib.auth.models import Group

from accounts.models import AuctionSystem
from tests.accounts.test_commands import run
from themes.models import Theme

pytestmark = pytest.mark.django_db

LANGUAGES = {"en", "fr", "de", "nl", "es", "it", "pl", "sv"}


def all_rows() -> tuple[object, ...]:
    return tuple(list(model.objects.order_by("pk").values()) for model in (AuctionSystem, Theme, Group))


def test_it_creates_systems_themes_and_the_group_reports_them_and_a_second_run_changes_nothing() -> None:
    # The migrations have created `other` already.
    assert run("load_reference_data") == "New: 27 auction systems, 29 themes, the support group.\n"
    assert (AuctionSystem.objects.count(), Theme.objects.count()) == (28, 29)
    before = all_rows()
    assert run("load_reference_data") == "New: 0 auction systems, 0 themes.\n"
    assert all_rows() == before


@pytest.mark.usefixtures("reference_data")
def test_every_row_has_a_label_in_eight_languages_and_every_theme_is_described_for_its_readers() -> None:
    themes, systems = list(Theme.objects.all()), list(AuctionSystem.objects.all())
    for row in (*themes, *systems):
        assert row.labels.keys() == LANGUAGES
        assert all(isinstance(label, str) and label.strip() == label != "" for label in row.labels.values())
    for theme in themes:
        theme.full_clean()
        assert theme.description.keys() == {"en", "fr", "de", "nl"}
        assert len(set(theme.description.values())) == 4
    assert {theme.owner_id for theme in themes} == {"system"}
    assert [system.sort_order for system in systems] == list(range(28)) and systems[-1].pk == "other"


@pytest.mark.usefixtures("reference_data")
def test_a_second_run_keeps_what_staff_corrected_and_creates_what_is_missing() -> None:
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
    assert run("load_reference_data") == "New: 0 auction systems, 0 themes.\n"
    assert all_rows() == before
    assert not Group.objects.get(name="support").permissions.exists()
    AuctionSystem.objects.filter(pk="acol").delete()
    Theme.objects.filter(identifier="stayman").delete()
    assert run("load_reference_data") == "New: 1 auction system, 1 theme.\n"
