"""The tables of the index, which boards.0001 has made: boards.0010 gives them away.

Only what Django knows of them changes. Their content types move along, and with them permissions and log entries.
"""

from typing import Any

from django.db import migrations, models

import search.models


def move(old: str, new: str) -> Any:
    """Return the function that gives the content types of the tables another app, unless that has them."""

    def move_types(apps: Any, schema_editor: Any) -> None:
        types = apps.get_model("contenttypes", "ContentType").objects.using(schema_editor.connection.alias)
        there = types.filter(app_label=new).values("model")
        types.filter(app_label=old, model__in=("indexrow", "slice")).exclude(model__in=there).update(app_label=new)

    return move_types


# fmt: off
class Migration(migrations.Migration):
    initial = True

    dependencies = [("boards", "0001_initial"), ("contenttypes", "0002_remove_content_type_name")]

    operations = [
        migrations.RunPython(move("boards", "search"), move("search", "boards")),
        migrations.SeparateDatabaseAndState(state_operations=[
            migrations.CreateModel(
                name="IndexRow",
                fields=[
                    ("number", models.BigIntegerField(primary_key=True, serialize=False,
                        help_text="The number of the board, published or a draft.")),
                    ("facts", models.BinaryField(null=True,
                        help_text="Numbers and choices, each in its bytes (search.facts).")),
                    ("tags", models.TextField(default="", help_text="Tags such as theme:ID, each between two spaces.")),
                    ("calls", models.TextField(default="",
                        help_text='The auction as in "-1N-P-3N-P-P-P-". Blank when it is not known.')),
                    ("words", models.TextField(default="",
                        help_text="The words of its texts, each between two spaces (search.words).")),
                    ("updated_at", models.DateTimeField(null=True, help_text="The board's own updated_at.")),
                    ("version", models.BigIntegerField(default=search.models.new_version,
                        help_text="Another one after each change: a fold deletes the row that it has read.")),
                ],
                options={"db_table": "boards_indexrow"},
            ),
            migrations.CreateModel(
                name="Slice",
                fields=[
                    ("pk", models.CompositePrimaryKey("name", "segment", blank=True, editable=False, primary_key=True,
                        serialize=False)),
                    ("name", models.CharField(max_length=300, help_text="What is true (search.facts).")),
                    ("segment", models.IntegerField(db_index=True,
                        help_text="The numbers of its boards, divided by SEGMENT_BITS.")),
                    ("bits", search.models.BitsField(help_text="SEGMENT_BITS bits, one for each number.")),
                ],
                options={"db_table": "boards_slice"},
            ),
        ]),
    ]
