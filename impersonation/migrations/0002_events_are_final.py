"""The database itself refuses to change an event: no code of ours, and no admin at a shell, rewrites the record."""

from django.db import migrations

CREATE = {
    "postgresql": (
        """
        CREATE FUNCTION impersonation_event_is_final() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN RAISE EXCEPTION 'an impersonation event is never changed'; END $$
        """,
        """
        CREATE TRIGGER impersonation_event_is_final BEFORE UPDATE ON impersonation_impersonationevent
        FOR EACH ROW EXECUTE FUNCTION impersonation_event_is_final()
        """,
    ),
    "sqlite": (
        """
        CREATE TRIGGER impersonation_event_is_final BEFORE UPDATE ON impersonation_impersonationevent
        BEGIN SELECT RAISE(ABORT, 'an impersonation event is never changed'); END
        """,
    ),
}
DROP = {
    "postgresql": (
        "DROP TRIGGER impersonation_event_is_final ON impersonation_impersonationevent",
        "DROP FUNCTION impersonation_event_is_final()",
    ),
    "sqlite": ("DROP TRIGGER impersonation_event_is_final",),
}


def create(apps, schema_editor):
    for statement in CREATE[schema_editor.connection.vendor]:
        schema_editor.execute(statement)


def drop(apps, schema_editor):
    for statement in DROP[schema_editor.connection.vendor]:
        schema_editor.execute(statement)


class Migration(migrations.Migration):
    dependencies = [("impersonation", "0001_initial")]

    operations = [migrations.RunPython(create, drop)]
