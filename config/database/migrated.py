"""Whether the database has every migration that this version of the program needs."""

from functools import cache
from importlib import import_module
from pkgutil import iter_modules

from django.apps import apps
from django.db import DatabaseError
from django.db.backends.utils import CursorWrapper
from django.db.migrations.loader import MigrationLoader


@cache
def required_migrations() -> frozenset[tuple[str, str]]:
    """Return the migrations of all apps by app and name, without importing them."""
    found = set()
    for app in apps.get_app_configs():
        module, _ = MigrationLoader.migrations_module(app.label)
        try:
            package = import_module(module) if module else None
        except ModuleNotFoundError:
            continue
        if package:
            found |= {
                (app.label, each.name) for each in iter_modules(package.__path__) if each.name[0] not in "_~"
            }
    return frozenset(found)


def find_missing_migrations(cursor: CursorWrapper) -> frozenset[tuple[str, str]]:
    """Return the migrations that the database lacks. It may have more: those of a newer version beside this one."""
    try:
        cursor.execute("SELECT app, name FROM django_migrations")
    except DatabaseError as error:
        if "django_migrations" not in str(error):
            raise
        return required_migrations()
    return required_migrations() - set(cursor.fetchall())
