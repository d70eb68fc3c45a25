"""Whether the tables of a database have the columns that its applied migrations make.

They lack some when a migration was edited after it had run, as happened before 1.0.0, or when a table was changed by
SQL. django_migrations does not tell: `migrate` would add the rest, and the first statement would fail.
"""

from collections.abc import Iterator

from django.apps import apps
from django.apps.registry import Apps
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.migrations.loader import MigrationLoader

from config.database.migrated import find_missing_migrations, required_migrations

MAX_NAMED = 3
"""The columns and tables that the sentence names."""

MISFIT = (
    "The database was not made by the migrations of this version ({lacks}). Nothing in it was changed. To keep its"
    " published boards, run export_boards boards.pbn in the checkout that made it, set DATABASE_URL to a new database"
    " here, and run migrate, load_reference_data and import_boards boards.pbn --publish (docs/operations.md,"
    " Updating)."
)


def describe_misfit(connection: BaseDatabaseWrapper) -> str:
    """Return the sentence that says what the tables lack and how to take the boards along, or "" where they fit.

    Further tables and columns fit: a newer version beside this one may have added them. It takes a statement for each
    table, and 300 ms of processor time while migrations are missing.
    """
    lacking = list(find_lacking(connection))
    if not lacking:
        return ""
    named, further = lacking[:MAX_NAMED], len(lacking) - MAX_NAMED
    return MISFIT.format(lacks=", ".join([*named, f"and {further} more"] if further > 0 else named))


def find_lacking(connection: BaseDatabaseWrapper) -> Iterator[str]:
    """Yield what each table of the applied migrations lacks, such as "boards_board lacks student"."""
    with connection.cursor() as cursor:
        models = models_of(required_migrations() - find_missing_migrations(cursor))
        tables = set(connection.introspection.table_names(cursor))
        every = models.get_models(include_auto_created=True)
        for options in sorted((model._meta for model in every), key=lambda each: each.db_table):
            if not options.managed or options.proxy:
                continue
            if options.db_table not in tables:
                yield f"the table {options.db_table} is missing"
                continue
            cursor.execute(f"SELECT * FROM {connection.ops.quote_name(options.db_table)} LIMIT 0")  # noqa: S608
            columns = {column[0] for column in cursor.description}
            for field in options.local_concrete_fields:
                if field.column not in columns:
                    yield f"{options.db_table} lacks {field.column}"


def models_of(applied: frozenset[tuple[str, str]]) -> Apps:
    """Return the models as these migrations make them: all of them make those of this version."""
    if applied == required_migrations():
        return apps
    loader = MigrationLoader(None)
    return loader.project_state(sorted(applied)).apps
