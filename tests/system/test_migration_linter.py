"""`dev.py check` refuses migrations on which the version before could not go on."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.system.deployment import ROOT
from tools.check import PRODUCTION_LIKE, STEPS

pytest.importorskip("django_migration_linter", reason="It is a tool of dev.py check: pip install the group dev.")

PAIR = """
    migrations.CreateModel("Club", [("id", models.BigAutoField(primary_key=True))]),
    migrations.CreateModel("Pair", [
        ("id", models.BigAutoField(primary_key=True)),
        ("name", models.CharField(max_length=20)),
        ("plain", models.IntegerField(null=True)),
        ("indexed", models.IntegerField(null=True, db_index=True)),
        ("number", models.IntegerField(null=True)),
    ]),
"""
ADDITIVE = {
    "the_first": PAIR,
    "a_model": 'migrations.CreateModel("New", [("id", models.BigAutoField(primary_key=True))])',
    "a_column_that_may_be_null": 'migrations.AddField("pair", "more", models.IntegerField(null=True))',
    "a_column_with_a_default_in_the_database": """migrations.SeparateDatabaseAndState([
        migrations.RunSQL(
            "ALTER TABLE unsafe_pair ADD COLUMN must integer DEFAULT 0 NOT NULL",
            "ALTER TABLE unsafe_pair DROP COLUMN must",
        ),
    ])""",
    "an_index": 'migrations.AddIndex("pair", models.Index(fields=["number"], name="pair_number"))',
    "a_help_text": 'migrations.AlterField("pair", "plain", models.IntegerField(null=True, help_text="!"))',
}
UNSAFE = {
    "less_room": 'migrations.AlterField("pair", "name", models.CharField(max_length=5))',
    "another_type": 'migrations.AlterField("pair", "name", models.IntegerField())',
    "a_column_without_a_default": (
        'migrations.AddField("pair", "now", models.IntegerField(default=0), preserve_default=False)'
    ),
    "a_column_that_is_no_longer_null": ('migrations.AlterField("pair", "number", models.IntegerField(default=0))'),
    "unique": 'migrations.AlterField("pair", "plain", models.IntegerField(null=True, unique=True))',
    "a_constraint": ('migrations.AddConstraint("pair", models.UniqueConstraint(fields=["number"], name="one_number"))'),
    "a_column_less": 'migrations.RemoveField("pair", "plain")',
    "an_indexed_column_less": 'migrations.RemoveField("pair", "indexed")',
    "another_name_of_a_column": 'migrations.RenameField("pair", "name", "title")',
    "another_name_of_a_model": 'migrations.RenameModel("pair", "couple")',
    "another_table": 'migrations.AlterModelTable("couple", "elsewhere")',
    "a_model_less": 'migrations.DeleteModel("club")',
    "a_way_of_no_return": "migrations.RunPython(lambda apps, schema_editor: None)",  # a warning of the linter's
    "a_table_less": 'migrations.RunSQL("DROP TABLE elsewhere", migrations.RunSQL.noop)',
}
MIGRATION = """
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [{dependencies}]
    operations = [{operations}]
"""


def write_app(folder: Path) -> None:
    """Write an app with one migration for each operation, and settings that have it."""
    migrations = folder / "unsafe" / "migrations"
    migrations.mkdir(parents=True)
    for package in (migrations, migrations.parent):
        (package / "__init__.py").touch()
    before = ""
    for number, (name, operations) in enumerate((ADDITIVE | UNSAFE).items(), 1):
        text = MIGRATION.format(dependencies=before, operations=operations)
        (migrations / f"{number:04}_{name}.py").write_text(text)
        before = f'("unsafe", "{number:04}_{name}")'
    (folder / "settings_with_it.py").write_text(
        "from tests.lint_settings import *\nINSTALLED_APPS = [*INSTALLED_APPS, 'unsafe']\n"
    )


def test_each_migration_that_is_not_additive_fails_the_check_and_no_other_does(tmp_path: Path) -> None:
    write_app(tmp_path)
    program, *arguments, own_settings = STEPS["migrations are safe"]
    assert (program, own_settings) == ("python", "tests.lint_settings")
    env = {**os.environ, **PRODUCTION_LIKE, "PYTHONPATH": f"{tmp_path}:{ROOT}"}
    command = [sys.executable, *arguments, "settings_with_it", "--include-apps", "unsafe"]
    done = subprocess.run(command, cwd=ROOT, env=env, check=False, capture_output=True, text=True)
    results = [line for line in done.stdout.splitlines() if line.startswith("(unsafe, ")]
    passed = [line.split("_", 1)[1].split(")")[0] for line in results if line.endswith("OK")]
    failed = [line.split("_", 1)[1].split(")")[0] for line in results if line.endswith("ERR")]
    assert done.returncode
    assert (passed, failed) == (list(ADDITIVE), list(UNSAFE)), done.stdout
