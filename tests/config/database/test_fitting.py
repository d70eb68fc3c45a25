"""A database whose tables lack what its applied migrations make is refused in one sentence, and nothing in it changes.

Such a database was made before 1.0.0, when 0001_initial was still edited. Here the columns are dropped by SQL.
"""

import pytest
from django.core.checks import Tags, run_checks
from django.core.management import CommandError, call_command
from django.db import connection
from django.db.migrations.recorder import MigrationRecorder
from django.test.utils import CaptureQueriesContext
from rest_framework.test import APIClient

from config.database.fitting import describe_misfit
from config.edge.observability import readiness as readiness_module
from config.edge.observability.readiness import UNMIGRATED, readiness
from tests.answers import assert_error

pytestmark = pytest.mark.django_db
STUDENT = "ALTER TABLE boards_board DROP COLUMN student"


def execute(*statements: str) -> None:
    with connection.cursor() as cursor:
        for statement in statements:
            cursor.execute(statement)


def applied() -> set[tuple[str, str]]:
    return set(MigrationRecorder.Migration.objects.values_list("app", "name"))


def undo_rankings() -> None:
    """Leave the database as the version before rankings had it."""
    execute("DROP TABLE boards_eventranking")
    MigrationRecorder.Migration.objects.filter(app="boards", name__gte="0006").delete()


def test_tables_that_have_all_columns_fit_and_so_do_further_ones_and_those_of_an_older_version() -> None:
    assert describe_misfit(connection) == ""
    execute("ALTER TABLE boards_board ADD COLUMN newer varchar(20)", "CREATE TABLE newer (id integer)")
    MigrationRecorder(connection).record_applied("boards", "9999_newer")
    assert describe_misfit(connection) == ""
    undo_rankings()
    assert describe_misfit(connection) == ""


def test_the_sentence_names_what_is_lacking_and_how_to_take_the_boards_along() -> None:
    execute(STUDENT)
    sentence = describe_misfit(connection)
    assert "(boards_board lacks student)" in sentence
    for step in ("export_boards", "DATABASE_URL", "load_reference_data", "import_boards boards.pbn --publish"):
        assert step in sentence
    execute(*(f"ALTER TABLE boards_board RENAME COLUMN {name} TO x{name}" for name in ("title", "commentary")))
    execute("ALTER TABLE boards_board RENAME COLUMN pair_ns TO pair_of_before")
    assert describe_misfit(connection).count("lacks") == 3 and "and 1 more)" in describe_misfit(connection)


def test_a_table_that_is_not_there_is_named() -> None:
    execute("ALTER TABLE voting_vote RENAME TO votes_of_before")
    assert "(the table voting_vote is missing)" in describe_misfit(connection)


@pytest.mark.parametrize("is_behind", [True, False])
def test_migrate_refuses_a_database_that_does_not_fit_and_changes_nothing(is_behind: bool) -> None:
    """Refuse it before the migrations that it lacks, and also when a former version has applied all of them."""
    execute(STUDENT)
    if is_behind:
        undo_rankings()
    before = applied(), connection.introspection.table_names()
    with pytest.raises(CommandError) as caught:
        call_command("migrate", verbosity=0)
    assert str(caught.value) == describe_misfit(connection)
    assert (applied(), connection.introspection.table_names()) == before


def test_an_instance_on_a_database_that_does_not_fit_is_not_ready_and_says_why(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(readiness_module, "MAX_AGE", 0)
    client = APIClient()
    undo_rankings()
    assert assert_error(client.get("/readyz"), 503, "service_unavailable")["message"] == UNMIGRATED
    execute(STUDENT)
    message = assert_error(client.get("/readyz"), 503, "service_unavailable")["message"]
    assert message == describe_misfit(connection)
    stranger = assert_error(client.get("/readyz", REMOTE_ADDR="192.0.2.1"), 503, "service_unavailable")["message"]
    assert "boards_board" not in stranger


def test_the_tables_are_compared_until_the_process_is_ready_and_never_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(readiness_module, "MAX_AGE", 0)
    counts = []
    for _ in range(3):
        with CaptureQueriesContext(connection) as queries:
            assert not readiness.get().refusal
        counts.append(len(queries))
    assert counts[0] > 40 and counts[1] == counts[2] < 15, counts


def test_the_check_of_a_deployment_reports_it() -> None:
    def found() -> list[str]:
        messages = run_checks(tags=[Tags.database], include_deployment_checks=True, databases=["default"])
        return [each.msg for each in messages if each.id == "config.E006"]

    assert found() == []
    execute(STUDENT)
    assert found() == [describe_misfit(connection)]
