"""What members do with their own boards: publish, take back, change and delete them."""

from collections.abc import Callable, Iterator
from io import BytesIO
from typing import Any

import pytest
from django.core.checks import run_checks
from django.db import transaction
from django.http import Http404
from django.utils import timezone
from rest_framework.exceptions import ValidationError

from accounts.models import Account
from accounts.personal_data.erasure import erase
from boards.files.importing import import_boards
from boards.files.options import ImportOptions
from boards.models import Board, PublicationReview
from boards.services import bulk, reviews
from boards.services.boards import change_board, publish_board
from boards.services.reviews import ask_to_publish, delete_drafts, edit_board, withdraw
from bridge.board import BoardRecord
from bridge.contract import Contract
from bridge.seats import Seat
from bridge.vulnerability import Vulnerability
from config.api.errors import InvalidToken, PermissionRefused, ValidationFailed
from config.api.serializers import wire_name
from deals.models import Deal, FeedEvent
from deals.serializers import DealPatchSerializer
from deals.services import register_deal, request_double_dummy
from tests import factories
from tests.boards.admin.pages import pbn
from tests.boards.drafts import decline, draft_of, states
from tests.boards.test_races import uploaded
from voting.models import Vote
from voting.services import cast_vote

pytestmark = pytest.mark.django_db

MODES = ("off", "review", "open")


@pytest.fixture(autouse=True)
def _what_waits_is_a_change_or_a_draft(readers_get_what_the_boards_say: None) -> Iterator[None]:
    yield
    of_published = {"changes__isnull": False, "board__published_at__isnull": False}
    of_drafts = {"changes": None, "board__published_at": None}
    assert not PublicationReview.objects.exclude(**of_published).exclude(**of_drafts).exists()


def published() -> set[Any]:
    return set(Board.objects.published().values_list("pk", flat=True))


def event_types() -> list[str]:
    return list(FeedEvent.objects.order_by("id").values_list("type", flat=True))


def test_asking_does_what_the_operator_allows(zia: Account, settings: Any) -> None:
    boards = {mode: draft_of(zia) for mode in MODES}
    for settings.MEMBER_PUBLISHING, board in boards.items():
        if settings.MEMBER_PUBLISHING == "off":
            with pytest.raises(PermissionRefused):
                ask_to_publish(zia, [board.pk])
        else:
            assert [ask_to_publish(zia, [board.pk]) for _ in range(2)] == [[board], []]
    assert (published(), states()) == ({boards["open"].pk}, {boards["review"].pk: "waiting"})
    assert event_types() == ["board.published"]


def test_boards_of_others_are_passed_over_whatever_a_member_does(zia: Account, settings: Any) -> None:
    other = factories.account()
    theirs, shown = draft_of(other), factories.board(owner=other)
    PublicationReview.objects.create(board=theirs)
    ids = [theirs.pk, shown.pk]
    for settings.MEMBER_PUBLISHING in MODES:
        if settings.MEMBER_PUBLISHING != "off":
            assert ask_to_publish(zia, ids) == []
        assert withdraw(zia, ids) == delete_drafts(zia, ids) == []
        with pytest.raises(Http404):
            edit_board(zia, shown.pk, {"title": "Mine"})
    assert (published(), states()) == ({shown.pk}, {theirs.pk: "waiting"})
    assert not Board.objects.filter(title="Mine").exists()


def test_an_account_that_is_switched_off_does_nothing(zia: Account, settings: Any) -> None:
    settings.MEMBER_PUBLISHING = "open"
    board, shown = draft_of(zia), factories.board(owner=zia)
    Account.objects.filter(pk="zia").update(is_active=False)
    for act in (ask_to_publish, withdraw, delete_drafts):
        with pytest.raises(InvalidToken):
            act(zia, [board.pk, shown.pk])
    with pytest.raises(InvalidToken):
        edit_board(zia, board.pk, {"title": "Mine"})
    assert (published(), Board.objects.count()) == ({shown.pk}, 2)


def test_whoever_publishes_a_board_ends_its_waiting(zia: Account) -> None:
    record, file = factories.record(7), pbn(factories.record(7))
    ways: tuple[Callable[[Board], Any], ...] = (
        lambda board: bulk.publish_drafts([board.pk]),
        lambda board: publish_board(deal=board.deal, record=record, owner_id="zia"),
        lambda board: import_boards(BytesIO(file), ImportOptions(owner_id="zia", publish=True)),
        lambda board: change_board(board=board, record=record, owner_id="zia", auction_system=None, published=True),
    )
    board, other = draft_of(zia, seed=7), draft_of(zia)
    for number, publish in enumerate(ways):
        ask_to_publish(zia, [board.pk, other.pk])
        publish(Board.objects.get(pk=board.pk))
        assert (published(), states()) == ({board.pk}, {other.pk: "waiting"}), number
        withdraw(zia, [board.pk])


