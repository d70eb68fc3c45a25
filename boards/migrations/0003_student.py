from django.db import migrations, models

SEATS = [("N", "North"), ("E", "East"), ("S", "South"), ("W", "West")]


class Migration(migrations.Migration):
    dependencies = [("boards", "0001_initial")]

    operations = [
        migrations.SeparateDatabaseAndState(
            database_operations=[
                migrations.RunSQL(
                    "ALTER TABLE boards_board ADD COLUMN student varchar(1) DEFAULT '' NOT NULL",
                    "ALTER TABLE boards_board DROP COLUMN student",
                )
            ],
            state_operations=[
                migrations.AddField(
                    model_name="board",
                    name="student",
                    field=models.CharField(
                        blank=True,
                        choices=SEATS,
                        db_default="",
                        default="",
                        help_text="The seat whose calls and lead practice asks for. Leave blank for South.",
                        max_length=1,
                    ),
                )
            ],
        )
    ]
