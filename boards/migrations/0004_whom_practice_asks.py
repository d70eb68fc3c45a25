import django.core.validators
from django.db import migrations, models

PRACTICE = [
    migrations.AddField(
        "collectionboard",
        "seat",
        models.CharField(
            blank=True,
            choices=[("N", "North"), ("E", "East"), ("S", "South"), ("W", "West")],
            db_default="",
            default="",
            help_text="The seat that practice asks. Blank for the one that has a decision.",
            max_length=1,
        ),
    ),
]


class Migration(migrations.Migration):
    """Add whom practice asks at a collection's board. The first column copies no table on SQLite either."""

    dependencies = [("boards", "0003_change_of_a_published_board")]

    operations = [
        migrations.SeparateDatabaseAndState(
            [
                migrations.RunSQL(
                    "ALTER TABLE boards_collectionboard ADD COLUMN seat varchar(1) DEFAULT '' NOT NULL",
                    "ALTER TABLE boards_collectionboard DROP COLUMN seat",
                ),
            ],
            PRACTICE,
        ),
        migrations.AddField(
            model_name="collectionboard",
            name="step",
            field=models.PositiveSmallIntegerField(
                blank=True,
                help_text="How many calls are made before the first question of practice. Blank for those before a"
                " decision.",
                null=True,
                validators=[django.core.validators.MaxValueValidator(319)],
            ),
        ),
    ]
