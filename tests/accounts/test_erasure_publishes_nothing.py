"""An erasure changes no public answer but the owner's id: nobody's tables, titles, rankings, spelling or drafts."""

import re
from collections.abc import Iterator
from typing import Any

import pytest
from django.test import Client, TestCase
from django.utils import timezone
from rest_framework.test import APIClient

from accounts.identifiers import SYSTEM
from accounts.models import Account
from accounts.personal_data.successors import NO_MOMENT
from boards.models import Board, BoardOfTheDay, EventRanking, PublicationReview
from deals.models import Deal
from tests import factories
from tests.accounts.conftest import erase, who
from tests.answers import assert_error
from tests.boards.drafts import draft_of
from tests.boards.events.evenings import EVENING, SLUG, table
from tests.boards.events.test_file_rankings import PLACES, bring, ranks
from tests.conftest import token_of
from tests.pages.evenings.test_our_evening import RANKING
from tests.pages.opening import open_page
from tests.routes import routes
from tests.undone import undone
from themes.models import Theme

pytestmark = pytest.mark.django_db

READ = re.compile(r"/(?:api/(?:boards|events|themes)|boards|events|practice|themes|today|sitemap)?(?:[/.].*)?\Z")
"""The routes of what anybody reads of boards. A picture shows what its drawing does."""

LISTS = (
    *("/boards?q=swing%3E0", "/boards?q=imps%3E0", "/boards?sort=top", f"/boards?event={SLUG}"),
    *(f"/api/boards?event={SLUG}", f"/api/boards.pbn?event={SLUG}", f"/api/boards/summary?event={SLUG}&by=contract"),
    *(f"/events/{SLUG}?pair=1", f"/events/{SLUG}/our?pair=1&side=NS", f"/events/{SLUG}/ranking?stage=Final"),
    f"/events/{SLUG}/match?home=Lions&visit=Bears&stage=Final",
)
CHANGES_ANYWAY = re.compile(rb'"updatedAt":"[^"]*"|<updated>[^<]*|<lastmod>[^<]*|erased-[0-9a-f]{32}|\bplayer-\w+')
"""The moment of the erasure, by which followers find what has changed, and the ids of owners."""


def addresses() -> Iterator[str]:
    """Yield the addresses of all that anybody reads about boards and events, and of a board of each kind and owner."""
    shown = Board.objects.published().exclude(board_number=2).exclude(pair_ns="3").exclude(room="Closed")
    boards = sorted(map(str, shown.values_list("pk", flat=True)))
    for route in routes():
        path = route.path
        if "GET" not in route.methods or not READ.match(path) or path.endswith(("pk>.png", "how-to-search")):
            continue
        if "<any_uuid:pk>" in path and ("/boards/" in path or "/practice/" in path):
            yield from (path.replace("<any_uuid:pk>", pk) for pk in boards)
        elif "<slug:slug>" in path or "<" not in path:
            yield path.replace("<slug:slug>", SLUG)
    yield from (f"/oembed?url=http://testserver/boards/{pk}" for pk in boards[:1])
    yield from LISTS


def read_all() -> dict[str, bytes]:
    """Return all that anybody reads, without what an erasure changes anyway."""
    client, found = Client(), {}
    for path in addresses():
        answer = client.get(path)
        content = b"".join(answer.streaming_content) if answer.streaming else answer.content
        if answer.status_code == 200:
            found[path] = CHANGES_ANYWAY.sub(b"*", content)
    return found


def bring_all(owner: Account | None, first: int, event: str = "Friday pairs") -> None:
    """Publish an evening of pairs and a match, some of it with other results than another account has."""
    texts = {"owner": owner, "event": event, "deal_title": f"Won with {first}"}
    for seed, tricks in ((1, first), (2, 9)):
        for pair in ("1", "3"):
            table(seed, seed, "4S", "S", tricks, pair_ns=pair, pair_ew=f"{int(pair) + 1}", scoring="MP", **texts)
    for room, tricks in (("Open", first), ("Closed", 9)):
        teams = {"home_team": "Lions", "visit_team": "Bears", "stage": "Final"}
        table(3, 3, "3NT", "N", tricks, room=room, **teams, **texts)
    factories.board(9, calls="1NT Pass 3NT Pass Pass Pass", tricks=first, **{**EVENING, **texts, "number": 4})


def test_of_an_evening_that_two_accounts_hold_an_erasure_changes_the_owners_id_alone(
    subtests: pytest.Subtests,
) -> None:
    one, other = (factories.account(name) for name in ("player-one", "player-two"))
    factories.theme("hers", owner=one)
    orders: tuple[tuple[list[Account | None], list[list[Account]]], ...] = (
        ([None, one], [[one]]), ([one, None], [[one]]), ([one, other], [[one], [one, other]]),
    )  # fmt: skip
    for owners, erasures in orders:
        with undone():
            for owner, tricks, event in zip(owners, (10, 8), ("Friday pairs", "FRIDAY pairs"), strict=True):
                bring_all(owner, tricks, event)
            draft = draft_of(one, seed=1, **EVENING, number=1, title="Seen by nobody", pair_ns="9")
            PublicationReview.objects.create(board=draft)
            today = Board.objects.get(owner=owners[0] or SYSTEM, board_number=4)
            BoardOfTheDay.objects.create(day=timezone.now().date(), board=today)
            before = read_all()
            assert before.keys() >= {*LISTS} and len(before) > 90
            for erased in erasures:
                with subtests.test(f"{owners}, {erased}"), undone():
                    for account in erased:
                        erase(account.pk)
                    after = read_all()
                    assert [path for path in before if before[path] != after.get(path)] == []
                    assert after.keys() == before.keys()
                    assert not any(b"Seen by nobody" in content for content in after.values())


