"""Classes: a teacher opens one, pupils answer with its code, and the teacher sees exact counts for thirty days."""

import json
from datetime import timedelta
from io import StringIO
from typing import Any

import pytest
from django.core.management import call_command
from django.test import Client
from django.utils import timezone

from accounts.models import Account
from accounts.personal_data.export import export
from boards.collections import classes
from boards.models import Board, ClassAnswer, Collection, LessonClass, PracticeAnswer
from tests import factories
from tests.accounts.conftest import erase
from tests.boards.collections.stored import store
from tests.members import signed_in
from tests.pages.documents import Document
from tests.pages.opening import open_page, queries_of, rows

pytestmark = pytest.mark.django_db

CALLS = "1NT Pass 2C Pass 2S Pass 4S Pass Pass Pass"


@pytest.fixture(scope="module")
def teacher(rows_of_module: None) -> Account:
    return factories.account("zia")


@pytest.fixture(scope="module")
def boards(rows_of_module: None) -> list[Board]:
    return [factories.board(seed, number=3, title=f"Title {seed}", calls=CALLS, student="S") for seed in (1, 2, 3)]


@pytest.fixture
def lesson(teacher: Account, boards: list[Board]) -> Collection:
    return store(teacher, *boards[:2], visibility="link")


@pytest.fixture
def opened(teacher: Account, lesson: Collection) -> LessonClass:
    return classes.open_class(owner=teacher, collection_id=lesson.pk)


def answer(board: Board, said: str, code: str | None, step: int = 0) -> Any:
    address = f"/practice/{board.pk}?step={step}&seat=south&code={code or ''}"
    return Client().post(address, {"said": said})


def counted() -> dict[str, int]:
    return dict(ClassAnswer.objects.values_list("answer", "count"))


def post(client: Client, path: str, **fields: str) -> str:
    response = client.post(path, fields)
    assert response.status_code == 303, response.content
    return response["Location"]


def test_a_class_answers_by_its_code_and_its_teacher_sees_how_often_each_answer_was_given(
    teacher: Account, lesson: Collection, boards: list[Board]
) -> None:
    desk = signed_in(teacher)
    path = post(desk, f"/account/collections/{lesson.pk}/classes")
    page = open_page(desk, path)
    code = LessonClass.objects.get().code
    assert code and page.all("input", id="share-class")[0][0]["value"] == f"http://testserver/class/{code}"
    assert "Nobody has answered yet." in page.html

    typed = [f"/class/{code}", f"/class?code={code}", f"/class?code={code[:4].lower()}+{code[4:].lower()}+"]
    for address, said in zip(typed, ("1NT", "1C", "1NT"), strict=True):
        pupil = Client()
        asked = pupil.get(address, follow=True)
        assert asked.redirect_chain[-1][0] == f"/practice/{boards[0].pk}?collection={lesson.pk}&code={code}"
        (form,) = [each for each, _ in Document(asked).all("form") if each.get("method") == "post"]
        reply = pupil.post(form["action"], {"said": said})["Location"]
        for _ in range(2):
            again = open_page(pupil, reply.partition("#")[0])
        assert f"code={code}" in again.html and not pupil.cookies
        end = open_page(pupil, f"{asked.redirect_chain[-1][0]}&step=end")
        following = pupil.get(end.links()["Next board of this collection"])
        assert following["Location"] == f"/practice/{boards[1].pk}?collection={lesson.pk}&code={code}"
    answer(boards[0], "2S", code, step=4)

    page = open_page(desk, path)
    assert [text.split(":")[0] for text in page.texts("h2")] == ["Board 1"]
    table = [[cell.replace("\ufe0e", "") for cell in row] for row in rows(page, "bars")]
    assert table == [
        ["South calls first. At the table: 1NTone no trump. 3 answers."], ["1NTone no trump ✓ at the table", "2", ""],
        ["1♣one club", "1", ""],
        ["South calls after 1NT Pass 2♣ Pass. At the table: 2♠two spades. 1 answer."],
        ["2♠two spades ✓ at the table", "1", ""],
    ]  # fmt: skip
    assert [found["width"] for found, _ in page.all("rect")] == ["100.0%", "50.0%", "100.0%"]
    assert sum(PracticeAnswer.objects.values_list("count", flat=True)) == 4


def test_only_valid_answers_to_published_boards_of_an_open_class_are_counted(
    teacher: Account, lesson: Collection, boards: list[Board], opened: LessonClass
) -> None:
    draft = factories.board(owner=teacher, published=False, calls=CALLS)
    lesson.entries.create(board=draft, position=9)
    for board, said, code in (
        *((boards[2], "1C", opened.code), (boards[0], "1C", "NOSUCHCD"), (boards[0], "1C", "")),
        (boards[0], "8C", opened.code),
    ):
        answer(board, said, code)
    signed_in(teacher).post(f"/practice/{draft.pk}?step=0&seat=south&code={opened.code}", {"said": "1C"})
    Collection.objects.update(visibility="private")
    assert answer(boards[0], "1C", opened.code).status_code == 303 and counted() == {}
    assert Client().get(f"/class/{opened.code}").status_code == 404
    Collection.objects.update(visibility="link")
    answer(boards[0], "1C", opened.code)
    desk, path, code = signed_in(teacher), f"/account/classes/{opened.pk}", opened.code
    assert post(desk, path, do="close") == path
    answer(boards[0], "1C", code)
    assert counted() == {"1C": 1} and Client().get(f"/class/{code}").status_code == 404
    assert "The class is closed" in open_page(desk, path).html
    assert post(desk, path, do="delete") == f"/account/collections/{lesson.pk}/classes"
    assert desk.get(path).status_code == 404 and counted() == {}


