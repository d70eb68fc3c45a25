"""An event gets another name at all its tables, and two events become one."""

from typing import Any
from uuid import UUID

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from accounts.models import Account
from boards.catalogue.refreshing import refresh
from boards.models import Board, Event, EventRanking, PublicationReview
from boards.services import bulk, evenings
from boards.services.evenings import Renaming, boards_of_event
from boards.services.reviews import ask_to_publish, edit_board
from tests import factories
from tests.boards.drafts import draft_of, states
from tests.boards.events.evenings import EVENING, SLUG, board, table
from tests.meetings import during

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("readers_get_what_the_boards_say")]

OTHER = {"event": "Friday teams", "date": "2026.11.20", "site": "The club"}
SPELT = {"event": "FRIDAY  pairs", "date": "2026.11.20", "site": "the club "}


def to(name: str = "Club night", date: str = "2026.11.27", site: str = "The club") -> Renaming:
    """Return the renaming of the evening to this."""
    return Renaming(Event.objects.get(pk=SLUG), {"name": name, "date": date, "site": site})


def ids(boards: Any) -> list[UUID]:
    return sorted(board.pk for board in boards)


def do(renaming: Renaming) -> list[Board]:
    return renaming.change(ids(renaming.boards))


def test_all_tables_of_all_accounts_get_the_name_drafts_too_and_no_others(
    zia: Account, client: Client, settings: Any
) -> None:
    settings.MEMBER_PUBLISHING = "review"
    ours = [table(1, 1, "1NT", "S", 7, votes=(2, 1)), table(1, 1, "1NT", "S", 8, owner=zia, **SPELT)]
    ours += [draft_of(zia, **EVENING), draft_of(factories.account(), **SPELT)]
    others = [factories.board(**{**EVENING, name: "2026"}) for name in EVENING] + [factories.board()]
    EventRanking.objects.create(event_id=SLUG, owner=zia, places=[])
    ask_to_publish(zia, [ours[2].pk])
    edit_board(zia, ours[1].pk, {"title": "Wanted"})
    before = PublicationReview.objects.order_by("pk").values()[:]
    reviews, updated = [*before], {board.pk: board.updated_at for board in Board.objects.all()}

    renaming = to()
    assert renaming.counts[:3] == (4, 2, 3) and not renaming.others and renaming.merged is None
    assert ids(do(renaming)) == ids(ours) == ids(boards_of_event(renaming.to))
    stored = Board.objects.in_bulk()
    assert ids(ours) == sorted(pk for pk, moment in updated.items() if stored[pk].updated_at > moment)
    assert stored[ours[0].pk].up_votes == 2
    assert set(Board.objects.filter(pk__in=ids(ours)).values_list("event", "date", "site")) == {
        ("Club night", "2026.11.27", "The club")
    }
    assert [*before.all()] == reviews and len(states()) == 2
    assert [ranking.event_id for ranking in EventRanking.objects.all()] == [renaming.to.slug]
    statuses = [client.get(f"/events/{slug}").status_code for slug in (renaming.to.slug, SLUG)]
    assert statuses == [200, 404]
    assert not {*ids(others)} & {*ids(boards_of_event(renaming.to))}
    assert not do(to()) and not to().counts.boards


def test_another_spelling_keeps_the_address(client: Client) -> None:
    for tricks, texts in ((7, EVENING), (8, SPELT)):
        table(1, 1, "1NT", "S", tricks, **texts)
    renaming = to("Friday Pairs", EVENING["date"], "The Club")
    assert renaming.keeps_address and renaming.counts.boards == 2 and not renaming.others
    do(renaming)
    assert str(Event.objects.get(pk=SLUG)) == "Friday Pairs, 20 November 2026, The Club"
    assert [row["name"] for row in client.get("/api/events").json()["events"]] == ["Friday Pairs"]


def test_of_two_events_it_is_said_how_many_deals_tables_copies_and_clashes_there_will_be(
    zia: Account, client: Client
) -> None:
    """Deal 1 has a copy of another account's, deal 2 twice the same of one account; number 3 has two deals."""
    first = {"pair_ns": "1", "pair_ew": "2"}
    table(1, 1, "1NT", "S", 7, **first), table(1, 1, "1NT", "S", 7, owner=zia, **first, **OTHER)
    table(1, 1, "1NT", "S", 8, owner=zia, pair_ns="3", pair_ew="4", **OTHER)
    table(2, 2, "1NT", "S", 7, **first), table(2, 2, "2NT", "S", 7, **first, **OTHER)
    table(3, 3, "1NT", "S", 7), table(4, 3, "1NT", "S", 7, **OTHER)
    table(5, 3, "1NT", "S", 7, owner=zia), table(5, 3, "1NT", "S", 7, stage="Final", **OTHER)
    table(6, 6, "1NT", "S", 7, owner=zia), draft_of(zia, seed=7, number=6, **OTHER)  # which no reader sees
    table(8, 8, "1NT", "S", 7, owner=zia), table(9, 8, "1NT", "S", 7, owner=zia, **OTHER)
    board(None, 8), board(None, 9, **OTHER)
    renaming = to("friday TEAMS", OTHER["date"])
    assert str(renaming.to) == "Friday teams, 20 November 2026, The club", "as it is spelt already"
    assert (renaming.counts.boards, renaming.counts_of_others.boards) == (7, 8)
    merged = renaming.merged
    assert merged
    assert (merged.copies, merged.twice, merged.clashes) == (1, 1, {"system": [3], zia.pk: [8]})
    do(renaming)
    shown = Event.objects.with_boards().get()
    assert (shown.pk, Board.objects.filter(event="Friday teams").count()) == (renaming.to.slug, 15)
    (listed,) = client.get("/api/events").json()["events"]
    assert (listed["deals"], listed["boards"]) == (merged.deals, 14)
    assert (merged.deals, merged.tables) == (11, 11), "two of the boards are deals that nobody has played"