# --- What an erased person's boards did to the club's when they became the service's own ------------------------


def drafts_of(zia: Account, **texts: Any) -> None:
    bring(*PLACES, owner=zia.pk, publish=False, deal_title="Of a stranger", **texts)


def test_a_ranking_of_drafts_is_not_shown_as_the_clubs(zia: Account, client: Client) -> None:
    drafts_of(zia)
    bring()
    erase()
    assert open_page(client, RANKING).texts("h2") == ["Matchpoints"]
    assert ranks(client) == [] and not EventRanking.objects.exists()


def test_the_clubs_next_file_takes_no_title_and_publishes_no_draft_of_an_erased_person(zia: Account) -> None:
    drafts_of(zia)
    strangers = {*Board.objects.values_list("pk", flat=True)}
    erase()
    bring(tables=("1 2 10", "5 6 7"))
    boards = Board.objects.all()
    assert {(board.owner_id, board.deal_title) for board in boards} == {(SYSTEM, "")}
    assert len(boards) == 2 and strangers.isdisjoint(board.pk for board in boards)


def test_a_published_copy_of_an_erased_player_leaves_the_club_its_ranking_and_its_corrections(
    zia: Account, client: Client
) -> None:
    bring(*PLACES)
    bring(owner=zia.pk, tables=("1 2 8", "3 4 9"))
    before = client.get(f"/api{RANKING}").json()
    erase()
    assert client.get(f"/api{RANKING}").json() == before and before["rankings"]
    bring(tables=("1 2 11", "3 4 9"))
    assert sorted(Board.objects.filter(owner=SYSTEM).values_list("pair_ns", "tricks")) == [("1", 11), ("3", 9)]


# --- The account that what is left passes to -----------------------------------------------------------------------


def test_each_erased_person_leaves_an_account_of_their_own_that_nobody_is(
    admin: APIClient, member: APIClient, subtests: pytest.Subtests
) -> None:
    one, other = (factories.account(name, display_name="A name") for name in ("one", "other"))
    known = factories.board(1)
    for account in (one, other):
        factories.theme(account.pk, owner=account), factories.board(1, owner=account), draft_of(account, seed=2)
        erase(account.pk)
    owners = {*Board.objects.exclude(pk=known.pk).values_list("owner_id", flat=True)}
    assert len(owners) == 2 and owners == {*Theme.objects.values_list("owner_id", flat=True)}
    for owner in owners:
        with subtests.test(owner):
            account = Account.objects.get(pk=owner)
            assert re.fullmatch("erased-[0-9a-f]{32}", owner) and str(account) == owner
            assert (account.role, account.is_active, account.has_usable_password()) == ("member", False, False)
            assert_error(who(f"Bearer {token_of(account)}"), 401, "invalid_token")
            refused = assert_error(admin.patch(f"/api/accounts/{owner}", {"isActive": True}), 400, "validation_error")
            assert refused["meta"]["fields"]["isActive"][0]["code"] == "erased"
    moments = {moment for owner in owners for moment in moments_of(member, owner)}
    assert moments == {"1970-01-01T00:00:00.000000Z"}, "that of the erasure would lead to the person"
    assert all(len({*moments_of(member, name)}) == 1 for name in ("one", "other"))
    assert {*Account.objects.filter(pk__in=owners).values_list("erased_at", flat=True)} == {NO_MOMENT}


def moments_of(client: APIClient, account_id: str) -> tuple[str, str]:
    answer = client.get(f"/api/accounts/{account_id}").json()
    return answer["createdAt"], answer["updatedAt"]


def test_who_leaves_nothing_published_leaves_no_account_and_no_deal(zia: Account) -> None:
    """Deals that others have too stay."""
    others = factories.board(1)
    for seed in (1, 2):
        draft_of(zia, seed=seed)
    Deal.objects.update(brought_by_member=True)
    before = Account.objects.count()
    with TestCase.captureOnCommitCallbacks(execute=True):
        assert erase()["boards"] == 2
    assert Account.objects.count() == before
    assert (Board.objects.get(), Deal.objects.get()) == (others, others.deal)


def test_an_erasure_may_be_repeated_and_so_may_that_of_what_it_left(zia: Account) -> None:
    board = factories.board(1, owner=zia)
    erase()
    (left,) = Board.objects.values_list("owner_id", flat=True)
    assert {*erase().values()} == {0} and Board.objects.get().owner_id == left
    assert erase(left)["boards"] == 1
    board.refresh_from_db()
    assert board.published_at and board.owner_id not in ("zia", left, SYSTEM)
