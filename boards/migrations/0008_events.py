from django.db import migrations, models

import boards.querysets

LENGTHS = {"event_slug": 64, "event_place": 160}


class Migration(migrations.Migration):
    dependencies = [("boards", "0007_play_counts")]

    operations = [
        migrations.CreateModel(
            name="Event",
            fields=[
                (
                    "slug",
                    models.CharField(
                        help_text="The name in addresses (boards.events.identity).",
                        max_length=64,
                        primary_key=True,
                        serialize=False,
                    ),
                ),
                (
                    "name",
                    models.CharField(
                        help_text="The tournament or match, such as Friday pairs.", max_length=200
                    ),
                ),
                (
                    "date",
                    models.CharField(
                        blank=True,
                        help_text="In PBN notation: 2026.11.21. Unknown parts are question marks.",
                        max_length=40,
                    ),
                ),
                (
                    "site",
                    models.CharField(blank=True, help_text="Where the event was held.", max_length=200),
                ),
                (
                    "day",
                    models.CharField(
                        blank=True,
                        help_text="The date as lists sort it: unknown parts are zeros.",
                        max_length=10,
                    ),
                ),
            ],
            options={
                "indexes": [models.Index(fields=["-day", "name", "slug"], name="event_newest")],
            },
        ),
        # The schema editor would make SQLite's table anew for each column, and its triggers would be lost.
        migrations.SeparateDatabaseAndState(
            database_operations=[
                migrations.RunSQL(
                    f"ALTER TABLE boards_publishedboard ADD COLUMN {name} varchar({length}) DEFAULT '' NOT NULL",
                    f"ALTER TABLE boards_publishedboard DROP COLUMN {name}",
                )
                for name, length in LENGTHS.items()
            ],
            state_operations=[
                migrations.AddField(
                    model_name="publishedboard",
                    name="event_slug",
                    field=models.CharField(
                        blank=True,
                        db_default="",
                        default="",
                        help_text="The event that the board belongs to. Blank when it belongs to none.",
                        max_length=64,
                    ),
                ),
                migrations.AddField(
                    model_name="publishedboard",
                    name="event_place",
                    field=models.CharField(
                        blank=True,
                        db_default="",
                        default="",
                        help_text="Sorts the deals of an event (boards.events.identity). All tables of a deal have the same.",
                        max_length=160,
                    ),
                ),
            ],
        ),
        migrations.AddIndex(
            model_name="publishedboard",
            index=models.Index(fields=["event_slug", "event_place"], name="published_of_event"),
        ),
        migrations.AddIndex(
            model_name="board",
            index=models.Index(
                boards.querysets.ByBytes("date"),
                condition=models.Q(("published_at__isnull", False)),
                name="board_played",
            ),
        ),
    ]