def test_too_many_boards_are_made_one_without_being_compared(monkeypatch: pytest.MonkeyPatch) -> None:
    table(1, 1, "1NT", "S", 7), table(2, 2, "1NT", "S", 7, **OTHER)
    for most in (1, 2):
        monkeypatch.setattr(evenings, "MAX_COMPARED", most)
        assert (to("Friday teams", OTHER["date"]).merged is None) == (most == 1)


def test_a_board_that_has_left_meanwhile_keeps_its_new_event_and_what_was_shown_is_not_what_is() -> None:
    stays, leaves = (table(1, 1, "1NT", "S", tricks) for tricks in (7, 8))
    renaming = to()
    bulk.set_texts([leaves.pk], {"event": "Another evening"})
    assert ids(renaming.change([stays.pk, leaves.pk])) == [stays.pk]
    assert Board.objects.get(pk=leaves.pk).event == "Another evening"
    table(1, 1, "1NT", "S", 9)
    seen = to().seen
    assert seen == to().seen
    edit = Board.objects.filter(event="Friday pairs").get()
    bulk.set_texts([edit.pk], {"stage": "Final"})
    assert to().seen != seen


@pytest.mark.skipif(connection.vendor != "postgresql", reason="SQLite has one writer at a time.")
@pytest.mark.django_db(transaction=True)
def test_a_board_that_is_being_given_another_event_is_waited_for_and_keeps_it() -> None:
    pk, renaming = table(1, 1, "1NT", "S", 7).pk, to()
    changed = during(lambda: bulk.set_texts([pk], {"event": "Another evening"}), lambda: renaming.change([pk]))
    assert changed == [] and Board.objects.get().event == "Another evening"


def test_it_goes_on_where_it_was_broken_off_and_the_ranking_follows_the_last_board(
    zia: Account, monkeypatch: pytest.MonkeyPatch
) -> None:
    for tricks in range(5, 10):
        table(1, 1, "1NT", "S", tricks, owner=zia)
    EventRanking.objects.create(event_id=SLUG, owner=zia, places=[])
    monkeypatch.setattr(bulk, "CHUNK", 2)
    new = to().to.slug
    for done, event in ((2, SLUG), (4, SLUG), (5, new)):
        bulk.run(to().boards, to().change, seconds=0)
        assert boards_of_event(Event.objects.get(pk=new)).count() == done
        assert EventRanking.objects.get().event_id == event


def test_more_boards_and_more_events_take_no_more_statements() -> None:
    def statements() -> int:
        with CaptureQueriesContext(connection) as queries:
            assert to("Friday teams", OTHER["date"]).merged
        return len(queries)

    table(1, 1, "1NT", "S", 7), table(1, 1, "1NT", "S", 7, **OTHER)
    few = statements()
    for tricks in range(8, 12):
        table(1, 1, "1NT", "S", tricks, **SPELT), table(1, 1, "1NT", "S", tricks, **OTHER)
        factories.board(event=f"Evening {tricks}")
    assert statements() == few


def test_an_event_that_upper_case_writes_with_ss_is_another_one() -> None:
    """Its slug is, so its boards are: GROSSES is not Großes, though both fold to the same text."""
    eszett = {"event": "Großes Turnier", "date": "2026.11.20", "site": ""}
    kept = table(1, 1, "1NT", "S", 7, **eszett)
    other = table(2, 2, "1NT", "S", 7, **{**eszett, "event": "GROSSES TURNIER"})
    assert [ids(boards_of_event(event)) for event in Event.objects.order_by("-name")] == [[kept.pk], [other.pk]]


def test_a_deal_has_one_story_in_the_event_that_two_have_become() -> None:
    """That of the event that stays, and where it has none that which came."""
    moved = [table(number, number, "1NT", "S", 7) for number in (1, 2)]
    stayed = [table(number, number, "1NT", "S", 8, **OTHER) for number in (1, 2)]
    Board.objects.filter(pk=moved[0].pk).update(deal_title="The endplay", deal_commentary="Count.")
    Board.objects.filter(pk=moved[1].pk).update(deal_title="A squeeze")
    Board.objects.filter(pk=stayed[1].pk).update(deal_title="Vienna coup")
    refresh(ids(Board.objects.all()))
    do(to("Friday teams", "2026.11.20"))
    stories = Board.objects.order_by("board_number").values_list("board_number", "deal_title", "deal_commentary")
    assert [*stories] == [(1, "The endplay", "Count.")] * 2 + [(2, "Vienna coup", "")] * 2


def test_what_is_not_shown_is_not_said_to_be_shown_twice() -> None:
    """A draft in the other event, and deals that nobody has played."""
    table(1, 1, "1NT", "S", 7)
    bulk.unpublish_boards([table(1, 1, "1NT", "S", 7, **OTHER).pk])
    board(None, 8), board(None, 8, **OTHER)
    merged = to("Friday teams", "2026.11.20").merged
    assert merged and merged.twice == 0
