"""What meets at once: publishing, asking and deleting, and what members, staff, readers and an erasure do.

Nothing is lost, and nothing fails.
"""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from io import BytesIO
from itertools import cycle
from threading import Event
from typing import Any

import pytest
from django.db import connection, connections
from django.http import Http404
from django.test import Client
from rest_framework.test import APIClient

from accounts.models import Account
from accounts.personal_data.erasure import erase
from boards.collections import classes, services
from boards.collections.services import Texts
from boards.files.importing import import_boards
from boards.files.options import ImportOptions
from boards.models import Board, ClassAnswer, Collection, EventRanking, PracticeAnswer, PublicationReview
from boards.services import reviews
from boards.services.bulk import publish_drafts, unpublish_boards
from boards.services.reviews import ask_to_publish, delete_drafts, edit_board, withdraw
from config.api.errors import InvalidToken, ValidationFailed
from deals.models import Deal, FeedEvent
from deals.services import delete_unused_deals, register_deal
from tests import factories
from tests.boards.admin.pages import pbn
from tests.boards.catalogue.comparing import assert_readers_get_what_the_boards_say
from tests.boards.collections.stored import LIST, order, sent, store, url_of
from tests.boards.drafts import draft_of
from tests.boards.events.test_file_rankings import bring
from tests.conftest import token_of
from tests.meetings import at_once, during

pytestmark = pytest.mark.django_db(transaction=True)

KEY = "an-api-key-for-tests-0123456789abcdef"
BODY = {"boardNumber": 1, "contract": {"text": "1NT", "declarer": "N"}}
ROUNDS = PRESSES = 8

on_postgresql = pytest.mark.skipif(connection.vendor != "postgresql", reason="SQLite has one writer at a time.")


def uploaded(owner: Account, seed: int) -> Board:
    import_boards(BytesIO(pbn(factories.record(seed))), ImportOptions(owner_id=owner.pk, max_owned=10))
    return Board.objects.get(owner=owner)


def service() -> APIClient:
    return APIClient(headers={"x-api-key": KEY}, raise_request_exception=False)


def publish(deal: Deal) -> Any:
    return service().post(f"/api/deals/{deal.pk}/boards", BODY)


def delete_boards(deal: Deal) -> None:
    for board in Board.objects.filter(deal=deal):
        board.delete()


def statuses_beside(call: Callable[[], Any], disturb: Callable[[], Any]) -> set[int]:
    """Call again and again while another thread disturbs. Return the statuses of the answers."""
    done = Event()

    def go_on_disturbing() -> None:
        try:
            while not done.wait(0.002):  # without a pause SQLite gives nobody else its lock for seconds
                disturb()
        finally:
            connections.close_all()

    with ThreadPoolExecutor(1) as pool:
        disturbing = pool.submit(go_on_disturbing)
        try:
            return {call().status_code for _ in range(ROUNDS)}
        finally:
            done.set()
            disturbing.result()


def answer(board: Board, said: str, code: str | None = "") -> int:
    return Client().post(f"/practice/{board.pk}?step=0&code={code}", {"said": said}).status_code


def test_answers_of_readers_who_practise_at_once_are_counted_exactly_or_not_at_all_if_the_board_goes() -> None:
    board = factories.board(number=3, calls="1NT Pass Pass Pass")
    assert at_once(partial(answer, board, said) for said in ["1NT", "1C"] * 4) == [303] * 8
    assert dict(PracticeAnswer.objects.values_list("answer", "count")) == {"1NT": 4, "1C": 4}
    answers, stored = [partial(answer, board, "1NT")] * 4, Board.objects.get(pk=board.pk)
    statuses: list[Any] = at_once([*answers, stored.delete, *answers])
    assert {each for each in statuses if isinstance(each, int)} <= {303, 404}
    assert answer(board, "1NT") == 404 and not PracticeAnswer.objects.exists()


def test_a_class_of_twenty_four_that_answers_at_once_is_counted_exactly_and_not_at_all_once_it_is_deleted() -> None:
    board, teacher = factories.board(number=3, calls="1NT Pass Pass Pass"), factories.account()
    lesson = store(teacher, board, visibility="link")
    opened, other = (classes.open_class(owner=teacher, collection_id=lesson.pk) for _ in range(2))
    answers = [partial(answer, board, said, opened.code) for said in ["1NT", "1NT", "1C"] * 8]
    assert at_once(answers, threads=24) == [303] * 24
    rows = ClassAnswer.objects.values_list("lesson_class", "answer", "count")
    assert sorted(rows.all()) == sorted([(opened.pk, "1NT", 16), (opened.pk, "1C", 8)])
    delete = partial(classes.delete_class, opened)
    assert set(at_once([*answers[:4], delete, *answers[4:8]])) == {303, None}
    assert answer(board, "1C", other.code) == 303 and list(rows.all()) == [(other.pk, "1C", 1)]
    erasing: Any = partial(erase, account_id=teacher.pk, by=None)
    statuses: list[Any] = at_once([*[partial(answer, board, "1C", other.code)] * 4, erasing])
    erased = statuses.pop()
    assert statuses == [303] * 4 and erased["classes"] == 1 and not ClassAnswer.objects.exists()


