"""Count the boards of an event, and not those that an event shares with each other list.

An event has some dozens of boards, which are counted when they are read. Its pairs would be most of all pairs: twelve
rows for each evening of a club. Boards get lists of events only after this migration, so no count changes.
"""

from importlib import import_module

from django.db import migrations

before = import_module("boards.migrations.0004_catalogue_triggers")

PAIR_POSTGRESQL = """one COLLATE "C" < two COLLATE "C" OR (one = 'all' AND two = 'all')"""
COUNTED_POSTGRESQL = f"""({PAIR_POSTGRESQL})
                AND (one = 'all' OR NOT (starts_with(one, 'event:') OR starts_with(two, 'event:')))"""

PAIR_SQLITE = "one.value < two.value OR (one.value = 'all' AND two.value = 'all')"
COUNTED_SQLITE = f"""({PAIR_SQLITE})
        AND (one.value = 'all' OR 'event:' NOT IN (substr(one.value, 1, 6), substr(two.value, 1, 6)))"""


def write(schema_editor, pair, counted):
    """Write the function (PostgreSQL) or the triggers (SQLite) of migration 0004 with another condition of pairs."""
    if schema_editor.connection.vendor == "postgresql":
        (function,) = (text for text in before.CREATE_POSTGRESQL if "FUNCTION boards_count_facets" in text)
        function = function.replace("CREATE FUNCTION", "CREATE OR REPLACE FUNCTION")
        schema_editor.execute(function.replace(pair, counted))
        return
    for statement in before.DROP_SQLITE:
        schema_editor.execute(statement)
    for statement in before.CREATE_SQLITE:
        schema_editor.execute(statement.replace(pair, counted))


def pairs_of(schema_editor):
    if schema_editor.connection.vendor == "postgresql":
        return PAIR_POSTGRESQL, COUNTED_POSTGRESQL
    return PAIR_SQLITE, COUNTED_SQLITE


def leave_out(apps, schema_editor):
    write(schema_editor, *pairs_of(schema_editor))


def count_again(apps, schema_editor):
    """Restore migration 0004. `manage.py refresh_boards` of that version counts the pairs."""
    pair, _ = pairs_of(schema_editor)
    write(schema_editor, pair, pair)


class Migration(migrations.Migration):
    dependencies = [("boards", "0008_events")]

    operations = [migrations.RunPython(leave_out, count_again)]