def test_what_is_taken_back_is_a_draft_that_waits_for_nobody(zia: Account, settings: Any) -> None:
    shown, asked, refused = factories.board(owner=zia), draft_of(zia), draft_of(zia)
    PublicationReview.objects.create(board=refused)
    decline(refused)
    ids = [shown.pk, asked.pk, refused.pk]
    for settings.MEMBER_PUBLISHING in MODES:
        bulk.publish_drafts([shown.pk])
        PublicationReview.objects.create(board=asked)
        assert set(withdraw(zia, ids)) == {shown, asked}
        assert withdraw(zia, ids) == []
        assert (published(), states()) == (set(), {refused.pk: "declined"})
    shown.refresh_from_db()
    assert shown.first_published_at is not None


def test_only_drafts_are_deleted_and_their_votes_with_them(zia: Account) -> None:
    board, shown = factories.board(owner=zia), factories.board(owner=zia)
    cast_vote(account=factories.account(), board_id=board.pk, value=Vote.Value.UP)
    withdraw(zia, [board.pk])
    ask_to_publish(zia, [board.pk])
    assert delete_drafts(zia, [board.pk, shown.pk]) == [board]
    assert list(Board.objects.all()) == [shown]
    assert not Vote.objects.exists() and states() == {}


def test_a_declined_board_waits_anew_when_it_is_asked_for_again(zia: Account) -> None:
    def answer() -> tuple[Any, ...]:
        return PublicationReview.objects.values_list("state", "sentence", "answered_by_id").get()

    board = draft_of(zia)
    ask_to_publish(zia, [board.pk])
    assert (decline(board), decline(board, sentence="Again")) == ([board], [])
    assert answer() == ("declined", "Whose deal is this?", "support")
    assert ask_to_publish(zia, [board.pk]) == [board]
    assert answer() == ("waiting", "", "") and PublicationReview.objects.get().answered_at is None


def test_staff_publish_only_what_they_have_seen_and_its_owner_still_asks_for(zia: Account) -> None:
    board, plain = draft_of(zia), draft_of(zia)
    ask_to_publish(zia, [board.pk])
    asked_at = PublicationReview.objects.get().asked_at
    edit_board(zia, board.pk, {"title": "Something else"})
    for asked_only in (True, False):
        assert reviews.publish_seen([board.pk], looked_at=asked_at, asked_only=asked_only) == []
    renewed = PublicationReview.objects.get().asked_at
    assert renewed > asked_at
    ids = [board.pk, plain.pk]
    assert reviews.publish_seen(ids, looked_at=renewed, asked_only=True) == [board]
    assert reviews.publish_seen(ids, looked_at=asked_at) == [plain]
    withdraw(zia, ids)
    ask_to_publish(zia, ids)
    withdraw(zia, ids)
    assert reviews.publish_seen(ids, looked_at=timezone.now(), asked_only=True) == []


def change(account: Account, board: Board, **values: Any) -> Board:
    """Change a board whose owner sees it as it is now."""
    return edit_board(account, board.pk, values)


def test_the_change_of_a_published_board_waits_where_boards_are_reviewed(zia: Account, settings: Any) -> None:
    boards = {mode: factories.board(owner=zia) for mode in MODES}
    for settings.MEMBER_PUBLISHING, board in boards.items():
        assert change(zia, draft_of(zia), title="A draft", difficulty="expert").title == "A draft"
        if settings.MEMBER_PUBLISHING == "off":
            with pytest.raises(PermissionRefused):
                change(zia, board, title="Other")
        else:
            change(zia, board, title="Other")
    titles = {board.pk: board.title for board in Board.objects.published()}
    assert titles == {boards["off"].pk: "", boards["review"].pk: "", boards["open"].pk: "Other"}
    assert states() == {boards["review"].pk: "waiting"}
    assert event_types()[len(MODES) :] == ["board.changed"]


def test_saving_what_a_form_shows_changes_nothing(zia: Account, settings: Any) -> None:
    """A form shows neither tabs nor spaces at the ends of lines, and programs may have stored both."""
    factories.theme("stayman")
    board = factories.board(owner=zia, title="A  title", commentary="One  \nTwo\tand\n")
    before = Board.objects.values().get()
    values = {"title": " A  title ", "commentary": "One\r\nTwo and\r\n", "difficulty": "", "auction_system": ""}
    for settings.MEMBER_PUBLISHING in MODES:
        change(zia, board, **values, themes=[])
        assert Board.objects.values().get() == before, settings.MEMBER_PUBLISHING
    assert (len(event_types()), states()) == (1, {})


def test_a_wrong_value_is_refused_by_the_rules_of_the_api_unless_a_file_has_brought_it(zia: Account) -> None:
    board = factories.board(owner=zia)
    for name, value in (
        *(("title", "x" * 201), ("commentary", "x" * 20_001), ("difficulty", "impossible")),
        *(("themes", ["nothing"]), ("auction_system", "nothing"), ("title", "a\x00b")),
    ):
        with pytest.raises((ValidationError, ValidationFailed)) as refused:
            change(zia, board, **{name: value})
        assert wire_name(name) in str(getattr(refused.value, "detail", refused.value))
    assert published() == {board.pk}
    imported = draft_of(zia, commentary="x" * 25_000)
    assert change(zia, imported, title="Long", commentary="x" * 25_000).title == "Long"


