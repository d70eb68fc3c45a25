from django.db import migrations, models

ADD = "ALTER TABLE accounts_auctionsystem ADD COLUMN aliases text DEFAULT '' NOT NULL"
DROP = "ALTER TABLE accounts_auctionsystem DROP COLUMN aliases"
"""The schema editor would make SQLite's table anew, and lose the triggers of themes.0003."""


class Migration(migrations.Migration):
    dependencies = [("accounts", "0002_country_is_validated")]

    operations = [
        migrations.SeparateDatabaseAndState(
            database_operations=[migrations.RunSQL(ADD, DROP)],
            state_operations=[
                migrations.AddField(
                    model_name="auctionsystem",
                    name="aliases",
                    field=models.TextField(
                        blank=True,
                        db_default="",
                        default="",
                        help_text="Other names that bridge files give it, one a line."
                        " Case and punctuation do not count.",
                    ),
                ),
            ],
        ),
    ]
