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
from tests.pages.documents import Document

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


def page_of(endpoint: WebhookEndpoint) -> str:
    return reverse("admin:deals_webhookendpoint_change", args=[endpoint.pk])


def test_a_new_endpoint_begins_now_and_its_secret_is_shown_once(boss: Client) -> None:
    record_deals(FeedEvent.Type.DEAL_IMPORTED, [uuid4() for _ in range(BATCH_SIZE + 1)])
    page = add(boss).text
    endpoint = WebhookEndpoint.objects.get()
    assert (endpoint.url, endpoint.event_types, endpoint.is_enabled) == (URL, ["board.published"], True)
    assert endpoint.position == read_latest().position == BATCH_SIZE + 1
    assert endpoint.secret.startswith("whsec_") and endpoint.secret in page
    for shown in (LIST, page_of(endpoint)):
        assert endpoint.secret not in boss.get(shown).text
        assert URL in boss.get(shown).text


def test_a_new_endpoint_is_asked_for_what_a_person_knows_and_events_stand_in_words(boss: Client) -> None:
    page = Document(boss.get(reverse("admin:deals_webhookendpoint_add")))
    names = {found["name"] for found, _ in page.all("input") if found.get("type") in ("text", "checkbox", "url")}
    assert names == {"url", "event_types"} and "Record" not in page.texts("h2")
    assert "Board votes changed" in page.texts("label")
    endpoint = WebhookEndpoint.objects.create(url=URL, failures=2, failing_since=timezone.now())
    shown = boss.get(page_of(endpoint)).text
    assert all(words in shown for words in ("Next attempt", "Secret made", "Failures in a row"))
    assert endpoint.secret not in shown


def test_a_url_that_may_not_be_used_is_refused(boss: Client) -> None:
    for url in ("http://hooks.example/", "https://127.0.0.1/", "https://a:b@hooks.example/", "x"):
        assert "Give a URL" in add(boss, url=url).text, url
    assert "Select a valid choice" in add(boss, event_types=["board.eaten"]).text
    assert not WebhookEndpoint.objects.exists()


def test_no_address_is_stored_twice_however_it_is_written(boss: Client) -> None:
    add(boss)
    other = WebhookEndpoint.objects.create(url="https://other.example/")
    for url in (URL, "https://HOOKS.example:443/boards", "https://hooks.example./boards"):
        assert "Another endpoint has this URL" in add(boss, url=url).text, url
        assert "Another endpoint has this URL" in boss.post(page_of(other), {"url": url}).text, url
    assert sorted(WebhookEndpoint.objects.values_list("url", flat=True)) == [URL, other.url]
    for url in (
        "https://hooks.example/Boards",
        "https://hooks.example:8443/boards",
        "https://hooks.example/boards?a=1",
    ):
        assert "was added successfully" in add(boss, url=url).text, url


def test_what_is_no_address_is_refused_in_words(boss: Client) -> None:
    for url in ("https://hook.example:99999/", "https://[::1", "https://℀.example/", "https://hook.example:٤٤٣/a"):
        answer = add(boss, url=url)
        assert answer.status_code == 200 and "Please correct the error" in answer.text, url
    assert not WebhookEndpoint.objects.exists()


def test_an_address_that_was_stored_twice_before_may_be_switched_off(boss: Client) -> None:
    twice = [WebhookEndpoint.objects.create(url=URL) for _ in range(2)]
    assert boss.post(page_of(twice[0]), {"url": URL}, follow=True).status_code == 200
    assert sorted(WebhookEndpoint.objects.values_list("is_enabled", flat=True)) == [False, True]


def test_switching_it_on_again_forgets_its_failures_and_keeps_its_place(boss: Client) -> None:
    failed = {"failures": 30, "failing_since": timezone.now(), "last_error": "The endpoint answered with status 500."}
    endpoint = WebhookEndpoint.objects.create(url=URL, is_enabled=False, position=7, **failed)
    body = {"url": URL, "event_types": endpoint.event_types, "is_enabled": "on"}
    assert boss.post(page_of(endpoint), body, follow=True).status_code == 200
    changed = WebhookEndpoint.objects.get()
    assert (changed.is_enabled, changed.failures, changed.failing_since, changed.last_error) == (True, 0, None, "")
    assert (changed.position, changed.secret) == (7, endpoint.secret)


def test_a_secret_is_replaced_and_the_former_one_kept(boss: Client) -> None:
    endpoint = WebhookEndpoint.objects.create(url=URL)
    page = boss.post(LIST, {"action": "rotate_secrets", "_selected_action": [str(endpoint.pk)]}, follow=True).text
    changed = WebhookEndpoint.objects.get()
    assert changed.secret != endpoint.secret == changed.previous_secret
    assert changed.secret in page


def test_support_staff_does_not_see_endpoints(reference_data: None) -> None:
    client = Client()
    client.force_login(factories.account("helper", role="support"))
    assert client.get(LIST).status_code == 403