@on_postgresql
def test_a_board_that_is_deleted_while_it_is_published_is_made_anew() -> None:
    deal = factories.deal()
    first = publish(deal).json()["id"]
    response = during(lambda: delete_boards(deal), lambda: publish(deal))
    assert response.status_code == 201
    assert response.json()["id"] != first
    assert_readers_get_what_the_boards_say()


def test_publishing_beside_deletions_never_crashes() -> None:
    deal = factories.deal()
    assert statuses_beside(lambda: publish(deal), lambda: delete_boards(deal)) <= {200, 201}
    assert_readers_get_what_the_boards_say()


def test_asking_for_double_dummy_of_a_deal_beside_its_deletion_never_crashes() -> None:
    deal = factories.deal(1)
    path = f"/api/deals/{deal.pk}/double-dummy"
    turns = cycle((lambda: Deal.objects.filter(pk=deal.pk).delete(), lambda: factories.deal(1, pk=deal.pk)))
    assert statuses_beside(lambda: service().post(path), lambda: next(turns)()) <= {202, 404}  # noqa: PLW0108


@on_postgresql
def test_asking_for_double_dummy_of_a_deal_that_is_being_deleted_is_not_found() -> None:
    deal = factories.deal()
    path = f"/api/deals/{deal.pk}/double-dummy"
    assert during(deal.delete, lambda: service().post(path)).status_code == 404


def test_a_draft_that_was_deleted_is_neither_published_nor_unpublished() -> None:
    """The admin's actions have read the boards before. Two of them at once publish a board once."""
    draft = factories.board(published=False)
    stale = Board.objects.get(pk=draft.pk)
    assert publish_drafts([draft.pk]) == [draft] and publish_drafts([stale.pk]) == []
    assert unpublish_boards([stale.pk]) == [stale]
    stale = Board.objects.get(pk=draft.pk)
    draft.delete()
    assert publish_drafts([stale.pk]) == unpublish_boards([stale.pk]) == []


