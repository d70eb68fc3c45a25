"""Staff manage endpoints in the admin. A secret is shown once."""

from typing import Any
from uuid import uuid4

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from deals.events.feed import BATCH_SIZE, read_latest
from deals.events.recording import record_deals
from deals.models import FeedEvent, WebhookEndpoint
from tests import factories

pytestmark = pytest.mark.django_db

LIST = reverse("admin:deals_webhookendpoint_changelist")
URL = "https://hooks.example/boards"


@pytest.fixture
def boss() -> Client:
    client = Client()
    client.force_login(factories.account("boss", role="admin"))
    return client


def add(client: Client, **values: Any) -> Any:
    body = {"url": URL, "event_types": ["board.published"], "is_enabled": "on", **values}
    return client.post(reverse("admin:deals_webhookendpoint_add"), body, follow=True)


def change(client: Client, endpoint: WebhookEndpoint, **values: Any) -> Any:
    page = reverse("admin:deals_webhookendpoint_change", args=[endpoint.pk])
    return client.post(page, {"url": endpoint.url, "event_types": endpoint.event_types, **values}, follow=True)


def test_a_new_endpoint_begins_now_and_its_secret_is_shown_once(boss: Client) -> None:
    record_deals(FeedEvent.Type.DEAL_IMPORTED, [uuid4() for _ in range(BATCH_SIZE + 1)])
    page = add(boss).text
    endpoint = WebhookEndpoint.objects.get()
    assert (endpoint.url, endpoint.event_types, endpoint.is_enabled) == (URL, ["board.published"], True)
    assert endpoint.position == read_latest().position == BATCH_SIZE + 1
    assert endpoint.secret.startswith("whsec_") and endpoint.secret in page
    for shown in (LIST, reverse("admin:deals_webhookendpoint_change", args=[endpoint.pk])):
        assert endpoint.secret not in boss.get(shown).text
        assert URL in boss.get(shown).text


def test_a_url_that_may_not_be_used_is_refused(subtests: pytest.Subtests, boss: Client) -> None:
    for url in ["http://hooks.example/", "https://127.0.0.1/", "https://a:b@hooks.example/", "x"]:
        with subtests.test(url=url):
            assert "Give a URL" in add(boss, url=url).text
            assert not WebhookEndpoint.objects.exists()


def test_an_unknown_type_of_event_is_refused(boss: Client) -> None:
    assert "Select a valid choice" in add(boss, event_types=["board.eaten"]).text
    assert not WebhookEndpoint.objects.exists()


def test_switching_it_on_again_forgets_its_failures_and_keeps_its_place(boss: Client) -> None:
    endpoint = WebhookEndpoint.objects.create(
        url=URL,
        is_enabled=False,
        failures=30,
        failing_since=timezone.now(),
        last_error="The endpoint answered with status 500.",
        position=7,
    )
    assert change(boss, endpoint, is_enabled="on").status_code == 200
    secret = endpoint.secret
    endpoint.refresh_from_db()
    assert (endpoint.is_enabled, endpoint.failures, endpoint.failing_since) == (True, 0, None)
    assert (endpoint.last_error, endpoint.position, endpoint.secret) == ("", 7, secret)


def test_a_secret_is_replaced_and_the_former_one_kept(boss: Client) -> None:
    endpoint = WebhookEndpoint.objects.create(url=URL)
    body = {"action": "rotate_secrets", "_selected_action": [str(endpoint.pk)]}
    page = boss.post(LIST, body, follow=True).text
    former = endpoint.secret
    endpoint.refresh_from_db()
    assert endpoint.secret != former and endpoint.secret in page
    assert endpoint.previous_secret == former


def test_support_staff_does_not_see_endpoints(reference_data: None) -> None:
    client = Client()
    client.force_login(factories.account("helper", role="support"))
    assert client.get(LIST).status_code == 403
