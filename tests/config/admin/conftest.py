"""Clients of staff at the admin, and one row of each table for them to look at."""

from datetime import timedelta
from typing import Any

import pytest
from django.contrib.admin.models import CHANGE, LogEntry
from django.contrib.admin.templatetags.admin_urls import admin_urlname
from django.contrib.auth.models import Group
from django.contrib.contenttypes.models import ContentType
from django.db.models import Model
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts.models import Account
from boards.collections.services import CollectionEntry, Texts, create_collection
from boards.models import Event, EventRanking
from deals.models import WebhookEndpoint
from forms.models import Submission
from forms.tasks import announce
from impersonation.models import ImpersonationEvent
from tests import factories
from voting.models import Vote


def staff_client(role: str) -> Client:
    client = Client(raise_request_exception=False)
    client.force_login(factories.account(f"the-{role}", role=role, display_name="Somebody"))
    return client


def run_action(client: Client, action: str, *rows: Model, **values: str) -> Any:
    """Send an action for these rows, as the list of their model in the admin does."""
    selected = [str(row.pk) for row in rows]
    return client.post(
        reverse(admin_urlname(rows[0]._meta, "changelist")),
        {"action": action, "_selected_action": selected, "index": "0", **values},
    )


@pytest.fixture
def helper(reference_data: None) -> Client:
    """Return a client of somebody from support, with the rights of their group."""
    return staff_client("support")


def one_of_everything() -> None:
    """Store at least one row in each table that the admin shows."""
    actor, subject = factories.account(role="support"), factories.account()
    running = factories.impersonation(actor, subject)
    event = {"actor_id": actor.pk, "subject_id": subject.pk, "route": "api/themes", "request_id": "r"}
    ImpersonationEvent.objects.create(impersonation_id=running.pk, kind="request", method="GET", status=200, **event)
    has = {"themes": (factories.theme(),), "auction_system": factories.auction_system()}
    board = factories.board(owner=subject, calls="1NT Pass Pass Pass", **has)
    create_collection(owner=subject, texts=Texts("Lesson", visibility="public"), places=[CollectionEntry(board.pk)])
    evening = Event.objects.create(slug=f"friday-{subject.pk}", name="Friday pairs", date="2026.11.20")
    EventRanking.objects.create(event=evening, owner=subject, unit="MP", places=[[1, "7", "NS", 24, 300.5, 62.25]])
    Vote.objects.create(account=subject, board=board, value="up")
    announce.enqueue(str(submission("contact", handled_by=actor, handled_at=timezone.now()).pk))
    Group.objects.get_or_create(name="support")
    WebhookEndpoint.objects.create(url="https://hooks.example/")


def submission(form: str = "contact", age: timedelta = timedelta(0), **values: object) -> Submission:
    data = {"name": "Ann", "email": "ann@example.org", "subject": "Hello", "message": "Hello"}
    created = Submission.objects.create(**{"form": form, "data": data, "client": "c", "request_id": "r", **values})
    Submission.objects.filter(pk=created.pk).update(created_at=timezone.now() - age)
    return created


def log(row: Model, user: Account) -> None:
    """Add an entry to the row's history."""
    named = {"content_type": ContentType.objects.get_for_model(row), "object_id": str(row.pk), "object_repr": str(row)}
    LogEntry.objects.create(user=user, action_flag=CHANGE, change_message="[]", **named)
