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
    assert words_in(response.content, other.words) == [], path
    assert "no-store" in response["Cache-Control"] and "public" not in response["Cache-Control"], path
    assert response.status_code != 200 or response["Cache-Control"] == PRIVATE, path
    assert "ETag" not in response, path
    if response.status_code == 200 and b'class="site-header"' in response.content:
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


@pytest.mark.parametrize("letter", "ab")
def test_own_votes_are_shown_to_their_owner_alone(letter: str, world: World) -> None:
    member, own, other = {
        "a": (world.ann, "Vote for: 1, your vote", "Vote against: 1, your vote"),
        "b": (world.bob, "Vote against: 1, your vote", "Vote for: 1, your vote"),
    }[letter]
    site = Site()
    for path in ("/", "/boards", "/themes/stayman", f"/boards/{world.board.pk}"):
        page = site.read(path, member.cookie).content.decode()
        assert own in page and other not in page, path


def test_a_member_with_the_etag_of_the_public_page_gets_a_page_of_their_own(world: World) -> None:
    site = Site()
    for path in world.pages():
        if "ETag" not in (public := site.read(path)):
            continue
        for condition in (public["ETag"], f"W/{public['ETag']}", "*"):
            known = {"If-None-Match": condition}
            assert site.read(path, **known).status_code == 304, path
            own = site.read(path, world.ann.cookie, **known)
            assert (own.status_code, own["Cache-Control"]) == (200, PRIVATE), path
            assert "ETag" not in own, path


def test_heads_are_those_of_their_reader(world: World) -> None:
    site = Site()
    for path in world.pages():
        public, own = site.read(path), site.read(path, world.ann.cookie, "HEAD")
        head = site.read(path, method="HEAD")
        assert (own.content, head.content) == (b"", b""), path
        check_member(own, world.ann, world.bob, path)
        if is_public(public):
            assert seen(head)[:2] == seen(public)[:2], path


def stale_cookies(world: World) -> dict[str, str]:
    """Return cookies that are nobody's session (any more), by what is wrong with them."""
    key = world.bob.cookie.partition("=")[2]
    ended = world.bob.cookie
    Session.objects.filter(session_key=key).delete()
    return {
        "ended": ended,
        "unknown": f"sessionid={'z' * 32}",
        "empty": "sessionid=",
        "without a value": "sessionid",
        "too long": f"sessionid={'z' * 3000}",
        "quoted": f'sessionid="{key[:-1]}"',
        "not ASCII": "sessionid=\xe9\xff",
        "a control character": "sessionid=\x01",
        "another cookie's": f"xsessionid={world.ann.cookie.partition('=')[2]}",
        "that of a form": f"csrftoken={'a' * 32}",
        "another case": world.ann.cookie.replace("sessionid", "SESSIONID"),
        "a value with the name": f"theme={world.ann.cookie.replace('=', '%3D')}",
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
    fresh = {path: Site().read(path) for path in world.addresses(api=True)}
    site = Site()
    for path, public in fresh.items():
        for cookie in (world.ann.cookie, "", world.bob.cookie, world.ann.cookie, ""):
            response = site.read(path, cookie)
            check_stranger(response, world, path)
            assert seen(response) == seen(public), path
