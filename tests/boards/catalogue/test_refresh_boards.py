"""`manage.py refresh_boards` and `delete_theme`: what they find, what they change and what they leave alone."""

from collections.abc import Callable
from io import StringIO
from uuid import UUID

import pytest
from django.core.management import CommandError, call_command
from django.db.models import QuerySet
from rest_framework.test import APIClient

from boards.catalogue import refreshing
from boards.catalogue.stored_json import JSON_FORMAT
from boards.management.commands import delete_theme
from boards.models import Board, Event, EventDeal, EventRanking, PublishedBoard
from deals.models import FeedEvent
from tests import factories
from tests.boards.catalogue.comparing import assert_readers_get_what_the_boards_say
from themes.models import Theme

pytestmark = pytest.mark.django_db


def check() -> None:
    call_command("refresh_boards", check=True)


def row_of(board: Board) -> QuerySet[PublishedBoard]:
    return PublishedBoard.objects.filter(pk=board.pk)


SPOILERS: dict[str, Callable[[Board], object]] = {
    "another text": lambda board: row_of(board).update(json="{}"),
    "another deal of the event": lambda board: EventDeal.objects.filter(boards=board.pk).update(board_number=9),
    "no deal of an event": lambda board: row_of(board).update(event_deal=None),
    "no row": lambda board: row_of(board).delete(),
    "unpublished without the service": lambda board: Board.objects.filter(pk=board.pk).update(published_at=None),
}


def test_a_row_that_differs_is_found_by_check_and_mended_without(capsys: pytest.CaptureFixture[str]) -> None:
    board, _ = factories.board(event="Friday pairs"), factories.board(event="Another")
    check()
    for name, spoil in SPOILERS.items():
        spoil(board)
        before = list(PublishedBoard.objects.order_by("pk").values())
        with pytest.raises(CommandError):
            check()
        assert list(PublishedBoard.objects.order_by("pk").values()) == before, name
        capsys.readouterr()
        call_command("refresh_boards")
        assert "2 boards compared, 1 mended" in capsys.readouterr().out, name
        check()


def test_missing_makes_only_the_texts_that_cannot_be_used(capsys: pytest.CaptureFixture[str]) -> None:
    old, spoilt, forgotten, draft = (factories.board() for _ in range(4))
    row_of(old).update(json_format=JSON_FORMAT - 1)
    row_of(spoilt).update(json="{}")
    row_of(forgotten).delete()
    Board.objects.filter(pk=draft.pk).update(published_at=None)
    call_command("refresh_boards", missing=True)
    assert "3 boards compared, 3 mended" in capsys.readouterr().out
    assert row_of(spoilt).get().json == "{}"
    current = PublishedBoard.objects.filter(json_format=JSON_FORMAT)
    assert {row.pk for row in current} == {old.pk, spoilt.pk, forgotten.pk}


def test_rankings_that_the_version_before_leaves_behind_are_deleted(capsys: pytest.CaptureFixture[str]) -> None:
    zia = factories.account("zia")
    board, withdrawn = factories.board(event="Friday pairs"), factories.board(event="Another", owner=zia)
    factories.board(event="Another")
    for each in (board, withdrawn):
        EventRanking.objects.create(event_id=each.event_slug, owner_id=each.owner_id, places=[])
    row_of(board).update(json_format=JSON_FORMAT - 1, event_deal=None)
    assert refreshing.check_rankings(mend=True) == 0
    call_command("refresh_boards", missing=True)
    assert EventRanking.objects.count() == 2
    row_of(withdrawn).delete()
    Board.objects.filter(pk=withdrawn.pk).update(published_at=None)
    with pytest.raises(CommandError):
        check()
    assert "1 ranking of no published boards found." in capsys.readouterr().out
    call_command("refresh_boards", missing=True)
    assert "1 ranking of no published boards deleted." in capsys.readouterr().out
    assert EventRanking.objects.get().event_id == board.event_slug
    check()


def test_a_new_format_and_a_new_event_tell_the_feed_nothing() -> None:
    board = factories.board(event="Friday pairs")
    events = FeedEvent.objects.count()
    PublishedBoard.objects.update(json_format=JSON_FORMAT - 1, event_deal=None)
    Event.objects.all().delete()
    call_command("refresh_boards", missing=True)
    assert FeedEvent.objects.count() == events
    assert EventDeal.objects.get(boards=board.pk).event == Event.objects.get(pk=board.event_slug)
    check()


def test_votes_wait_for_a_chunk_of_boards_at_most(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each call of `refresh` is a transaction of these two commands, and locks its boards until the end."""
    theme = factories.theme()
    boards = {factories.board(themes=(theme,)).pk for _ in range(5)}
    PublishedBoard.objects.update(json_format=JSON_FORMAT - 1)
    for module, run in (
        (refreshing, lambda: call_command("refresh_boards", missing=True)),
        (delete_theme, lambda: call_command("delete_theme", str(theme.pk))),
    ):
        assert module.CHUNK <= 50
        locked: list[set[UUID]] = []
        monkeypatch.setattr(module, "CHUNK", 2)
        monkeypatch.setattr(module, "refresh", lambda ids, locked=locked: locked.append({*ids}))
        run()
        assert set().union(*locked) == boards
        assert max(map(len, locked)) <= 2


# --- delete_theme --------------------------------------------------------------------------------------------


def delete(*arguments: object) -> str:
    out = StringIO()
    call_command("delete_theme", *map(str, arguments), stdout=out)
    return out.getvalue()


def test_the_boards_stay_and_lose_the_theme_but_not_in_a_dry_run(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(delete_theme, "CHUNK", 2)
    theme, other = factories.theme("stayman"), factories.theme("transfers")
    boards = [factories.board(published=number > 0, themes=(theme, other)) for number in range(6)]
    assert delete(theme.pk, "--dry-run") == "stayman would be deleted. 6 boards would lose it.\n"
    assert theme.boards.count() == 6
    assert delete("stayman") == "stayman is deleted. 6 boards lost it.\n"
    assert list(Theme.objects.all()) == [other]
    assert [list(board.themes.all()) for board in boards] == [[other]] * 6
    found = APIClient().get("/api/boards?theme=transfers").json()
    assert found["pagination"]["totalCount"] == 5
    assert all([theme["identifier"] for theme in board["themes"]] == ["transfers"] for board in found["boards"])
    assert_readers_get_what_the_boards_say()


def test_a_theme_that_does_not_exist_or_is_ambiguous_is_refused() -> None:
    for theme_type in ("convention", "lesson"):
        factories.theme("transfer", type=theme_type)
    for name, reason in (("nothing", "No theme has"), ("transfer", "Several themes have")):
        with pytest.raises(CommandError, match=reason):
            delete(name)
    assert Theme.objects.count() == 2
