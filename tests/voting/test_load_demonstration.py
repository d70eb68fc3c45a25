from io import StringIO
from unittest.mock import Mock

import pytest
from django.core.management import call_command
from django.test import Client
from rest_framework.test import APIClient

from accounts.models import Account, AccountChange
from boards.analysis import PLAYS
from boards.models import Board
from deals.models import Deal, FeedEvent
from deals.solver.queues import Order
from pages.search.summary import QUESTIONS
from tests.boards.test_demonstration import THEMES
from voting.management.commands import load_demonstration
from voting.models import Vote

pytestmark = pytest.mark.django_db

TEACHING = "Bridge Boards demonstration"


@pytest.fixture(scope="module")
def first_run(rows_of_module: None) -> str:
    """Load the demonstration, and return what the command says."""
    call_command("load_reference_data", verbosity=0)
    said = StringIO()
    call_command("load_demonstration", stdout=said)
    return said.getvalue()


@pytest.fixture(autouse=True)
def _loaded(first_run: str, db: None) -> None: ...


def test_it_publishes_forty_boards_under_their_themes_and_an_evening(first_run: str) -> None:
    assert Board.objects.drafts().count() == 0
    assert first_run == "Demonstration: 56 boards created, 56 in all.\n"
    teaching = Board.objects.filter(event=TEACHING)
    shown = {board.board_number: theme.identifier for board in teaching for theme in board.themes.all()}
    assert shown == THEMES
    evening = Board.objects.filter(event="Friday pairs").order_by("board_number", "table")
    assert [(board.board_number, board.table) for board in evening] == [
        (number, table) for number in range(1, 9) for table in "12"
    ]
    newest = [(board.date, board.board_number, board.table) for board in Board.objects.newest_first()]
    tables = [("2026.11.20", number, table) for number in range(1, 9) for table in "12"]
    assert newest == tables + [("2026.01.01", number, "") for number in range(1, 41)]


def test_every_board_has_an_auction_a_contract_and_an_auction_system() -> None:
    boards = Board.objects.all()
    assert all(board.auction and board.contract for board in boards)
    assert {board.auction_system_id for board in boards} == {"sayc", "acol"}


def test_the_boards_have_votes_of_members_who_cannot_sign_in() -> None:
    counts = list(Board.objects.values_list("up_votes", "down_votes"))
    assert len(set(counts)) >= 8 and {(0, 0), (6, 0)} <= set(counts)
    assert Vote.objects.count() == sum(up + down for up, down in counts)
    members = Account.objects.filter(pk__in=Vote.objects.values("account_id"))
    states = [(member.is_active, member.role, member.has_usable_password()) for member in members]
    assert states == [(False, "member", False)] * 6
    assert not AccountChange.objects.exists()
    top = APIClient().get("/api/boards?sort=top&pageSize=1").json()["boards"][0]
    assert (top["boardNumber"], top["votes"]) == (12, {"up": 6, "down": 0})


def test_a_second_run_makes_nothing_new(capsys: pytest.CaptureFixture[str]) -> None:
    def stored() -> list[object]:
        boards = Board.objects.order_by("id").values_list("id", "published_at", "updated_at", "up_votes")
        votes = Vote.objects.order_by("id").values_list("id", "updated_at")
        events = FeedEvent.objects.order_by("id").values_list("id", "position")
        return [*boards, *votes, *events, *Account.objects.order_by("id").values_list("id", "updated_at")]

    before = stored()
    call_command("load_demonstration")
    assert capsys.readouterr().out == "Demonstration: 0 boards created, 56 in all.\n"
    assert stored() == before


def test_each_question_of_the_page_of_counts_has_an_answer() -> None:
    claim = PLAYS.claim(Order.NEWEST)
    assert claim
    PLAYS.store(claim, {job.id: {"trace": "7" + 52 * "8"} for job in claim.jobs})  # each of these leads cost a trick
    client = Client()
    for question in QUESTIONS:
        page = client.get(question.path).content.decode()
        assert "<rect" in page and f"<h2>{question.text}</h2>" in page, question.text


def test_a_run_that_fails_stores_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    for model in (Vote, Board, Deal):
        model.objects.all().delete()
    monkeypatch.setattr(load_demonstration, "refresh", Mock(side_effect=KeyError("a bug")))
    with pytest.raises(KeyError):
        call_command("load_demonstration")
    assert not Board.objects.exists() and not Deal.objects.exists()
