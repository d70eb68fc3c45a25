"""The admin streams submissions as CSV, complete and safe to open in a spreadsheet."""

import csv
import io
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from forms import csv_export
from forms.models import Submission
from tests.config.admin.conftest import run_action, staff_client, submission

pytestmark = pytest.mark.django_db


def rows(response: Any) -> list[dict[str, str]]:
    text = b"".join(response.streaming_content).decode("utf-8-sig")
    return list(csv.DictReader(io.StringIO(text)))


@pytest.mark.usefixtures("reference_data")
@pytest.mark.parametrize("role", ["admin", "support"])
def test_staff_export_the_submissions_that_they_selected(role: str) -> None:
    client = staff_client(role)
    first, second, _ = submission(), submission(data={"subject": "Ünïcode ♠", "odd": [1]}), submission()
    response = run_action(client, "export_csv", first, second)
    assert response.streaming
    assert response["Content-Type"] == "text/csv; charset=utf-8"
    assert response["Content-Disposition"].startswith('attachment; filename="submissions-')
    exported = {row["id"]: row for row in rows(response)}
    assert exported.keys() == {str(first.pk), str(second.pk)}
    assert exported[str(first.pk)]["email"] == "ann@example.org"
    assert (exported[str(second.pk)]["subject"], exported[str(second.pk)]["data_rest"]) == (
        "Ünïcode ♠",
        '{"odd": [1]}',
    )


FORMULAS = [
    "=1+1",
    "+1",
    "-1",
    "@SUM(A1)",
    "\t=1",
    "\r=1",
    '=HYPERLINK("http://evil.example","x")',
    "=cmd|' /C calc'!A0",
    "＝1+1",
    "\u200b=1",
]


def test_no_cell_has_a_formula_after_a_semicolon() -> None:
    one = submission(data={"name": "a;=HYPERLINK(9)", "message": "x; @SUM(1);y;-2"})
    (row,) = rows(run_action(staff_client("admin"), "export_csv", one))
    assert (row["name"], row["message"]) == ("a;'=HYPERLINK(9)", "x; '@SUM(1);y;'-2")


@pytest.mark.parametrize("text", FORMULAS)
def test_no_cell_is_a_formula(text: str) -> None:
    one = submission(data={"name": text, "message": f"two\n{text}", text: text}, request_id=text)
    (row,) = rows(run_action(staff_client("admin"), "export_csv", one))
    assert (row["name"], row["request_id"]) == (f"'{text}", f"'{text}")
    assert all(not csv_export.FORMULA_START.match(cell) for cell in row.values())
    assert row["message"] == f"two\n{text}"


@pytest.mark.parametrize("text", ["", "plain", "a=b", "1", "'quoted", 'a "b", c', "Zia; DROP", "♠"])
def test_a_text_that_is_no_formula_is_unchanged(text: str) -> None:
    (row,) = rows(run_action(staff_client("admin"), "export_csv", submission(data={"name": text})))
    assert row["name"] == text


@pytest.mark.parametrize("data", [[], "text", 5, None, {"name": None}, {"name": {"a": 1}}], ids=str)
def test_unexpected_data_does_not_stop_the_export(data: Any) -> None:
    if data is None:
        data = {"name": [None]}
    submission(data=data)
    assert len(rows(run_action(staff_client("admin"), "export_csv", *Submission.objects.all()))) == 1


def test_the_number_of_queries_does_not_grow_with_the_rows() -> None:
    def queries() -> int:
        with CaptureQueriesContext(connection) as captured:
            b"".join(csv_export.stream_csv(Submission.objects.all()))
        return len(captured)

    submission()
    one = queries()
    for _ in range(20):
        submission()
    assert queries() == one


def test_every_submission_is_exported_once_whatever_the_chunks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Some have the same time: the id then says which comes first."""
    monkeypatch.setattr(csv_export, "CHUNK_SIZE", 3)
    made = [submission() for _ in range(9)]
    Submission.objects.filter(pk__in=[one.pk for one in made[2:7]]).update(created_at=made[0].created_at)
    in_order = list(Submission.objects.order_by("-created_at", "id"))
    assert list(csv_export.iterate(Submission.objects.all())) == in_order
    assert list(csv_export.iterate(Submission.objects.filter(pk=made[0].pk))) == made[:1]


@pytest.mark.usefixtures("reference_data")
def test_staff_mark_a_submission_as_handled_once() -> None:
    one = submission()
    client = staff_client("support")
    assert run_action(client, "mark_handled", one).status_code == 302
    one.refresh_from_db()
    handled = one.handled_at
    assert (one.handled_by_id, handled is not None) == ("the-support", True)
    run_action(client, "mark_handled", one)
    one.refresh_from_db()
    assert one.handled_at == handled
