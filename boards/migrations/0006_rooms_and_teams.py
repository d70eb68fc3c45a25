from django.db import migrations, models

import boards.validators

LENGTHS = {"home_team": 200, "room": 6, "stage": 200, "system_text": 200, "table": 80, "visit_team": 200}


class Migration(migrations.Migration):
    dependencies = [("boards", "0005_changes_and_drafts")]

    operations = [
        # The schema editor would make SQLite's table of boards anew for each column.
        migrations.SeparateDatabaseAndState(
            database_operations=[
                migrations.RunSQL(
                    f"ALTER TABLE boards_board ADD COLUMN \"{name}\" varchar({length}) DEFAULT '' NOT NULL",
                    f'ALTER TABLE boards_board DROP COLUMN "{name}"',
                )
                for name, length in LENGTHS.items()
            ],
            state_operations=[
                migrations.AddField(
                    model_name="board",
                    name="home_team",
                    field=models.CharField(
                        blank=True,
                        db_default="",
                        default="",
                        editable=False,
                        help_text="The home team of a match.",
                        max_length=200,
                    ),
                ),
                migrations.AddField(
                    model_name="board",
                    name="room",
                    field=models.CharField(
                        blank=True,
                        choices=[("Open", "Open"), ("Closed", "Closed")],
                        db_default="",
                        default="",
                        editable=False,
                        help_text="The room of a team match: Open or Closed. Blank when there is none.",
                        max_length=6,
                    ),
                ),
                migrations.AddField(
                    model_name="board",
                    name="stage",
                    field=models.CharField(
                        blank=True,
                        db_default="",
                        default="",
                        help_text="The part of the event, such as Final or Round 3.",
                        max_length=200,
                        validators=[boards.validators.validate_pbn_line],
                    ),
                ),
                migrations.AddField(
                    model_name="board",
                    name="system_text",
                    field=models.CharField(
                        blank=True,
                        db_default="",
                        default="",
                        editable=False,
                        help_text="What a file says of the bidding system, when it names none of this site's.",
                        max_length=200,
                    ),
                ),
                migrations.AddField(
                    model_name="board",
                    name="table",
                    field=models.CharField(
                        blank=True,
                        db_default="",
                        default="",
                        editable=False,
                        help_text="The table's number or name.",
                        max_length=80,
                    ),
                ),
                migrations.AddField(
                    model_name="board",
                    name="visit_team",
                    field=models.CharField(
                        blank=True,
                        db_default="",
                        default="",
                        editable=False,
                        help_text="The visiting team of a match.",
                        max_length=200,
                    ),
                ),
            ],
        ),
    ]
