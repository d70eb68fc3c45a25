"""What is taken out of log lines, and what stays."""

from typing import Any

from config.values.redaction import clean_key_id, clean_path, name_in_logs, scrub
from tests.settings import SECRET_KEY

UUID = "51e8f8e0-f7ba-48ac-abed-925c795f1590"
TOKEN = "eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiJ4In0.c2lnbmF0dXJl"


def test_a_path_of_ours_stays_as_it_is() -> None:
    for path in (
        *("/", "/api/boards", "/api/boards/", f"/api/boards/{UUID}.pbn", f"/api/deals/{UUID}/boards/{UUID}"),
        *("/api/accounts/auth0|5f7c8ec7c33c6c004bbafe82", "/admin/accounts/account/"),
        "/static/drf_spectacular_sidecar/swagger-ui-standalone-preset.js",
    ):
        assert clean_path(path) == path


def test_a_segment_that_may_be_a_secret_or_an_address_is_hidden() -> None:
    for path, cleaned in (
        *(("/api/accounts/ann@example.org", "/api/accounts/*"), (f"/api/{TOKEN}/x", "/api/*/x")),
        ("/admin/accounts/account/ann_40example.org/change/", "/admin/accounts/account/*/change/"),
        ("/api/an-api-key-for-tests-0123456789abcdef", "/api/*"),
        *(("/session/abcdefghijklmnopqrstuvwxyz012345", "/session/*"), ("/a b/\n/é", "/*/*/*"), ("*", "*")),
        *((f"/collections/{UUID}", "/collections/*"), (f"/collections/{UUID}.pbn", "/collections/*.pbn")),
        *((f"/lessons/{UUID}/hand-out", "/lessons/*/hand-out"), ("/class/KMPRTVWX", "/class/*"), ("/class", "/class")),
        (f"/account/collections/{UUID}/delete", "/account/collections/*/delete"),
        (f"/api/collections/{UUID}/boards/{UUID}", f"/api/collections/*/boards/{UUID}"),
    ):
        assert clean_path(path) == cleaned


def test_an_account_whose_id_is_an_address_has_a_pseudonym_that_only_the_service_can_make(settings: Any) -> None:
    assert name_in_logs("auth0|12") == "auth0|12" and name_in_logs(None) is None
    name = name_in_logs("ann@example.org")
    assert name and "ann" not in name and name == name_in_logs("ann@example.org")
    assert name != name_in_logs("bob@example.org")
    settings.SECRET_KEY = "another key, as long as a real one: 0123456789abcdef0123456789"
    name_in_logs.cache_clear()
    assert name_in_logs("ann@example.org") != name
    name_in_logs.cache_clear()


def test_a_key_id_is_logged_only_if_it_looks_like_one() -> None:
    assert (clean_key_id(None), clean_key_id("key-1")) == (None, "key-1")
    for odd in ("", "a@b.org", TOKEN, "x" * 65, "a b"):
        assert clean_key_id(odd) == "*", odd


def test_a_text_of_others_loses_addresses_tokens_rows_and_our_secrets() -> None:
    for text, scrubbed in (
        ("mail to ann.b+c@mail.example.org failed", "mail to *@* failed"),
        *(("{'ann@example.org': (550, b'no')}", "{'*@*': (550, b'no')}"), (f"sent {TOKEN}.", "sent *")),
        *(("Authorization: Bearer abcdefgh12345", "Authorization: Bearer *"), ("Basic dXNlcjpwYXNz", "Basic *")),
        (f"key {SECRET_KEY}!", "key *!"),
        (
            'violates "x"\nDETAIL:  Failing row contains (1, my\nreason).\n\nDuring handling of this: x',
            'violates "x"\nDETAIL: *\n\nDuring handling of this: x',
        ),
        ("syntax error\nLINE 1: INSERT … ('my reason')\n   ^", "syntax error\nLINE 1: *"),
        *(("@dataclass in line 3 of x@y", "@dataclass in line 3 of x@y"), ("", "")),
    ):
        assert scrub(text) == scrubbed
