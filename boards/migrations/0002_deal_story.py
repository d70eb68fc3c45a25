from django.db import migrations, models

import boards.validators

STORY = [
    migrations.AddField(
        "board",
        "deal_commentary",
        models.TextField(
            blank=True,
            db_default="",
            default="",
            max_length=20000,
            help_text="What there is to say of the deal, the same at all its tables. Plain text, as the commentary.",
        ),
    ),
    migrations.AddField(
        "board",
        "deal_title",
        models.CharField(
            blank=True,
            db_default="",
            default="",
            max_length=200,
            validators=[boards.validators.validate_pbn_line],
            help_text="A heading for the deal, the same at all its tables.",
        ),
    ),
]


class Migration(migrations.Migration):
    """Add the story of a deal, which each of its boards stores, by statements that copy no table on SQLite either."""

    dependencies = [("boards", "0001_initial")]

    operations = [
        migrations.SeparateDatabaseAndState(
            [
                migrations.RunSQL(
                    "ALTER TABLE boards_board ADD COLUMN deal_commentary text DEFAULT '' NOT NULL",
                    "ALTER TABLE boards_board DROP COLUMN deal_commentary",
                ),
                migrations.RunSQL(
                    "ALTER TABLE boards_board ADD COLUMN deal_title varchar(200) DEFAULT '' NOT NULL",
                    "ALTER TABLE boards_board DROP COLUMN deal_title",
                ),
            ],
            STORY,
        )
    ]
