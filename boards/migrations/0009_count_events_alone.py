"""Count the boards of an event, and not those that an event shares with each other list.

An event has some dozens of boards, which are counted when they are read. Its pairs would be most of all pairs: twelve
rows for each evening of a club. Boards get lists of events only after this migration, so no count changes.
"""

from importlib import import_module

from django.db import migrations

from config.database.dialects import trigger_dialect

before = import_module("boards.migrations.0004_catalogue_triggers")

PAIR_POSTGRESQL = """one COLLATE "C" < two COLLATE "C" OR (one = 'all' AND two = 'all')"""
COUNTED_POSTGRESQL = f"""({PAIR_POSTGRESQL})
                AND (one = 'all' OR NOT (starts_with(one, 'event:') OR starts_with(two, 'event:')))"""

PAIR_SQLITE = "one.value < two.value OR (one.value = 'all' AND two.value = 'all')"
COUNTED_SQLITE = f"""({PAIR_SQLITE})
        AND (one.value = 'all' OR 'event:' NOT IN (substr(one.value, 1, 6), substr(two.value, 1, 6)))"""


CONDITIONS = {
    "plpgsql": (PAIR_POSTGRESQL, COUNTED_POSTGRESQL),
    "sqlite": (PAIR_SQLITE, COUNTED_SQLITE),
}


def leave_out(apps, schema_editor):
    dialect = trigger_dialect(schema_editor.connection)
    pair, counted = CONDITIONS[dialect]
    write(schema_editor, dialect, lambda statement: statement.replace(pair, counted))


def count_again(apps, schema_editor):
    """Restore migration 0004. `manage.py refresh_boards` of that version counts the pairs."""
    write(schema_editor, trigger_dialect(schema_editor.connection), lambda statement: statement)


def write(schema_editor, dialect, change):
    """Write PostgreSQL's function, or SQLite's triggers, of migration 0004 with a change."""
    if dialect == "plpgsql":
        (function,) = (text for text in before.CREATE_POSTGRESQL if "FUNCTION boards_count_facets" in text)
        schema_editor.execute(change(function).replace("CREATE FUNCTION", "CREATE OR REPLACE FUNCTION"))
        return
    for statement in before.DROP_SQLITE:
        schema_editor.execute(statement)
    for statement in before.CREATE_SQLITE:
        schema_editor.execute(change(statement))


class Migration(migrations.Migration):
    dependencies = [("boards", "0008_events")]

    operations = [migrations.RunPython(leave_out, count_again)]
