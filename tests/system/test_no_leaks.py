"""No page shows a member's things to anybody else, in whichever order they come, and none is kept for others."""

import pytest
from django.db import connection
from django.http import HttpResponse

from accounts.models import Session
from config.edge.serving import cached_responses
from tests.system.readers import OF_MEMBERS, Member, Site, World, is_public, make_world, seen, words_in

# Inside a transaction, as in other tests, no answer is kept.
pytestmark = pytest.mark.django_db(transaction=True)
PRIVATE = "private, no-store"


@pytest.fixture
def world(monkeypatch: pytest.MonkeyPatch) -> World:
    monkeypatch.setattr(cached_responses, "MIN_BYTES", 0)
    return make_world()


def check_stranger(response: HttpResponse, world: World, path: str) -> None:
    """Check an answer to whoever is not signed in."""
    assert response.status_code < 500, path
    assert words_in(response.content, world.ann.words + world.bob.words) == [], path
    if is_public(response):
        assert words_in(response.content, OF_MEMBERS) == [], path
        assert "Set-Cookie" not in response and "cookie" not in response.get("Vary", "").lower(), path


def check_member(response: HttpResponse, member: Member, other: Member, path: str) -> None:
    """Check an answer to a member: it is nobody else's, and nobody may keep it."""
    assert response.status_code < 500, path
    assert words_in(response.content, (*other.words, other.pressed)) == [], path
    assert "no-store" in response["Cache-Control"] and "public" not in response["Cache-Control"], path
    assert response.status_code != 200 or response["Cache-Control"] == PRIVATE, path
    assert "ETag" not in response, path
    if response.status_code == 200 and b'class="band"' in response.content:
        assert member.words[1] in response.content.decode(), path


@pytest.mark.parametrize("order", ["-ab-", "ba-a-"])
def test_each_page_is_its_reader_s_in_whichever_order_they_come(order: str, world: World) -> None:
    members = {"a": (world.ann, world.bob), "b": (world.bob, world.ann)}
    fresh = {path: Site().read(path) for path in world.pages()}
    site, kept = Site(), 0
    for path, first in fresh.items():
        for letter in order:
            if letter in members:
                member, other = members[letter]
                check_member(site.read(path, member.cookie), member, other, path)
                continue
            for _ in range(3):  # The first is noted, the second is kept, and the third is what was kept.
                response = site.read(path)
                check_stranger(response, world, path)
                if is_public(first):
                    assert seen(response) == seen(first), path
        bodies = site.kept()
        kept += len(bodies)
        assert set(bodies) <= {first.content}, path
        site.leave()
    assert bool(kept) is (connection.vendor == "postgresql")


def test_what_is_a_member_s_own_is_there_for_nobody_else(world: World) -> None:
    """In each order, and though it was asked for before."""
    site = Site()
    for member, other in ((world.ann, world.bob), (world.bob, world.ann)):
        for path in member.own:
            for cookie in ("", member.cookie, other.cookie, member.cookie, ""):
                expected = (200,) if cookie == member.cookie else (404, 302)
                response = site.read(path, cookie)
                assert response.status_code in expected, (path, cookie)
                assert cookie == member.cookie or words_in(response.content, member.words) == [], path
        for path in ("/", "/boards", "/themes/stayman", f"/boards/{world.board.pk}"):
            page = site.read(path, member.cookie)
            assert member.pressed in page.content.decode(), path
            check_member(page, member, other, path)


def test_a_member_with_the_etag_of_the_public_page_gets_a_page_of_their_own_and_so_does_a_head(world: World) -> None:
    site = Site()
    for path in world.pages():
        public, own, head = site.read(path), site.read(path, world.ann.cookie, "HEAD"), site.read(path, method="HEAD")
        assert (own.content, head.content) == (b"", b""), path
        check_member(own, world.ann, world.bob, path)
        if is_public(public):
            assert seen(head)[:2] == seen(public)[:2], path
        for condition in (public["ETag"], f"W/{public['ETag']}", "*") if "ETag" in public else ():
            known = {"If-None-Match": condition}
            assert site.read(path, **known).status_code == 304, path
            page = site.read(path, world.ann.cookie, **known)
            assert page.status_code == 200, path
            check_member(page, world.ann, world.bob, path)


def stale_cookies(world: World) -> dict[str, str]:
    """Return cookies that are nobody's session (any more), by what is wrong with them."""
    key, live = (member.cookie.partition("=")[2] for member in (world.bob, world.ann))
    Session.objects.filter(session_key=key).delete()
    return {
        "ended": world.bob.cookie,
        "unknown": f"sessionid={'z' * 32}",
        "empty": "sessionid=",
        "without a value": "sessionid",
        "too long": f"sessionid={'z' * 3000}",
        "quoted": f'sessionid="{key[:-1]}"',
        "not ASCII": "sessionid=\xe9\xff",
        "a control character": "sessionid=\x01",
        "another cookie's": f"xsessionid={live}",
        "that of a form": f"csrftoken={'a' * 32}",
        "another case": f"SESSIONID={live}",
        "a value with the name": f"theme=sessionid%3D{live}",
    }


def test_a_cookie_that_is_nobody_s_session_gets_nothing_of_anybody(world: World) -> None:
    fresh = {path: Site().read(path) for path in world.pages()}
    site = Site()
    for what, cookie in stale_cookies(world).items():
        for path, public in fresh.items():
            response = site.read(path, cookie)
            check_stranger(response, world, path)
            if is_public(response):
                assert seen(response) == seen(public), (what, path)
            elif is_public(public):
                assert (response.content, response["Cache-Control"]) == (public.content, PRIVATE), (what, path)
    assert set(site.kept()) <= {public.content for public in fresh.values()}


def test_the_api_knows_no_session(world: World) -> None:
    site = Site()
    for path in world.addresses(api=True):
        public = Site().read(path)
        for cookie in (world.ann.cookie, "", world.bob.cookie, world.ann.cookie, ""):
            response = site.read(path, cookie)
            check_stranger(response, world, path)
            assert seen(response) == seen(public), path
