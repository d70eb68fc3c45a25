"""The story of a deal: all its tables at an event that have one owner say the same, whoever writes it."""

from collections.abc import Callable
from functools import partial
from io import BytesIO
from typing import Any

import pytest
from django.db import connection
from django.http import Http404
from django.test import Client
from django.test.utils import CaptureQueriesContext
from rest_framework.test import APIClient

from accounts.models import Account
from boards.files.importing import import_boards
from boards.files.options import ImportOptions
from boards.models import Board, PublicationReview
from boards.services.boards import publish_board
from boards.services.reviews import accept_change, ask_to_publish, edit_board
from bridge.contract import Contract
from bridge.seats import Seat
from config.api.errors import PermissionRefused
from tests import factories
from tests.boards.admin.pages import pbn
from tests.boards.drafts import draft_of
from tests.boards.events.evenings import EVENING, SLUG, table
from tests.config.admin.opened_pages import open_page
from tests.meetings import at_once

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("readers_get_what_the_boards_say")]

STORY = {"deal_title": "Who keeps the heart?", "deal_commentary": "Look at the ten.\n\nAll tables did."}
WIRE = {"dealTitle": STORY["deal_title"], "dealCommentary": STORY["deal_commentary"]}
UNTOLD = {"deal_title": "", "deal_commentary": ""}


def tables(number: int = 3, seed: int = 1, **values: Any) -> list[Board]:
    return [table(seed, 11, "1NT", "S", tricks, **values) for tricks in range(6, 6 + number)]


def told() -> set[Any]:
    """Return the ids of the boards that have the whole story. None has a part of it."""
    found = set(Board.objects.filter(**STORY).values_list("pk", flat=True))
    assert not Board.objects.exclude(pk__in=found).exclude(**UNTOLD).exists()
    return found


def ids(boards: list[Board]) -> set[Any]:
    return {board.pk for board in boards}


def by_api(board: Board, service: APIClient) -> None:
    assert service.patch(f"/api/deals/{board.deal_id}/boards/{board.pk}", WIRE).status_code == 200


def by_staff(board: Board) -> None:
    boss = Client()
    boss.force_login(factories.account(role="admin"))
    page = f"/admin/boards/board/{board.pk}/change/"
    assert boss.post(page, {**open_page(boss, page), **STORY}).status_code == 302


def test_whoever_writes_it_all_tables_of_the_deal_have_it_and_no_other_board(
    zia: Account, service: APIClient, settings: Any
) -> None:
    settings.MEMBER_PUBLISHING = "open"
    ways: tuple[Callable[[Board], Any], ...] = (
        partial(by_api, service=service),
        by_staff,
        lambda board: edit_board(zia, board.pk, STORY),
    )
    for seed, write in enumerate(ways):
        ours = [*tables(seed=seed, owner=zia, votes=(2, 1)), draft_of(zia, seed=seed, number=11, **EVENING)]
        other = factories.account()
        tables(seed=seed, owner=other), tables(seed=seed, owner=zia, event="Another evening")
        factories.board(seed, owner=zia), factories.board(seed + 9, number=11, owner=zia, **EVENING)
        before, told_before = {board.pk: board.updated_at for board in ours}, told()
        address = f"/api/boards/{ours[0].pk}"
        etag = APIClient().get(address)["ETag"]
        write(ours[1])
        assert told() - told_before == ids(ours), write
        stored = Board.objects.in_bulk(before)
        assert all(stored[pk].updated_at > moment for pk, moment in before.items())
        assert {board.up_votes for board in stored.values()} == {2, 0}
        answer = APIClient().get(address)
        assert answer["ETag"] != etag and WIRE.items() <= answer.json().items()
        assert answer.json()["title"] == answer.json()["commentary"] == ""
        write(ours[0])
        assert Board.objects.in_bulk(before) == stored
        assert all(Board.objects.get(pk=pk).updated_at == stored[pk].updated_at for pk in before)


def test_a_board_of_no_event_has_a_story_of_its_own(service: APIClient) -> None:
    first, *_ = [factories.board(1, tricks=tricks, contract=Contract.parse("1NT", Seat("S"))) for tricks in (7, 8)]
    by_api(first, service)
    assert told() == {first.pk}


