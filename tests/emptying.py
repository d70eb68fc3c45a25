"""What is deleted after a test with real transactions."""

from datetime import timedelta

from django.apps import apps
from django.db import DEFAULT_DB_ALIAS, connection, transaction
from django.utils import timezone

from accounts.apps import create_required_rows
from impersonation.models import ImpersonationEvent
from impersonation.personal_data import delete_events

KEPT = {"auth_permission", "django_content_type", "themes_labelrevision"}
"""Tables whose rows no test stores: `migrate` and triggers do."""


def full_tables() -> list[str]:
    """Return the tables that have rows, without those of KEPT."""
    tables = {*connection.introspection.django_table_names(only_existing=True, include_views=False)} - KEPT
    with connection.cursor() as cursor:
        cursor.execute(" UNION ALL ".join(f"SELECT '{name}' WHERE EXISTS (SELECT 1 FROM {name})" for name in tables))
        return [name for (name,) in cursor.fetchall()]


def empty_tables(test_case: object = None) -> None:
    """Delete all rows but those that `migrate` makes. It stands for `TransactionTestCase._fixture_teardown`.

    Django truncates every table and makes permissions anew: on PostgreSQL that takes longer than most tests, and a
    trigger refuses it for impersonation events.
    """
    with transaction.atomic(), connection.cursor() as cursor:
        events = list(ImpersonationEvent.objects.values_list("pk", flat=True))
        delete_events(events, timezone.now() + timedelta(days=36_500))
        for name in full_tables():
            cursor.execute(f"DELETE FROM {name}")
    create_required_rows(apps.get_app_config("accounts"), DEFAULT_DB_ALIAS)
