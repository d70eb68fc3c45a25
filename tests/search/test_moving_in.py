"""The migration by which the index has an app: what belongs to its content types stays theirs."""

from importlib import import_module
from types import SimpleNamespace

import pytest
from django.apps import apps
from django.contrib.auth.models import Permission
from django.contrib.contenttypes.models import ContentType
from django.db import connection

pytestmark = pytest.mark.django_db


def labels() -> dict[str, str]:
    types = ContentType.objects.filter(model__in=("indexrow", "slice", "board"))
    return dict(types.values_list("model", "app_label"))


def test_permissions_go_with_the_tables_and_come_back_with_them() -> None:
    move = import_module("search.migrations.0001_initial").move
    (adding,) = Permission.objects.filter(codename="add_slice")
    editor = SimpleNamespace(connection=connection)
    move("search", "boards")(apps, editor)
    assert labels() == {"indexrow": "boards", "slice": "boards", "board": "boards"}
    ContentType.objects.create(app_label="search", model="slice")
    move("boards", "search")(apps, editor)
    assert ContentType.objects.get(pk=adding.content_type_id).app_label == "boards"  # the app has one already
    ContentType.objects.filter(app_label="search", model="slice").delete()
    move("boards", "search")(apps, editor)
    assert labels() == {"indexrow": "search", "slice": "search", "board": "boards"}
    adding.refresh_from_db()
    assert adding.content_type.app_label == "search"
