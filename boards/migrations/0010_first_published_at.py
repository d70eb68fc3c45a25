import django.utils.timezone
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("boards", "0009_count_events_alone")]

    operations = [
        migrations.AddField(
            model_name="board",
            name="first_published_at",
            field=models.DateTimeField(
                blank=True,
                editable=False,
                help_text="The date that a draft had while it was published, and gets again. Blank if it never was.",
                null=True,
            ),
        ),
        migrations.AddIndex(
            model_name="board",
            index=models.Index(fields=["-created_at", "id"], name="board_stored"),
        ),
        # The schema editor would make SQLite's table of boards anew, for a default that the database does not know.
        migrations.SeparateDatabaseAndState(
            state_operations=[
                migrations.AlterField(
                    model_name="board",
                    name="created_at",
                    field=models.DateTimeField(
                        default=django.utils.timezone.now,
                        editable=False,
                        help_text="When the board was stored. The boards of a file differ by microseconds, "
                        "the first is the latest.",
                    ),
                ),
            ],
        ),
    ]