@pytest.mark.parametrize("mode", ["open", "review"])
def test_many_presses_at_once_publish_or_ask_once(zia: Account, mode: str, settings: Any) -> None:
    settings.MEMBER_PUBLISHING = mode
    boards = [draft_of(zia).pk for _ in range(3)]
    turns = [boards, boards[::-1]] * (PRESSES // 2)
    changed = at_once(partial(ask_to_publish, zia, ids) for ids in turns)
    assert sorted(board.pk for each in changed for board in each) == sorted(boards)
    types = list(FeedEvent.objects.values_list("type", flat=True))
    assert types == ["board.published"] * 3 * (mode == "open")
    assert PublicationReview.objects.count() == 3 * (mode == "review")
    assert_readers_get_what_the_boards_say()


def test_publishing_and_taking_back_at_once_leaves_one_or_the_other(zia: Account, settings: Any) -> None:
    settings.MEMBER_PUBLISHING = "open"
    board = draft_of(zia)
    at_once([partial(each, zia, [board.pk]) for each in (ask_to_publish, withdraw)] * (PRESSES // 2))
    board.refresh_from_db()
    types = list(FeedEvent.objects.order_by("id").values_list("type", flat=True))
    assert types == ["board.published", "board.unpublished"] * (len(types) // 2) + ["board.published"] * bool(
        board.published_at
    )
    assert_readers_get_what_the_boards_say()


def accept(board: Board) -> Callable[[], Any]:
    """Return what staff do who look at the board now, and publish it as asked for."""
    asked_at = PublicationReview.objects.get(pk=board.pk).asked_at
    return partial(reviews.publish_seen, [board.pk], looked_at=asked_at, asked_only=True)


@pytest.fixture
def asked(zia: Account) -> Board:
    """Return a draft that waits for staff."""
    board = draft_of(zia)
    ask_to_publish(zia, [board.pk])
    return board


@on_postgresql
def test_staff_do_not_publish_what_its_owner_takes_back_meanwhile(zia: Account, asked: Board) -> None:
    assert during(partial(withdraw, zia, [asked.pk]), accept(asked)) == []
    assert not Board.objects.published().exists()
    ask_to_publish(zia, [asked.pk])
    assert during(accept(asked), partial(withdraw, zia, [asked.pk])) == [asked]
    assert not Board.objects.published().exists() and not PublicationReview.objects.exists()


@on_postgresql
def test_a_board_that_changes_while_staff_publish_it_waits_again(zia: Account, asked: Board) -> None:
    change = partial(edit_board, zia, asked.pk, {"title": "Other"})
    assert during(change, accept(asked)) == []
    assert not Board.objects.published().exists()
    during(accept(asked), partial(edit_board, zia, asked.pk, {"title": "Third"}))
    assert Board.objects.published().get().title == "Other"
    assert PublicationReview.objects.get().changes == {"title": "Third"}


@on_postgresql
def test_staff_do_not_accept_what_its_owner_changes_or_takes_back_meanwhile(zia: Account) -> None:
    board = factories.board(1, owner=zia)
    for act in (
        partial(edit_board, zia, board.pk, {"title": "Buy my book"}),
        partial(reviews.take_back_changes, zia, [board.pk]),
        partial(withdraw, zia, [board.pk]),
    ):
        edit_board(zia, board.pk, {"title": "Count"})
        looked_at = PublicationReview.objects.get().asked_at
        assert during(act, partial(reviews.accept_change, board.pk, looked_at=looked_at)) == []
    assert Board.objects.get().title == ""
    assert_readers_get_what_the_boards_say()


@on_postgresql
def test_a_file_does_not_change_what_staff_publish_meanwhile(zia: Account) -> None:
    board, theme = factories.board(1, owner=zia, published=False), factories.theme()
    ask_to_publish(zia, [board.pk])
    file = BytesIO(pbn(factories.record(1, commentary="Buy my book.")))
    options = ImportOptions(owner_id="zia", themes=[theme], keep_published=True)
    during(accept(board), partial(import_boards, file, options))
    board.refresh_from_db()
    assert board.published_at and (board.commentary, board.themes.count()) == ("", 0)


@on_postgresql
def test_two_files_at_once_bring_no_more_boards_than_their_owner_may_have(zia: Account) -> None:
    def bring() -> Any:
        return import_boards(BytesIO(pbn(factories.record())), ImportOptions(owner_id="zia", max_owned=1))

    assert isinstance(during(bring, bring), ValidationFailed)
    assert Board.objects.filter(owner=zia).count() == 1


@on_postgresql
@pytest.mark.parametrize("act", [ask_to_publish, withdraw, delete_drafts])
def test_an_erasure_waits_for_what_is_under_way_and_refuses_what_comes_later(
    zia: Account, asked: Board, act: Callable[..., Any]
) -> None:
    during(partial(act, zia, [asked.pk]), partial(erase, account_id="zia", by=None))
    assert not PublicationReview.objects.exists() and not Board.objects.filter(owner=zia).exists()
    yan = factories.account("yan")
    board = draft_of(yan)
    assert isinstance(during(partial(erase, account_id="yan", by=None), partial(act, yan, [board.pk])), InvalidToken)
    assert not PublicationReview.objects.exists()
    assert not Board.objects.filter(pk=board.pk).exists(), "a draft"


@on_postgresql
@pytest.mark.parametrize("bring", [uploaded, lambda yan, seed: register_deal(layout=factories.layout(seed))])
def test_what_is_brought_while_the_deal_is_deleted_has_a_deal(bring: Callable[[Account, int], Any]) -> None:
    zia, yan = factories.account("zia"), factories.account("yan")
    deal = uploaded(zia, 1).deal
    Board.objects.all().delete()
    brought = during(partial(delete_unused_deals, [deal.pk]), partial(bring, yan, 1))
    assert not isinstance(brought, Exception), brought
    assert Deal.objects.exclude(pk=deal.pk).count() == 1


@on_postgresql
def test_a_deal_stays_for_a_board_that_is_just_being_brought() -> None:
    zia, yan = factories.account("zia"), factories.account("yan")
    board = uploaded(zia, 1)
    brought: list[Board] = []
    during(lambda: brought.append(uploaded(yan, 1)), partial(delete_drafts, zia, [board.pk]))
    assert list(Board.objects.all()) == brought and Deal.objects.get() == brought[0].deal


@on_postgresql
def test_of_two_who_delete_their_boards_at_once_the_last_one_deletes_the_deal() -> None:
    people = [factories.account(name) for name in ("zia", "yan")]
    at_once([partial(delete_drafts, account, [uploaded(account, 1).pk]) for account in people])
    assert not Deal.objects.exists()


@on_postgresql
def test_a_ranking_that_comes_in_while_its_last_boards_are_withdrawn_goes_with_them() -> None:
    bring()
    ids, again = [*Board.objects.values_list("pk", flat=True)], partial(bring, "1 1 20 50", publish=False)
    during(again, partial(unpublish_boards, ids))
    assert not EventRanking.objects.exists()
    publish_drafts(ids)
    during(partial(unpublish_boards, ids), again)
    assert not EventRanking.objects.exists()
    publish_drafts(ids)
    again()
    assert EventRanking.objects.exists()
    at_once(partial(unpublish_boards, [pk]) for pk in ids)
    assert not EventRanking.objects.exists()


# --- Changes of one collection -------------------------------------------------------------------------------


@pytest.fixture
def anna(transactional_db: None) -> Account:
    return factories.account("anna")


@pytest.fixture
def boards(anna: Account) -> list[Board]:
    return [factories.board() for _ in range(8)]


def send(method: str, path: str, body: object = None, etag: str = "") -> int:
    """Send one request through the whole stack."""
    token = token_of(Account(pk="anna"))
    client = APIClient(headers={"authorization": f"Bearer {token}"} | ({"if-match": etag} if etag else {}))
    status: int = getattr(client, method)(path, body).status_code
    return status


def put(collection: Collection, board: Board, position: int) -> Callable[[], int]:
    return partial(send, "put", url_of(collection, board), {"position": position})


def test_boards_that_are_added_and_moved_at_once_are_all_there_in_one_order(anna: Account, boards: list[Board]) -> None:
    collection = store(anna, *boards[:3])
    puts = [put(collection, board, number % 5 + 1) for number, board in enumerate(boards)]
    assert at_once(puts) == [204] * 8
    assert {*order(collection)} == {board.pk for board in boards}
    assert list(collection.entries.values_list("position", flat=True)) == list(range(1, 9))
    deletes = [partial(send, "delete", url_of(collection, board)) for board in boards[:4]]
    assert at_once([*deletes, *(put(collection, board, 1) for board in boards[4:])]) == [204] * 8
    assert len(order(collection)) == 4


def test_of_reorderings_with_one_etag_at_once_one_is_stored(anna: Account, boards: list[Board]) -> None:
    collection = store(anna, *boards)
    etag = APIClient(headers={"authorization": f"Bearer {token_of(anna)}"}).get(url_of(collection))["ETag"]
    orders = [boards[turn:] + boards[:turn] for turn in range(1, 5)]
    bodies = [{"boards": sent(order)} for order in orders]
    statuses = at_once(partial(send, "patch", url_of(collection), body, etag) for body in bodies)
    assert sorted(statuses) == [200] + [412] * 3
    assert order(collection) == [board.pk for board in orders[statuses.index(200)]]


def test_the_limit_holds_at_once_and_a_repeated_request_makes_one(
    anna: Account, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(services, "MAX_COLLECTIONS", 3)
    assert sorted(at_once([partial(send, "post", LIST, {"title": "Same"})] * 6)) == [200] * 5 + [201]
    others = [partial(send, "post", LIST, {"title": f"Lesson {number}"}) for number in range(6)]
    assert sorted(at_once(others)) == [201] * 2 + [409] * 4
    assert Collection.objects.count() == 3


def test_boards_that_are_deleted_while_a_collection_is_reordered_are_gone(anna: Account, boards: list[Board]) -> None:
    collection, deleted, kept = store(anna, *boards), boards[:3], boards[3:6]
    moves = [put(collection, board, 1) for board in kept] * 2
    statuses: list[Any] = at_once([*moves, *(board.delete for board in deleted)])
    assert statuses[: len(moves)] == [204] * len(moves)
    assert {*order(collection)} == {board.pk for board in boards[3:]}


@on_postgresql
def test_a_board_that_is_being_deleted_is_not_added_and_one_beside_it_is_moved(
    anna: Account, boards: list[Board]
) -> None:
    """Either waits before it reads the places, so that it does not put the other board back."""
    one, two, three, other, *_ = boards
    collection = store(anna, one, two, three)
    put = partial(services.put_board, account=anna, collection_id=collection.pk)
    assert during(one.delete, partial(put, board_id=three.pk, position=1)) is None
    assert isinstance(during(other.delete, partial(put, board_id=other.pk)), Http404)
    assert order(collection) == [three.pk, two.pk]


@on_postgresql
def test_an_erasure_that_is_under_way_is_waited_for_and_nothing_is_stored_after_it(
    anna: Account, boards: list[Board]
) -> None:
    add = partial(services.put_board, account=anna, collection_id=store(anna).pk, board_id=boards[0].pk)
    assert isinstance(during(partial(erase, account_id="anna", by=None), add), services.InvalidToken)
    make = partial(services.create_collection, owner=factories.account("bob"), texts=Texts("B"))
    assert isinstance(during(make, partial(erase, account_id="bob", by=None)), dict)
    assert not Collection.objects.exists()
