"""manage.py delete_theme."""

import io

import pytest
from django.core.management import CommandError, call_command
from rest_framework.test import APIClient

from boards.management.commands import delete_theme
from tests import factories
from tests.boards.catalogue.comparing import assert_readers_get_what_the_boards_say
from themes.models import Theme

pytestmark = pytest.mark.django_db


def run(*arguments: object) -> str:
    out = io.StringIO()
    call_command("delete_theme", *map(str, arguments), stdout=out)
    return out.getvalue()


def test_the_boards_stay_and_lose_the_theme_but_not_in_a_dry_run(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(delete_theme, "CHUNK", 2)
    theme, other = factories.theme("stayman"), factories.theme("transfers")
    boards = [factories.board(published=number > 0, themes=(theme, other)) for number in range(6)]
    assert run(theme.pk, "--dry-run") == "stayman would be deleted. 6 boards would lose it.\n"
    assert theme.boards.count() == 6
    assert run("stayman") == "stayman is deleted. 6 boards lost it.\n"
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
            run(name)
    assert Theme.objects.count() == 2