def import_for(owner: str, *records: BoardRecord, **options: Any) -> Any:
    return import_boards(BytesIO(pbn(*records)), ImportOptions(owner_id=owner, **options))


def test_a_file_changes_no_board_of_its_owner_that_staff_have_reviewed(zia: Account) -> None:
    theme = factories.theme()
    shown, waiting, draft = factories.board(1, owner=zia), draft_of(zia, seed=2), draft_of(zia, seed=3)
    ask_to_publish(zia, [waiting.pk])
    asked_at = PublicationReview.objects.get().asked_at
    records = [factories.record(seed, commentary="Buy my book.") for seed in (1, 2, 3)]
    report = import_for("zia", *records, themes=[theme], keep_published=True)
    assert (report.boards, len(report.board_ids)) == (0, 3)
    texts = dict(Board.objects.values_list("pk", "commentary"))
    assert texts == {shown.pk: "", waiting.pk: "Buy my book.", draft.pk: "Buy my book."}
    assert set(theme.boards.all()) == {waiting, draft}
    assert PublicationReview.objects.get().asked_at > asked_at
    import_for("zia", *records)
    shown.refresh_from_db()
    assert shown.commentary == "Buy my book."
    evening = {"event": "Friday pairs", "date": "2026.11.20", "pair_ns": "3", "contract": Contract.parse("Pass", None)}
    factories.board(4, owner=zia, **evening)
    adjusted = factories.record(4, **evening | {"contract": None, "adjustment": "A60-40"})
    report = import_for("zia", adjusted, keep_published=True)
    assert (report.left_alone, report.boards, report.corrected) == (1, 0, [])
    assert len(import_for("zia", adjusted).corrected) == 1


def test_a_file_brings_no_more_boards_than_its_owner_may_have(zia: Account) -> None:
    records = [factories.record(number=number) for number in (1, 2, 3)]
    with pytest.raises(ValidationFailed) as refused:
        import_for("zia", *records, max_owned=2)
    assert "You may have 2 boards" in str(refused.value)
    assert not Board.objects.exists()
    import_for("zia", *records, max_owned=3)
    import_for("zia", *records, max_owned=0)
    assert Board.objects.filter(owner="zia").count() == 3


def test_what_was_asked_goes_with_a_person_who_is_erased_or_gives_the_board_away(zia: Account) -> None:
    gone, given = draft_of(zia), draft_of(zia, seed=4)
    ask_to_publish(zia, [gone.pk, given.pk])
    decline(given)
    other = factories.account("other").pk
    with transaction.atomic():
        change_board(board=given, record=factories.record(4), owner_id=other, auction_system=None)
    assert states() == {gone.pk: "waiting"}
    erase(account_id="zia", by=None)
    assert states() == {}
    assert [board.owner_id for board in Board.objects.all()] == ["other"]


def test_the_deal_of_an_uploaded_board_goes_with_its_last_board(zia: Account) -> None:
    yan = factories.account("yan")
    of_zia, of_yan = uploaded(zia, 1), uploaded(yan, 1)
    assert of_zia.deal == of_yan.deal
    delete_drafts(zia, [of_zia.pk])
    assert Deal.objects.exists()
    delete_drafts(yan, [of_yan.pk])
    assert not Deal.objects.exists()


def give_a_source(deal: Deal) -> None:
    serializer = DealPatchSerializer(deal, data={"source": {"name": "The club's dealer"}})
    serializer.is_valid(raise_exception=True)
    serializer.save()


def import_and_delete(deal: Deal) -> None:
    import_boards(BytesIO(pbn(BoardRecord(deal.layout, Seat.NORTH, Vulnerability.NONE, board_number=1))))
    Board.objects.filter(owner="system").delete()


ACTS: tuple[Callable[[Deal], Any], ...] = (
    *(give_a_source, import_and_delete),
    *(lambda deal: register_deal(layout=deal.layout), lambda deal: request_double_dummy(deal=deal)),
)


def test_a_deal_that_a_program_has_brought_or_asked_for_before_or_after_the_upload_stays(zia: Account) -> None:
    """Its id is known to the program."""
    for number, act in enumerate(ACTS):
        board = uploaded(zia, number)
        act(board.deal)
        delete_drafts(zia, [board.pk])
        assert Deal.objects.filter(pk=board.deal_id).exists(), number
    deal, _ = register_deal(layout=factories.layout(9))
    delete_drafts(zia, [uploaded(zia, 9).pk])
    assert Deal.objects.filter(pk=deal.pk).exists()


def test_a_wrong_setting_stops_the_start(settings: Any) -> None:
    wrong = (("MEMBER_PUBLISHING", "Open", "E001"), ("MEMBER_PUBLISHING", "", "E001"), ("MEMBER_BOARDS", -1, "E002"))
    for name, value, code in wrong:
        setattr(settings, name, value)
        (error,) = [each for each in run_checks() if each.id == f"boards.{code}"]
        assert name in error.msg, value