def test_a_story_changes_at_once_for_all_or_not_at_all_where_staff_publish(zia: Account, settings: Any) -> None:
    for seed, settings.MEMBER_PUBLISHING in enumerate(("off", "review")):
        *drafts, last = tables(seed=seed, owner=zia, published=False)
        before = told()
        if settings.MEMBER_PUBLISHING == "review":
            ask_to_publish(zia, [drafts[0].pk])
            asked_at = PublicationReview.objects.get().asked_at
        edit_board(zia, last.pk, STORY)
        assert told() - before == ids([*drafts, last])
        shown = table(seed, 11, "2NT", "S", 8, owner=zia)
        with pytest.raises(PermissionRefused):
            edit_board(zia, last.pk, {"deal_title": "Unseen by staff"})
        assert told() == before | ids([*drafts, last]) and shown.pk not in told()
        assert Board.objects.get(pk=shown.pk).published_at
        edit_board(zia, last.pk, {"title": "Of this table"})
    assert PublicationReview.objects.get().asked_at > asked_at
    with pytest.raises(Http404):
        edit_board(factories.account(), last.pk, STORY)


def test_where_staff_review_the_story_of_published_tables_waits_and_then_stands_at_all(
    zia: Account, settings: Any
) -> None:
    settings.MEMBER_PUBLISHING = "review"
    first, *others = tables(owner=zia)
    edit_board(zia, first.pk, STORY)
    review = PublicationReview.objects.get()
    assert told() == set() and review.changes == WIRE
    assert accept_change(first.pk, looked_at=review.asked_at) and told() == ids([first, *others])
    assert not PublicationReview.objects.exists() and Board.objects.filter(published_at=None).count() == 0


def test_a_file_of_an_evening_brings_the_story_once_for_each_deal_and_gives_it_back(zia: Account) -> None:
    def record(tricks: int, **values: Any) -> Any:
        played = {"contract": Contract.parse("1NT", Seat("S")), "tricks": tricks}
        return factories.record(1, number=11, **EVENING, **played, **values)

    def load(*records: Any) -> Any:
        return import_boards(BytesIO(pbn(*records)), ImportOptions(owner_id="zia", publish=True))

    load(record(6), record(7, **STORY, commentary="Of one table."), record(8))
    assert len(told()) == 3
    file = b"".join(APIClient().get(f"/api/boards.pbn?event={SLUG}").streaming_content)
    assert file.count(b'[DealTitle "Who keeps the heart?"]') == file.count(b'[DealCommentary ""]\r\n{Look at') == 3
    assert file.count(b"Of one table.") == 1
    again = import_boards(BytesIO(file), ImportOptions(owner_id="zia", publish=True))
    assert (again.boards, again.merged, again.corrected) == (0, [], [])
    load(record(9))
    publish_board(deal=Board.objects.all()[0].deal, record=record(10), owner_id="zia")
    assert len(told()) == Board.objects.count() == 5
    Board.objects.all().delete()
    import_boards(BytesIO(file), ImportOptions(owner_id="zia", publish=True))
    assert len(told()) == 3
    assert sorted(Board.objects.values_list("commentary", flat=True)) == ["", "", "Of one table."]


def test_a_program_that_publishes_a_table_with_a_story_gives_it_to_the_others(service: APIClient) -> None:
    (first,) = tables(1)
    played = {"contract": {"text": "1NT", "declarer": "S"}, "result": {"tricks": 9}, "boardNumber": 11}
    answer = service.post(f"/api/deals/{first.deal_id}/boards", {**EVENING, **WIRE, **played})
    assert answer.status_code == 201, answer.json()
    assert len(told()) == 2


def test_more_tables_take_no_more_queries(service: APIClient) -> None:
    counts = []
    for seed, number in enumerate((2, 6)):
        (first, *_), queries = tables(number, seed), CaptureQueriesContext(connection)
        with queries:
            by_api(first, service)
        counts.append(len(queries))
    assert counts[0] == counts[1] and len(told()) == 8


@pytest.mark.skipif(connection.vendor != "postgresql", reason="SQLite has one writer at a time.")
@pytest.mark.django_db(transaction=True)
def test_who_writes_at_many_tables_at_once_waits_and_meets_in_no_deadlock(
    zia: Account, service: APIClient, settings: Any, caplog: pytest.LogCaptureFixture
) -> None:
    settings.MEMBER_PUBLISHING = "open"
    ours = tables(8, owner=zia)
    writers: tuple[Callable[[Board], Any], ...] = (
        partial(by_api, service=service),
        by_staff,
        lambda board: edit_board(zia, board.pk, STORY),
    )
    at_once(partial(writers[number % 3], board) for number, board in enumerate(ours))
    assert told() == ids(ours)
    assert "run again" not in caplog.text