def test_a_class_is_its_teachers_alone(teacher: Account, opened: LessonClass) -> None:
    other, path = signed_in(factories.account()), f"/account/classes/{opened.pk}"
    assert other.get(path).status_code == 404 and other.post(path, {"do": "delete"}).status_code == 404
    assert other.post(f"/account/collections/{opened.collection_id}/classes").status_code == 404
    assert Client().get(path)["Location"] == f"/sign-in?next={path.replace('/', '%2F')}"
    assert LessonClass.objects.count() == 1


def test_codes_are_tried_within_limits_and_an_unknown_one_is_said_to_be(settings: Any, opened: LessonClass) -> None:
    settings.PRACTICE_RATE_PER_CLIENT = "2/h"
    client = Client()
    refused = client.get("/class", {"code": "<b>kmpr</b>"})
    assert refused.status_code == 404 and refused["Cache-Control"] == "private, no-store"
    assert "No open class has the code “<b>kmpr</b>”." in Document(refused).texts("p", id="code_error")[0]
    assert client.get(f"/class/{opened.code}").status_code == 302
    limited = client.get(f"/class/{opened.code}")
    assert limited.status_code == 429 and int(limited["Retry-After"]) > 0
    assert client.get("/class").status_code == 200
    assert client.get("/class", {"code": "x" * 21}).status_code == 400


def test_classes_and_their_answers_are_bounded(
    teacher: Account, lesson: Collection, boards: list[Board], monkeypatch: pytest.MonkeyPatch
) -> None:
    desk, path = signed_in(teacher), f"/account/collections/{lesson.pk}/classes"
    monkeypatch.setattr(classes, "MAX_CLASSES", 1)
    monkeypatch.setattr(classes, "MAX_ANSWERS", 2)
    post(desk, path)
    assert post(desk, path) == path and "You have 1 classes, the limit" in open_page(desk, path).html
    opened = LessonClass.objects.get()
    for said in ("1C", "1C", "1D", "1H"):
        answer(boards[0], said, opened.code)
    assert counted() == {"1C": 2, "1D": 1}
    private = store(teacher, boards[0])
    path = f"/account/collections/{private.pk}/classes"
    assert "This collection is private" in open_page(desk, path).html
    assert post(desk, path) == path and LessonClass.objects.count() == 1


def test_after_thirty_days_a_class_is_gone_whenever_it_is_pruned(
    teacher: Account, boards: list[Board], opened: LessonClass
) -> None:
    answer(boards[0], "1C", opened.code)
    fresh = classes.open_class(owner=teacher, collection_id=opened.collection_id)
    LessonClass.objects.filter(pk=opened.pk).update(created_at=timezone.now() - timedelta(days=30))
    answer(boards[0], "1C", opened.code)
    assert counted() == {"1C": 1} and Client().get(f"/class/{opened.code}").status_code == 404
    assert signed_in(teacher).get(f"/account/classes/{opened.pk}").status_code == 404
    output = StringIO()
    call_command("prune", stdout=output)
    assert "1 classes" in output.getvalue() and counted() == {}
    assert list(LessonClass.objects.all()) == [fresh]


def test_an_export_has_the_teachers_classes_and_an_erasure_deletes_them(
    teacher: Account, boards: list[Board], opened: LessonClass
) -> None:
    answer(boards[0], "1C", opened.code)
    exported = json.loads(b"".join(export(teacher)))
    assert [each["code"] for each in exported["classes"]] == [opened.code]
    assert [(each["answer"], each["count"]) for each in exported["classAnswers"]] == [("1C", 1)]
    assert erase()["classes"] == 1 and not LessonClass.objects.exists() and counted() == {}


def test_many_answers_take_as_many_queries_as_few_and_the_rare_ones_are_summed_up(
    teacher: Account, boards: list[Board], opened: LessonClass
) -> None:
    desk, path = signed_in(teacher), f"/account/classes/{opened.pk}"
    answer(boards[0], "1NT", opened.code)
    few = queries_of(desk, path)
    for board in boards:
        for said in ("1C", "1D", "1H", "1S", "1NT", "2C", "2D", "2H", "2S", "2NT"):
            answer(board, said, opened.code)
    assert queries_of(desk, path) == few
    table = rows(open_page(desk, path), "bars")
    assert [row[1] for row in table if row[0] == "Others"] == ["2", "2"]
    assert table[1][:2] == ["1NTone no trump ✓ at the table", "2"]
