"""The admin validates labels as the API does, since everybody is served what it stores."""

import json

import pytest
from django.core.exceptions import ValidationError
from django.test import Client
from django.urls import reverse

from accounts.models import Account
from tests import factories

pytestmark = pytest.mark.django_db

INVALID_LABELS = [
    "[1]",
    '"x"',
    "5",
    '{"": "x"}',
    '{"en": 1e300}',
    '{"en": 100000000000000000000}',
    r'{"en": "\ud800"}',
    r'{"en": "\u0000"}',
]


@pytest.mark.parametrize("labels", [*INVALID_LABELS, "{" * 3, '{"en": NaN}'])
def test_the_admin_refuses_labels_that_the_api_could_not_serve_and_stores_nothing(labels: str) -> None:
    theme = factories.theme(labels={"en": ["not a text, so edited as JSON"]})
    client = Client()
    client.force_login(factories.account(role=Account.Role.ADMIN))
    form = {"type": theme.type, "identifier": theme.identifier, "owner": theme.owner_id, "labels": labels}
    response = client.post(reverse("admin:themes_theme_change", args=[theme.pk]), form)
    assert response.status_code == 200, "the form again, with its errors"
    before = theme.labels
    theme.refresh_from_db()
    assert theme.labels == before


def test_an_auction_system_accepts_only_texts_as_labels() -> None:
    system = factories.auction_system()
    system.labels = json.loads('{"en": 5}')
    with pytest.raises(ValidationError, match="Each label is a text"):
        system.full_clean()
