"""The database itself changes the revision with each change of a theme or an auction system, whoever makes it."""

from django.db import migrations

from config.database.dialects import trigger_dialect

TABLES = ("themes_theme", "accounts_auctionsystem")

CHANGE_REVISION = {
    "plpgsql": """
        CREATE FUNCTION themes_change_revision() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN
            INSERT INTO themes_labelrevision (id, token) VALUES (1, gen_random_uuid()::text)
            ON CONFLICT (id) DO UPDATE SET token = excluded.token;
            RETURN NULL;
        END $$
    """
}
CREATE = {
    "plpgsql": """
        CREATE TRIGGER {table}_changes_revision AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON {table}
        FOR EACH STATEMENT EXECUTE FUNCTION themes_change_revision()
    """,
    "sqlite": """
        CREATE TRIGGER {table}_changes_revision_on_{event} AFTER {event} ON {table} BEGIN
            INSERT OR REPLACE INTO themes_labelrevision (id, token) VALUES (1, lower(hex(randomblob(16))));
        END
    """,
}
DROP = {
    "plpgsql": "DROP TRIGGER {table}_changes_revision ON {table}",
    "sqlite": "DROP TRIGGER {table}_changes_revision_on_{event}",
}
EVENTS = {"plpgsql": ("any",), "sqlite": ("INSERT", "UPDATE", "DELETE")}


def create(apps, schema_editor):
    dialect = trigger_dialect(schema_editor.connection)
    if dialect in CHANGE_REVISION:
        schema_editor.execute(CHANGE_REVISION[dialect])
    execute_for_each_table(schema_editor, CREATE[dialect])
    apps.get_model("themes", "LabelRevision").objects.using(schema_editor.connection.alias).create(
        token="first"
    )


def drop(apps, schema_editor):
    execute_for_each_table(schema_editor, DROP[trigger_dialect(schema_editor.connection)])
    if trigger_dialect(schema_editor.connection) in CHANGE_REVISION:
        schema_editor.execute("DROP FUNCTION themes_change_revision()")


def execute_for_each_table(schema_editor, statement):
    for table in TABLES:
        for event in EVENTS[trigger_dialect(schema_editor.connection)]:
            schema_editor.execute(statement.format(table=table, event=event))


class Migration(migrations.Migration):
    dependencies = [("themes", "0002_label_revision"), ("accounts", "0001_initial")]

    operations = [migrations.RunPython(create, drop)]
