"""GET /account/looks: a member sees who of the staff looked at the service as the member."""

from datetime import timedelta

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from rest_framework.test import APIClient

from accounts.models import Account
from impersonation.models import Impersonation
from tests import factories
from tests.conftest import token_of
from tests.members import signed_in

pytestmark = pytest.mark.django_db

PAGE = "/account/looks"


@pytest.fixture
def sue(db: None) -> Account:
    return factories.account("sue", role="support", display_name="Sue of support")


def look(actor: Account, subject: Account, days: int = 1, **texts: str) -> None:
    """Store an impersonation that ended some days ago."""
    begun = timezone.now() - timedelta(days=days)
    times = {"started_at": begun, "expires_at": begun + timedelta(minutes=30), "ended_at": begun}
    stored = factories.impersonation(actor, subject, **times)
    Impersonation.objects.filter(pk=stored.pk).update(**{"reason": stored.reason, **texts})


def read(client: Client, query: str = "") -> str:
    return client.get(PAGE + query).content.decode()


def test_a_look_is_shown_with_its_actor_reason_end_and_requests(sue: Account, zia: Account) -> None:
    running = factories.impersonation(sue, zia, ticket="T-7")
    headers = {"authorization": f"Bearer {token_of(sue)}", "x-impersonation-id": str(running.pk)}
    for _ in range(3):
        assert APIClient(headers=headers).get("/api/accounts/me").status_code == 200
    html = read(signed_in(zia))
    words = ("Sue of support", "for a test", "T-7", "still running", "3 pages and requests on record")
    assert [each for each in words if each not in html] == []
    running.end(timezone.now())
    assert "still running" not in read(signed_in(zia))


def test_the_looks_of_others_and_those_of_ones_own_are_not_shown(sue: Account, zia: Account) -> None:
    look(sue, factories.account("other"), reason="about another")
    look(factories.account("boss", role="admin"), zia, reason="about zia")
    html = read(signed_in(zia))
    assert "about zia" in html and "about another" not in html and "Sue" not in html
    assert "Nobody has." in read(signed_in(sue)), "whom one looked at oneself is no look at oneself"


def test_what_staff_wrote_is_escaped(zia: Account) -> None:
    evil = "<script>alert(1)</script>"
    look(factories.account("sue", role="support", display_name=evil), zia, reason=evil, ticket=evil)
    html = read(signed_in(zia))
    assert "<script>" not in html and "&lt;script&gt;" in html


def test_the_list_comes_in_pages_that_cost_the_same(sue: Account, zia: Account) -> None:
    client, counts = signed_in(zia), []
    for days in (range(1, 2), range(2, 26)):
        for number in days:
            look(sue, zia, number)
        with CaptureQueriesContext(connection) as captured:
            read(client)
        counts.append(len(captured))
    assert counts[0] == counts[1]
    first, second = read(client), read(client, "?page=2")
    assert (first.count("for a test"), second.count("for a test")) == (20, 5)
    assert 'rel="next" href="?page=2"' in first and 'rel="prev" href="?page=1"' in second
    for odd in ("?page=0", "?page=-1", "?page=abc", "?page=99999999999999999999"):
        assert client.get(PAGE + odd).status_code == 200


def test_whoever_was_never_looked_at_is_told_so_strangers_are_led_to_the_door_and_nothing_is_kept(zia: Account) -> None:
    assert Client().get(PAGE)["Location"] == "/sign-in?next=%2Faccount%2Flooks"
    answer = signed_in(zia).get(PAGE)
    assert "Nobody has." in answer.content.decode()
    assert answer["Cache-Control"] == "private, no-store" and "ETag" not in answer
