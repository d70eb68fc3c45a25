from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("deals", "0002_events_of_collections")]

    operations = [
        migrations.SeparateDatabaseAndState(
            # On SQLite Django would make the table anew.
            database_operations=[
                migrations.RunSQL(
                    "ALTER TABLE deals_deal ADD COLUMN brought_by_member bool DEFAULT false NOT NULL",
                    "ALTER TABLE deals_deal DROP COLUMN brought_by_member",
                ),
            ],
            state_operations=[
                migrations.AddField(
                    model_name="deal",
                    name="brought_by_member",
                    field=models.BooleanField(
                        db_default=False,
                        default=False,
                        editable=False,
                        help_text="Only members' files have brought it: it goes with the last of its boards that a"
                        " member deletes.",
                    ),
                ),
            ],
        ),
    ]
