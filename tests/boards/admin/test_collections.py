"""Collections in the admin: staff see what others can read, too, and take public ones back."""

from typing import Any

import pytest
from django.contrib.admin.models import LogEntry
from django.contrib.auth.models import Group, Permission
from django.test import Client
from rest_framework.test import APIClient

from boards.collections.services import CollectionEntry, Texts, create_collection
from boards.models import Collection
from tests import factories
from tests.config.admin.conftest import run_action
from tests.deals.events.following import Follower
from tests.log_lines import Lines
from tests.members import signed_in

pytestmark = pytest.mark.django_db

LIST = "/admin/boards/collection/"


def make(title: str, visibility: str, **texts: Any) -> Collection:
    owner, places = factories.account(), [CollectionEntry(factories.board().pk, "<b>Begin</b> here.")]
    new = Texts(title, visibility=visibility, **texts)
    return create_collection(owner=owner, texts=new, places=places)[0]


def test_support_sees_public_ones_and_those_by_link_and_no_private_one(helper: Client) -> None:
    made = {each: make(f"A {each} one", each) for each in Collection.Visibility.values}
    page = helper.get(LIST).content.decode()
    assert "A public one" in page and "A link one" in page and "A private one" not in page
    opened = helper.get(f"{LIST}{made['public'].pk}/change/").content.decode()
    assert "&lt;b&gt;Begin&lt;/b&gt; here." in opened and "<b>Begin" not in opened
    hidden = helper.get(f"{LIST}{made['private'].pk}/change/", follow=True).content.decode()
    assert "A private one" not in hidden


def test_support_takes_a_collection_back_until_it_lifts_that_and_the_log_has_it(
    helper: Client, service: APIClient, lines: Lines, django_capture_on_commit_callbacks: Any
) -> None:
    public, link = make("Public", "public"), make("Link", "link")
    follower = Follower(service)
    with django_capture_on_commit_callbacks(execute=True):
        assert run_action(helper, "take_back", public, link).status_code == 302
    assert set(Collection.objects.values_list("visibility", flat=True)) == {"private"}
    assert follower.types() == ["collection.unpublished"]
    entry = LogEntry.objects.get(object_id=str(public.pk))
    assert (entry.user_id, entry.change_message) == ("the-support", "Made private.")
    (line,) = [line for line in lines.of("security") if line["event"] == "collections_changed"]
    assert (line["change"], line["collections"], line["account"]) == ("take back", 2, "the-support")
    page, owner = f"/account/collections/{public.pk}", signed_in(public.owner)
    for visibility in ("public", "link"):
        answer = owner.post(page, {"visibility": visibility})
        assert answer.status_code == 403 and "Staff have made this collection private" in answer.content.decode()
    assert owner.post(page, {"title": "Another title"}).status_code == 303
    assert "Another title" in helper.get(LIST).content.decode()
    run_action(helper, "lift", public)
    assert owner.post(page, {"visibility": "public"}).status_code == 303
    assert follower.types() == ["collection.published"]


def test_who_has_no_right_to_change_collections_takes_none_back(helper: Client) -> None:
    permission = Permission.objects.get(codename="change_collection")
    Group.objects.get(name="support").permissions.remove(permission)
    public = make("Public", "public")
    run_action(helper, "take_back", public)
    public.refresh_from_db()
    assert public.visibility == "public"
