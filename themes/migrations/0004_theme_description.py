from django.db import migrations, models

import config.values.descriptions

TYPES = {
    "postgresql": "jsonb DEFAULT '{}' NOT NULL",
    "sqlite": "text DEFAULT '{}' NOT NULL CHECK (JSON_VALID(\"description\"))",
}


def add(apps, schema_editor):
    column = TYPES[schema_editor.connection.vendor]
    schema_editor.execute(f'ALTER TABLE themes_theme ADD COLUMN "description" {column}')


def drop(apps, schema_editor):
    schema_editor.execute('ALTER TABLE themes_theme DROP COLUMN "description"')


class Migration(migrations.Migration):
    dependencies = [("themes", "0003_label_revision_triggers")]

    operations = [
        # The schema editor would make SQLite's table anew, without the triggers of the label revision.
        migrations.SeparateDatabaseAndState(
            database_operations=[migrations.RunPython(add, drop)],
            state_operations=[
                migrations.AddField(
                    model_name="theme",
                    name="description",
                    field=models.JSONField(
                        blank=True,
                        db_default={},
                        default=dict,
                        help_text=(
                            'What the theme is about, as plain text in each language: {"en": "…"}. A blank line begins '
                            "a new paragraph"
                        ),
                        validators=[config.values.descriptions.validate_description],
                    ),
                )
            ],
        ),
    ]
