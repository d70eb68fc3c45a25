"""An impersonation remembers which suspensions its accounts had seen. The audit log is not truncated.

The columns are added by statements of our own, because Django would make SQLite's table anew for each.
"""

from django.db import migrations, models

from config.database.dialects import trigger_dialect

COLUMNS = ("actor_rights_version", "subject_rights_version")
KIND = {"plpgsql": "integer", "sqlite": "integer unsigned"}
# SQLite has no TRUNCATE. An empty table may be truncated, as when tests empty all tables.
REFUSE_TRUNCATE = (
    """
    CREATE FUNCTION impersonation_event_is_not_truncated() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        IF EXISTS (SELECT 1 FROM impersonation_impersonationevent) THEN
            RAISE EXCEPTION 'impersonation events are kept until prune deletes them';
        END IF;
        RETURN NULL;
    END $$
    """,
    """
    CREATE TRIGGER impersonation_event_is_not_truncated BEFORE TRUNCATE ON impersonation_impersonationevent
    FOR EACH STATEMENT EXECUTE FUNCTION impersonation_event_is_not_truncated()
    """,
)
ALLOW_TRUNCATE = (
    "DROP TRIGGER impersonation_event_is_not_truncated ON impersonation_impersonationevent",
    "DROP FUNCTION impersonation_event_is_not_truncated()",
)


def add(apps, schema_editor):
    dialect = trigger_dialect(schema_editor.connection)
    for name in COLUMNS:
        schema_editor.execute(
            f"ALTER TABLE impersonation_impersonation ADD COLUMN {name} {KIND[dialect]} DEFAULT 0 NOT NULL "
            f"CHECK ({name} >= 0)"
        )
    for statement in REFUSE_TRUNCATE if dialect == "plpgsql" else ():
        schema_editor.execute(statement)


def drop(apps, schema_editor):
    for statement in ALLOW_TRUNCATE if trigger_dialect(schema_editor.connection) == "plpgsql" else ():
        schema_editor.execute(statement)
    for name in COLUMNS:
        schema_editor.execute(f"ALTER TABLE impersonation_impersonation DROP COLUMN {name}")


class Migration(migrations.Migration):
    dependencies = [
        ("impersonation", "0002_events_are_final"),
        ("accounts", "0004_erased_for_good"),
    ]

    operations = [
        migrations.SeparateDatabaseAndState(
            database_operations=[migrations.RunPython(add, drop)],
            state_operations=[
                migrations.AddField(
                    model_name="impersonation",
                    name="actor_rights_version",
                    field=models.PositiveIntegerField(
                        db_default=0,
                        default=0,
                        editable=False,
                        help_text="The actor's rights_version when it started",
                    ),
                ),
                migrations.AddField(
                    model_name="impersonation",
                    name="subject_rights_version",
                    field=models.PositiveIntegerField(
                        db_default=0,
                        default=0,
                        editable=False,
                        help_text="The subject's rights_version when it started",
                    ),
                ),
            ],
        ),
    ]
