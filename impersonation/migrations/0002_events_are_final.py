"""The database itself refuses to change an event, and to delete one unless `prune` does it: no code of ours, and no
admin at a shell, can rewrite the audit log (see EventPruning)."""

from django.db import migrations

from config.database.dialects import trigger_dialect

CREATE = {
    "plpgsql": (
        """
        CREATE FUNCTION impersonation_event_is_final() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN RAISE EXCEPTION 'an impersonation event is never changed'; END $$
        """,
        """
        CREATE TRIGGER impersonation_event_is_final BEFORE UPDATE ON impersonation_impersonationevent
        FOR EACH ROW EXECUTE FUNCTION impersonation_event_is_final()
        """,
        """
        CREATE FUNCTION impersonation_event_is_kept() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN
            IF EXISTS (SELECT 1 FROM impersonation_eventpruning WHERE OLD.created_at < until) THEN RETURN OLD; END IF;
            RAISE EXCEPTION 'an impersonation event is kept until prune deletes it';
        END $$
        """,
        """
        CREATE TRIGGER impersonation_event_is_kept BEFORE DELETE ON impersonation_impersonationevent
        FOR EACH ROW EXECUTE FUNCTION impersonation_event_is_kept()
        """,
    ),
    "sqlite": (
        """
        CREATE TRIGGER impersonation_event_is_final BEFORE UPDATE ON impersonation_impersonationevent
        BEGIN SELECT RAISE(ABORT, 'an impersonation event is never changed'); END
        """,
        """
        CREATE TRIGGER impersonation_event_is_kept BEFORE DELETE ON impersonation_impersonationevent
        WHEN NOT EXISTS (SELECT 1 FROM impersonation_eventpruning WHERE OLD.created_at < until)
        BEGIN SELECT RAISE(ABORT, 'an impersonation event is kept until prune deletes it'); END
        """,
    ),
}
DROP = {
    "plpgsql": (
        "DROP TRIGGER impersonation_event_is_final ON impersonation_impersonationevent",
        "DROP FUNCTION impersonation_event_is_final()",
        "DROP TRIGGER impersonation_event_is_kept ON impersonation_impersonationevent",
        "DROP FUNCTION impersonation_event_is_kept()",
    ),
    "sqlite": ("DROP TRIGGER impersonation_event_is_final", "DROP TRIGGER impersonation_event_is_kept"),
}


def create(apps, schema_editor):
    for statement in CREATE[trigger_dialect(schema_editor.connection)]:
        schema_editor.execute(statement)


def drop(apps, schema_editor):
    for statement in DROP[trigger_dialect(schema_editor.connection)]:
        schema_editor.execute(statement)


class Migration(migrations.Migration):
    dependencies = [("impersonation", "0001_initial")]

    operations = [migrations.RunPython(create, drop)]
