"""The limits on how often a form may be sent."""

import itertools
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
import time_machine
from django.core.cache import cache, caches
from django.db import transaction
from django.http import HttpResponse
from django.test import Client
from rest_framework.test import APIClient

from config.api.errors import RateLimited
from forms.models import Submission
from forms.request_checks import LIMITS
from tests.answers import assert_error
from tests.forms.bodies import CONTACT, page_token
from tests.undone import undone

pytestmark = pytest.mark.django_db

DEAD_STORE = {"BACKEND": "django.core.cache.backends.redis.RedisCache", "LOCATION": "redis://127.0.0.1:1/0"}


@pytest.fixture(autouse=True)
def _three_a_minute(settings: Any) -> Iterator[None]:
    """Set the limits, and stop the clock so that no window ends within a test."""
    settings.FORM_RATE_PER_CLIENT = "3/m"
    settings.FORM_RATE_IN_TOTAL = "100/m"
    with time_machine.travel("2026-11-21T10:00:00Z", tick=False):
        yield


def send_page(address: str = "192.0.2.7", **changes: Any) -> Any:
    """Send the same form from its page."""
    return Client().post("/forms/contact", {**CONTACT, **page_token("contact"), **changes}, REMOTE_ADDR=address)


def remaining(answer: HttpResponse) -> int:
    return int(answer["RateLimit"].split(";")[1].removeprefix("r="))


def send(address: str = "192.0.2.7", body: Any = CONTACT, **headers: str) -> HttpResponse:
    return APIClient().post("/api/forms/contact", body, REMOTE_ADDR=address, headers=headers)


def test_a_post_that_is_refused_before_it_is_read_counts_too() -> None:
    refused = (
        (401, {"headers": {"authorization": "Bearer not.a.token"}}),
        (406, {"headers": {"accept": "text/csv"}}),
        (415, {"content_type": "text/plain"}),
    )
    for status, sent in refused:
        cache.clear()
        answers = [APIClient().post("/api/forms/contact", "x", **sent) for _ in range(4)]
        assert [answer.status_code for answer in answers] == [status] * 3 + [429]
        assert [remaining(answer) for answer in answers] == [2, 1, 0, 0], status


def test_a_refused_form_may_be_sent_again_after_retry_after_and_a_page_keeps_what_was_typed() -> None:
    for minute, second in enumerate((0, 1, 17, 58, 59), start=10):
        with time_machine.travel(f"2026-11-21T10:{minute}:{second:02}.900Z", tick=False) as clock:
            *_, page = [send_page(message=f"Message {number}") for number in range(4)]
            refused = send()
            assert_error(refused, 429, "rate_limited")
            wait = int(refused["Retry-After"])
            assert (page.status_code, page["Content-Type"]) == (429, "text/html; charset=utf-8")
            assert 1 <= wait <= 60 and page["Retry-After"] == str(wait), second
            assert refused["RateLimit"] == page["RateLimit"] == f'"forms";r=0;t={wait}'
            html = page.content.decode()
            assert "Message 3" in html, "what was typed is kept"
            assert f"Too many forms were sent just now. Send this form again in {wait} second" in html
            assert page["Cache-Control"] == "private, no-store"
            clock.shift(wait)
            again = send_page(message="Message 3", opened=page.context["page_token"])
            assert (again.status_code, send().status_code) == (303, 201), second


def test_thirty_posts_at_once_are_counted_exactly() -> None:
    def passes(_: int) -> bool:
        try:
            LIMITS.count("contact", {"REMOTE_ADDR": "192.0.2.7"})
        except RateLimited:
            return False
        return True

    with ThreadPoolExecutor(10) as threads:
        assert sum(threads.map(passes, range(30))) == 3


def test_a_blank_rate_turns_its_limit_off(settings: Any) -> None:
    settings.FORM_RATE_PER_CLIENT = ""
    for total, statuses, policy in (("5/m", [201] * 5 + [429], '"forms";q=5;w=60'), ("", [201] * 6, None)):
        cache.clear()
        settings.FORM_RATE_IN_TOTAL = total
        answers = [send() for _ in range(6)]
        assert [answer.status_code for answer in answers] == statuses
        assert {answer.get("RateLimit-Policy") for answer in answers} == {policy}


