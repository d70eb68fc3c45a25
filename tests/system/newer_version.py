"""A version after this one: this checkout with one more migration, and the column that it adds.

The migration shows how a column that is not null is added where SQLite's table has triggers, or many rows: Django would
make the table anew, and its triggers would be lost.
"""

import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.system.deployment import ROOT

MIGRATION = """
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("boards", "{latest}")]

    operations = [
        migrations.SeparateDatabaseAndState(
            database_operations=[
                migrations.RunSQL(
                    "ALTER TABLE boards_board ADD COLUMN newer varchar(20) DEFAULT '' NOT NULL",
                    "ALTER TABLE boards_board DROP COLUMN newer",
                )
            ],
            state_operations=[
                migrations.AddField("board", "newer", models.CharField(max_length=20, default="newer", db_default=""))
            ],
        ),
        migrations.AddIndex("board", models.Index(fields=["newer"], name="board_newer")),
    ]
"""
FIELD = """
from django.db import models
from boards.models import Board

Board.add_to_class("newer", models.CharField(max_length=20, default="newer", db_default=""))
Board._meta.indexes = [*Board._meta.indexes, models.Index(fields=["newer"], name="board_newer")]
"""


@contextmanager
def newer_tree() -> Iterator[Path]:
    """Yield a folder with the newer version."""
    with tempfile.TemporaryDirectory(prefix="bridge-boards-newer-") as name:
        folder = Path(name)
        unneeded = shutil.ignore_patterns(".*", "__pycache__", "var", "tests", "docs")
        shutil.copytree(ROOT, folder, ignore=unneeded, dirs_exist_ok=True)
        shutil.copytree(ROOT / "docs" / "api", folder / "docs" / "api")
        migrations = folder / "boards" / "migrations"
        latest = max(path.stem for path in migrations.glob("0*.py"))
        (migrations / "9999_newer.py").write_text(MIGRATION.replace("{latest}", latest))
        with (folder / "voting" / "models.py").open("a") as models:
            models.write(FIELD)
        yield folder
