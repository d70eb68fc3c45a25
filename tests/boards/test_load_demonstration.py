import pytest
from django.core.management import call_command

from boards.models import Board
from tests.boards.test_demonstration import THEMES

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("reference_data")]


def test_it_publishes_at_least_36_boards_under_their_themes(capsys: pytest.CaptureFixture[str]) -> None:
    call_command("load_demonstration")
    boards = Board.objects.published()
    assert boards.count() >= 36
    assert (
        capsys.readouterr().out
        == f"Demonstration: {boards.count()} boards created, {boards.count()} in all.\n"
    )
    shown = {board.board_number: theme.identifier for board in boards for theme in board.themes.all()}
    assert shown == THEMES


def test_every_board_has_an_auction_a_contract_and_an_auction_system() -> None:
    call_command("load_demonstration")
    for board in Board.objects.all():
        assert board.auction and board.contract and board.auction_system_id == "sayc"


def test_a_second_run_makes_nothing_new(capsys: pytest.CaptureFixture[str]) -> None:
    call_command("load_demonstration")
    before = list(Board.objects.order_by("id").values_list("id", "published_at"))
    capsys.readouterr()
    call_command("load_demonstration")
    assert capsys.readouterr().out == f"Demonstration: 0 boards created, {len(before)} in all.\n"
    assert list(Board.objects.order_by("id").values_list("id", "published_at")) == before
