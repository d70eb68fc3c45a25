"""The admin streams submissions as CSV, complete and safe to open in a spreadsheet."""

import csv
import io
import re
from typing import Any

import pytest

from forms import exporting
from forms.models import Submission
from tests.config.admin.conftest import run_action, staff_client, submission
from tests.undone import undone

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
    exported = {row["Id"]: row for row in rows(response)}
    assert exported.keys() == {str(first.pk), str(second.pk)}
    assert exported[str(first.pk)]["E-mail address"] == "ann@example.org"
    other = exported[str(second.pk)]
    assert (other["Subject"], other["Other fields"]) == ("Ünïcode ♠", '{"odd": [1]}')


def exported(**values: Any) -> dict[str, str]:
    """Return the row of a submission."""
    return rows(run_action(staff_client("admin"), "export_csv", submission(**values)))[0]


def before_formula(text: str) -> str:
    """Return the formula with an apostrophe after a tab or carriage return before it."""
    rest = text.lstrip("\t\r")
    return text.removesuffix(rest) + "'" * (rest != "text") + rest


def test_no_cell_is_a_formula() -> None:
    for text in (
        "=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", '=HYPERLINK("http://evil.example","x")', "=cmd|' /C calc'!A0",
        "＝1+1", " =1+1", "\u00a0=1", "\ttext",
    ):  # fmt: skip
        with undone():
            row = exported(data={"name": text, "message": f"two\n{text}", text: text}, request_id=text)
            escaped = "'" + (before_formula(text) if text[0] in "\t\r" else text)
            assert (row["Name"], row["Request id"]) == (escaped, escaped)
            assert not [cell for cell in row.values() if exporting.FORMULA.match(cell)]
            assert row["Message"] == f"two\n{before_formula(text)}"


def test_no_line_and_no_part_between_tabs_or_semicolons_of_a_cell_is_a_formula() -> None:
    breaks = ("\n", "\r\n", "\r", "\t", "\n\n", ";\n", ";", ";;", "\n;")
    for formula in ("=1+1", "+1", "-1", "@SUM(A1)", "＝1", " =1", "\u2028=1"):
        with undone():
            message = exported(data={"message": "".join(f"a{gap}{formula}" for gap in breaks)})["Message"]
            assert message == "".join(f"a{gap}'{formula}" for gap in breaks)
            assert not [part for part in re.split(r"[;\t\n\r]", message) if exporting.FORMULA.match(part)]


def test_a_text_that_is_no_formula_is_unchanged() -> None:
    breaks = "Dear all,\n\tthe result - as agreed - is a=b.\r\nRegards"
    for text in ("", "plain", "a=b", "1", "'quoted", 'a "b", c', "Zia; DROP", "♠", breaks):
        with undone():
            assert exported(data={"name": text})["Name"] == text


def test_headings_forms_and_choices_are_in_words_and_each_heading_stands_once() -> None:
    report = {"boardId": "b", "problem": "wrong_cards", "sendCopy": True}
    (row,) = rows(run_action(staff_client("admin"), "export_csv", submission("board-report", data=report)))
    text = b"".join(exporting.stream_csv(Submission.objects.none())).decode("utf-8-sig")
    header = next(csv.reader(io.StringIO(text)))
    assert not [each for each in header if re.search(r"_|[a-z][A-Z]", each)]
    assert len({*header}) == len(header) and {"Name", "Name (Join as an organisation)"} < {*header}
    shown = (row["Form"], row["What is wrong"], row["Board"], row["Send me a copy"])
    assert shown == ("Report a problem with a board", "The cards", "b", "Yes")


def test_unexpected_data_does_not_stop_the_export() -> None:
    unexpected: list[Any] = [[], "text", 5, {"name": [None]}, {"name": None}, {"name": {"a": 1}}]
    for data in unexpected:
        with undone():
            assert exported(data=data)["Form"] == "Write to us", data


def test_the_number_of_queries_does_not_grow_with_the_rows(django_assert_num_queries: Any) -> None:
    for rows_more in (1, 20):
        for _ in range(rows_more):
            submission()
        with django_assert_num_queries(1):
            b"".join(exporting.stream_csv(Submission.objects.all()))


def test_every_submission_is_exported_once_whatever_the_chunks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Some have the same time: the id then says which comes first."""
    monkeypatch.setattr(exporting, "CHUNK_SIZE", 3)
    made = [submission() for _ in range(9)]
    Submission.objects.filter(pk__in=[one.pk for one in made[2:7]]).update(created_at=made[0].created_at)
    in_order = list(Submission.objects.order_by("-created_at", "id"))
    assert list(exporting.iterate(Submission.objects.all())) == in_order
    assert list(exporting.iterate(Submission.objects.filter(pk=made[0].pk))) == made[:1]
