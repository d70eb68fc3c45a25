"""The admin holds to the same rule for labels as the API: what it stored is served to everybody."""

import json

import pytest
from django.core.exceptions import ValidationError
from django.test import Client
from django.urls import reverse

from accounts.models import Account
from tests import factories

pytestmark = pytest.mark.django_db

ODD = [
    "[1]",
    '"x"',
    "5",
    '{"": "x"}',
    '{"en": 1e300}',
    '{"en": 100000000000000000000}',
    r'{"en": "\ud800"}',
    r'{"en": "\u0000"}',
]


@pytest.mark.parametrize("labels", [*ODD, "{" * 3, '{"en": NaN}'])
def test_labels_nobody_could_be_shown_are_refused_and_not_stored(labels: str) -> None:
    theme = factories.theme(labels={"en": ["not a text, so edited as JSON"]})
    client = Client()
    client.force_login(factories.account(role=Account.Role.ADMIN))
    form = {"type": theme.type, "identifier": theme.identifier, "owner": theme.owner_id, "labels": labels}
    response = client.post(reverse("admin:themes_theme_change", args=[theme.pk]), form)
    assert response.status_code == 200, "the form again, with its errors"
    before = theme.labels
    theme.refresh_from_db()
    assert theme.labels == before


def test_an_auction_systems_labels_are_texts() -> None:
    system = factories.auction_system()
    system.labels = json.loads('{"en": 5}')
    with pytest.raises(ValidationError, match="Each label is a text"):
        system.full_clean()
