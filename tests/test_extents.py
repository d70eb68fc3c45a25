"""What `dev.py test` runs is what docs/contributing.md says, and leaves out no test that only PostgreSQL can run."""

import re

from tools.environment import ROOT
from tools.test import DATABASES, EXTENTS, NIGHTLY

ONE_DATABASE = re.compile(r"skipif\([^)]*connection\.vendor|import .*\bpostgresql_only\b")


def test_the_table_in_the_docs_says_what_each_form_runs() -> None:
    text = (ROOT / "docs" / "contributing.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| `python3 dev.py test ?(--\w+)?` \| (.+?) \| ", text, re.MULTILINE)
    assert dict(rows) == {option: extent.says for option, extent in EXTENTS.items()}


def test_each_path_that_is_named_exists() -> None:
    assert [path for path in (*DATABASES, *NIGHTLY) if not (ROOT / path).exists()] == []


def test_tests_that_look_at_the_kind_of_database_run_on_postgresql() -> None:
    looking = {
        str(path.relative_to(ROOT))
        for path in (ROOT / "tests").rglob("test_*.py")
        if "system" not in path.parts and ONE_DATABASE.search(path.read_text(encoding="utf-8"))
    }
    assert looking, "the pattern still finds some"
    assert [path for path in looking if not path.startswith(DATABASES)] == []