def test_a_counter_store_that_hides_its_failure_is_a_503(settings: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    settings.CACHES = {"default": {"BACKEND": "django.core.cache.backends.dummy.DummyCache"}}
    monkeypatch.setattr(type(caches["default"]), "add", lambda *args, **kwargs: False)
    assert_error(send(), 503, "service_unavailable")
    assert not Submission.objects.exists()


def test_a_household_is_one_client_and_a_customer_may_send_as_much_as_four() -> None:
    for first, others, expected in (
        ("192.0.2.7", ["192.0.2.7"] * 2 + ["::ffff:192.0.2.7"], 429),
        ("192.0.2.7", ["192.0.2.7"] * 3 + ["192.0.2.8"], 201),
        ("2001:db8:0:1::1", ["2001:db8:0:1::2"] * 4, 429),  # the same /64
        ("2001:db8:0:1::1", [f"2001:db8:0:{n:x}::1" for n in range(1, 14)], 429),  # a thirteenth of the same /48
        ("2001:db8:0:1::1", ["2001:db9::1"], 201),  # another provider
    ):
        cache.clear()
        send(first)
        assert [send(address).status_code for address in others][-1] == expected, others


def test_there_is_a_limit_in_total_that_one_visitor_cannot_use_up(settings: Any) -> None:
    settings.FORM_RATE_IN_TOTAL = "5/m"
    assert [send().status_code for _ in range(12)] == [201] * 3 + [429] * 9
    assert [send(f"192.0.2.{n}").status_code for n in (8, 9)] == [201] * 2
    refused = send("192.0.2.10")
    assert (refused.status_code, refused["RateLimit-Policy"]) == (429, '"forms";q=5;w=60')


# --- The longest of the waits --------------------------------------------------------------------------------


def test_a_request_passes_after_the_longest_of_the_waits(settings: Any) -> None:
    for own, total in itertools.product(("3/s", "3/m", "3/h"), ("3/m", "3/h", "4/h")):
        cache.clear()
        settings.FORM_RATE_PER_CLIENT, settings.FORM_RATE_IN_TOTAL = own, total
        with time_machine.travel("2026-11-21T10:00:00Z", tick=False) as clock:
            for _ in range(8):
                refused = send()
                clock.shift(0.7)
            assert (refused.status_code, int(refused["Retry-After"]) >= 1) == (429, True), (own, total)
            assert refused["RateLimit"] == f'"forms";r=0;t={refused["Retry-After"]}'
            clock.shift(int(refused["Retry-After"]))
            assert send().status_code == 201, (own, total)


# --- On every answer -----------------------------------------------------------------------------------------


def test_a_request_that_does_not_count_is_answered_with_the_limit(subtests: pytest.Subtests) -> None:
    for status, method, path, headers in [
        (411, "POST", "/api/forms/contact", {"transfer-encoding": "chunked"}),
        (413, "POST", "/api/forms/contact", {"content-length": "999999"}),
        (415, "POST", "/api/forms/contact/", {"content-type": "application/json; charset=punycode"}),
        (405, "PUT", "/api/forms/contact", {}), (405, "HEAD", "/api/forms/contact", {}),
        (204, "OPTIONS", "/api/forms/contact", {}), (404, "POST", "/api/forms/contact/nothing", {}),
        (413, "POST", "/forms/contact", {"content-length": "999999"}), (403, "POST", "/forms/contact", {}),
        (200, "GET", "/forms/contact", {}), (200, "HEAD", "/forms/contact", {}),
        (200, "GET", "/forms/contact/thanks", {}),
        (400, "GET", "/api/forms/contact", {"host": "evil.example"}),
    ]:  # fmt: skip
        with subtests.test(repr((status, method, path, headers))), undone():
            cache.clear()
            send()
            browser = Client(enforce_csrf_checks=True, REMOTE_ADDR="192.0.2.7")
            answers = [browser.generic(method, path, headers=headers) for _ in range(5)]
            assert {answer.status_code for answer in answers} == {status}
            assert {answer["RateLimit-Policy"] for answer in answers} == {'"forms";q=3;w=60'}
            assert {remaining(answer) for answer in answers} == {2}
            assert remaining(send()) == 1


def test_a_path_that_names_no_form_has_the_whole_limit_left_and_other_routes_have_no_header() -> None:
    send()
    for path in ("/api/forms", "/forms", "/api/forms/nothing", "/api/forms/x%0Ay", "/forms/é"):
        answer = APIClient().get(path, REMOTE_ADDR="192.0.2.7")
        assert (answer["RateLimit-Policy"], remaining(answer)) == ('"forms";q=3;w=60', 3), path
    for path in ("/api/formsx", "/formsx", "/api/boards", "/livez", "/x/forms"):
        assert "RateLimit-Policy" not in APIClient().get(path), path


# --- By page -------------------------------------------------------------------------------------------------


def test_a_page_and_the_api_share_one_limit_and_mistakes_count_too() -> None:
    answers = [send(), send_page(email=""), send(body={}), send_page(), send(body=[])]
    assert [answer.status_code for answer in answers] == [201, 400, 400, 429, 429]
    assert {answer["RateLimit-Policy"] for answer in answers} == {'"forms";q=3;w=60'}
    assert [remaining(answer) for answer in answers] == [2, 1, 0, 0, 0]
    assert Submission.objects.count() == 1


def test_no_form_is_accepted_while_the_counters_are_down_and_reads_go_on(settings: Any) -> None:
    settings.CACHES = {"default": DEAD_STORE}
    assert_error(send(), 503, "service_unavailable")
    refused = send_page()
    assert (refused.status_code, refused["Content-Type"]) == (503, "text/html; charset=utf-8")
    for answer in (refused, send()):
        assert int(answer["Retry-After"]) >= 1
    assert CONTACT["message"] in refused.content.decode()
    assert "We cannot accept forms just now. Send this form again in 2 seconds." in refused.content.decode()
    assert refused["RateLimit-Policy"] == '"forms";q=3;w=60' and "RateLimit" not in refused
    assert not Submission.objects.exists()
    assert APIClient().get("/api/forms").status_code == 200
    shown = Client().get("/forms/contact")
    assert shown.status_code == 200 and "RateLimit" not in shown
    settings.CACHES = {"default": {"BACKEND": "django.core.cache.backends.locmem.LocMemCache"}}
    assert (send().status_code, send_page().status_code) == (201, 303)


@pytest.mark.django_db(transaction=True)
def test_a_rollback_of_the_submission_does_not_roll_back_the_count() -> None:
    with transaction.atomic():
        assert send().status_code == 201
        transaction.set_rollback(True)
    assert not Submission.objects.exists()
    assert remaining(send()) == 1
