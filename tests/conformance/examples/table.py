"""The requests that the examples are recorded of, for each operation of the document.

An operation that is new needs a line here. Errors that many operations have in common are in `refusals`.
"""

from typing import Any

import pytest
from django.conf import settings

from accounts.models import Account
from boards.collections import services
from boards.models import Board
from config.api.negotiation import NdjsonRenderer
from deals.models import FeedState
from tests.boards.events.evenings import SLUG, table
from tests.conformance.examples.calls import FORM, Call, Operation
from tests.conformance.examples.world import PBN, UNUSED_CARDS, World
from voting.models import Vote
from voting.services import cast_vote

MERGE_PATCH = "application/merge-patch+json"
NEW_CARDS = "N:AK5.QJ2.T98.7643 QJT9.AK3.A42.A52 8764.T98.KQJ.KQJ 32.7654.7653.T98"
HANDS = {
    "north": {"spades": "AK5", "hearts": "QJ2", "diamonds": "T98", "clubs": "7643"},
    "east": {"spades": "QJT9", "hearts": "AK3", "diamonds": "A42", "clubs": "A52"},
    "south": {"spades": "8764", "hearts": "T98", "diamonds": "KQJ", "clubs": "KQJ"},
    "west": {"spades": "32", "hearts": "7654", "diamonds": "7653", "clubs": "T98"},
}
SOURCE = {"name": "A dealing machine", "url": "https://dealing.example", "licence": "CC0-1.0"}
CALLS: list[dict[str, Any]] = [
    {"call": "1NT"},
    {"call": "Pass"},
    {"call": "2C", "alert": True, "explanation": "Stayman: asks for a four-card major"},
    *({"call": call} for call in ("Pass", "2H", "Pass", "4H", "Pass", "Pass", "Pass")),
]
EVENT = {"event": "Club evening", "site": "Delft", "date": "2026.11.21"}
BOARD = {
    **EVENT, "boardNumber": 12, "title": "Stayman finds the heart fit", "auction": {"calls": CALLS},
    "openingLead": "S3", "result": {"tricks": 10}, "themes": ["stayman"], "userId": "anna",
}  # fmt: skip
WITHOUT_AUCTION = {
    "boardNumber": 12, "contract": {"text": "3NT", "declarer": "W"}, "result": {"tricks": 9}, "auctionSystem": "sayc",
}  # fmt: skip
LIN = (
    "pn|south,west,north,east|st||md|3SKQT8HJ965DQT9CQ2,SAJ5HAK42DA42C843,S97632H7DJ753CAJ6|sv|n|"
    "mb|p|mb|1N|mb|p|mb|3N|mb|p|mb|p|mb|p|pg||\n"
)
CONTACT = {
    "name": "Anna de Vries", "email": "anna@club.example", "subject": "A new club",
    "message": "Which file formats can our club send?", "sendCopy": True,
}  # fmt: skip
SLAMS = {"title": "Slams", "description": "Boards for Tuesday.", "language": "en", "visibility": "public"}
ORGANISATION = {
    "organisationName": "Bridge Club Delft", "country": "NL", "website": "https://club.example",
    "contactName": "Anna de Vries", "email": "anna@club.example",
}  # fmt: skip


def all_operations(world: World) -> dict[str, Operation]:
    """Return the requests by method and path."""
    return {
        **accounts(), **themes(world), **boards(world), **collections(world), **voting(world), **deals(world),
        **boards_of_deals(world), **imports(), **forms(world), **impersonation(world),
    }  # fmt: skip


def accounts() -> dict[str, Operation]:
    anna = {"id": "anna"}
    change = {"displayName": "Anna", "country": "BE", "auctionSystem": "sayc"}
    return {
        "GET /api/accounts/me": Operation(Call("Your own account", "anna")),
        "GET /api/accounts/{id}": Operation(Call("Somebody else's account", "bob", anna)),
        "PATCH /api/accounts/{id}": Operation(
            Call("A change of your own account", "anna", anna, body=change),
            Call("A merge patch", "anna", anna, body={"language": "en"}, media_type=MERGE_PATCH),
            validation_error={"body": {"country": "Belgium", "role": "admin"}},
            permission_denied={"caller": "bob"},
            last_admin={"caller": "ada", "path": {"id": "ada"}, "body": {"role": "member"}},
        ),
        "GET /api/auction-systems": Operation(Call("All auction systems")),
    }


def themes(world: World) -> dict[str, Operation]:
    theme = {"id": world.theme}
    labels = {"labels": {"en": "Stayman", "fr": "Stayman"}}
    return {
        "GET /api/themes": Operation(
            Call("The themes of a type", query={"types": "convention"}), validation_error={"query": {"types": "a type"}}
        ),
        "GET /api/themes/{id}": Operation(Call("A theme", path=theme)),
        "PATCH /api/themes/{id}": Operation(
            Call("Other labels", "anna", theme, body=labels),
            Call("A description", "anna", theme, body={"description": {"en": "Finds a fit in a major."}}),
            Call("A merge patch", "anna", theme, body={"identifier": "stayman_2c"}, media_type=MERGE_PATCH),
            validation_error={"body": {"identifier": "two words"}},
            permission_denied={"caller": "bob"},
        ),
    }


def boards(world: World) -> dict[str, Operation]:
    board = {"id": world.board}
    stream = {"Accept": NdjsonRenderer.media_type}
    return {
        "GET /api/boards": Operation(
            Call("The first page", query={"page": "1", "pageSize": "1"}),
            Call("A line of the stream", "bob", query={"dealer": "W"}, headers=stream),
            validation_error={"query": {"dealer": "north", "pageSize": "1000"}},
            permission_denied={"caller": "bob", "query": {"published": "false"}},
        ),
        "GET /api/boards.pbn": Operation(
            Call("The boards of a theme", query={"theme": "stayman"}),
            validation_error={"query": {"vulnerability": "all"}},
        ),
        "GET /api/boards.lin": Operation(
            Call("The boards of a theme", query={"theme": "stayman"}), validation_error={"query": {"dealer": "X"}}
        ),
        "GET /api/boards/summary": Operation(
            Call("How often each contract was bid, and with which result", query={"by": "contract,result"}),
            validation_error={"query": {"by": "colour"}},
        ),
        "GET /api/events": Operation(
            Call("The latest event", query={"pageSize": "1"}), validation_error={"query": {"page": "0"}}
        ),
        "GET /api/events/{slug}": Operation(
            Call("An evening", path={"slug": SLUG}, prepare=play_at_three_tables),
            not_found={"path": {"slug": "nothing"}},
        ),
        "GET /api/events/{slug}/ranking": Operation(
            Call("The pairs of an evening", path={"slug": SLUG}, prepare=play_at_three_tables),
            not_found={"path": {"slug": "nothing"}},
        ),
        "GET /api/boards/{id}": Operation(Call("A board", path=board)),
        "GET /api/boards/{id}/practice": Operation(Call("Whom practice asks", path=board)),
        "GET /api/boards/{id}.pbn": Operation(Call("A PBN file", path=board)),
        "GET /api/boards/{id}.lin": Operation(Call("A LIN file", path=board)),
        "GET /api/boards/{id}.svg": Operation(Call("A picture", path=board)),
    }


def collections(world: World) -> dict[str, Operation]:
    lesson = {"id": world.collection}
    slam = {"boardId": world.older_board, "note": "Count your tricks before you bid six."}
    places = [{"boardId": world.board, "note": "What does 2C ask?"}]
    return {
        "GET /api/collections": Operation(
            Call("The public collections"), validation_error={"query": {"owner": "two words"}}
        ),
        "POST /api/collections": Operation(
            Call("A collection of boards", "bob", body={"title": "Tuesday", "language": "en", "boards": places}),
            Call("A collection of a search", "bob", body={"title": "Stayman", "fromSearch": "theme=stayman"}),
            Call("A collection that is stored already", "anna", body=SLAMS | {"boards": [slam]}),
            validation_error={"body": {"boards": [{"boardId": "12"}]}},
            permission_denied={"body": {"title": "Tuesday", "visibility": "public"}, "prepare": let_nobody_publish},
            limit_reached={"prepare": allow_no_more},
        ),
        "GET /api/collections/{id}": Operation(
            Call("A collection", path=lesson), validation_error={"query": {"boards": "some"}}
        ),
        "PATCH /api/collections/{id}": Operation(
            Call("Other boards with their notes", "anna", lesson, body={"boards": places}),
            Call("A merge patch", "anna", lesson, body={"visibility": "private"}, media_type=MERGE_PATCH),
            validation_error={"body": {"visibility": "secret"}},
            permission_denied={"caller": "bob"},
            limit_reached={"prepare": allow_no_more},
        ),
        "DELETE /api/collections/{id}": Operation(
            Call("Your own", "anna", lesson), permission_denied={"caller": "bob"}
        ),
        **boards_of_collections(world),
    }


def boards_of_collections(world: World) -> dict[str, Operation]:
    lesson = {"id": world.collection}
    place = {**lesson, "boardId": world.board}
    return {
        "PUT /api/collections/{id}/boards/{boardId}": Operation(
            Call("At the end", "anna", place, body={}),
            Call("To the beginning, with a note", "anna", place, body={"position": 1, "note": "Begin here."}),
            validation_error={"body": {"position": 0}},
            permission_denied={"caller": "bob"},
            limit_reached={"prepare": allow_no_more},
        ),
        "DELETE /api/collections/{id}/boards/{boardId}": Operation(
            Call("A board that is in it", "anna", {**lesson, "boardId": world.older_board}),
            permission_denied={"caller": "bob"},
        ),
    }


def allow_no_more(patch: pytest.MonkeyPatch) -> None:
    """Let nobody have a collection more, nor a collection a board."""
    patch.setattr(services, "MAX_COLLECTIONS", 0)
    patch.setattr(services, "MAX_BOARDS", 0)


def let_nobody_publish(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(settings, "MEMBER_PUBLISHING", "off")


def voting(world: World) -> dict[str, Operation]:
    return {
        "PUT /api/voting/{boardId}": Operation(
            Call("A vote for the board", "bob", {"boardId": world.board}, body={"vote": "up"}),
            Call("No vote", "bob", {"boardId": world.board}, body={"vote": "none"}),
            validation_error={"body": {"vote": "maybe"}},
        ),
        "GET /api/voting": Operation(
            Call("Your vote on a board", "bob", query={"boardIds": world.board}, prepare=vote_up),
            validation_error={"query": {"boardIds": "12"}},
        ),
    }


def vote_up(patch: pytest.MonkeyPatch) -> None:
    board = Board.objects.published().newest_first()[0]
    cast_vote(account=Account.objects.get(pk="bob"), board_id=board.pk, value=Vote.Value.UP)


def deals(world: World) -> dict[str, Operation]:
    deal = {"id": world.deal}
    unused = {"id": world.unused_deal}
    return {
        "GET /api/deals": Operation(
            Call("The first page", query={"pageSize": "1"}), validation_error={"query": {"page": "0"}}
        ),
        "POST /api/deals": Operation(
            Call("A deal as cards", body={"cards": NEW_CARDS, "source": SOURCE}),
            Call("A deal as hands", body={"hands": HANDS}),
            Call("Cards that are stored already", body={"cards": UNUSED_CARDS}),
            validation_error={"body": {"cards": "N:AKQJ.T98.765.432"}},
        ),
        "GET /api/deals/{id}": Operation(Call("A deal", path=deal)),
        "PATCH /api/deals/{id}": Operation(
            Call("Another source", path=unused, body={"source": SOURCE}),
            Call("No source", path=unused, body={"source": None}, media_type=MERGE_PATCH),
            validation_error={"body": {"cards": NEW_CARDS}},
        ),
        "DELETE /api/deals/{id}": Operation(Call("A deal without boards", path=unused), deal_in_use={"path": deal}),
        "GET /api/deals/{id}.pbn": Operation(Call("A PBN file", path=deal)),
        "POST /api/deals/{id}/double-dummy": Operation(
            Call("A deal to solve", path=unused, body={}), validation_error={"body": {"now": True}}
        ),
        **dict.fromkeys(
            ("GET /api/deals/feed", "GET /api/deals/events"),
            Operation(
                Call("The oldest two events", query={"limit": "2"}),
                validation_error={"query": {"after": "yesterday"}},
                cursor_expired={"query": {"after": "1"}, "prepare": delete_old_events},
            ),
        ),
    }


def play_at_three_tables(patch: pytest.MonkeyPatch) -> None:
    for pair, tricks in enumerate((9, 10, 10), 1):
        table(1, 1, "4S", "S", tricks, pair_ns=f"{pair}", pair_ew=f"{pair + 3}", scoring="MP")


def delete_old_events(patch: pytest.MonkeyPatch) -> None:
    FeedState.objects.update_or_create(pk=1, defaults={"pruned_position": 40, "last_position": 50})


def boards_of_deals(world: World) -> dict[str, Operation]:
    deal = {"dealId": world.deal}
    board = {**deal, "id": world.board}
    draft = {**deal, "id": world.draft}
    return {
        "GET /api/deals/{dealId}/boards": Operation(
            Call("The boards of a deal", path=deal), validation_error={"query": {"fields": "contracts"}}
        ),
        "POST /api/deals/{dealId}/boards": Operation(
            Call("A contract without its auction", path=deal, body=WITHOUT_AUCTION),
            Call("A board that is stored already", path=deal, body=BOARD),
            validation_error={"body": {"contract": {"text": "8NT"}, "themes": ["unknown"]}},
        ),
        "GET /api/deals/{dealId}/boards/{id}": Operation(Call("A draft", path=draft)),
        "PATCH /api/deals/{dealId}/boards/{id}": Operation(
            Call("Publishing a draft", path=draft, body={"published": True}),
            Call("Another title", path=board, body={"title": "Stayman"}, media_type=MERGE_PATCH),
            validation_error={"body": {"result": {"tricks": 14}, "published": "yes"}},
            conflict={"body": {**EVENT, "auction": {"calls": CALLS}, "openingLead": "S3", "result": {"tricks": 10}}},
        ),
        "DELETE /api/deals/{dealId}/boards/{id}": Operation(Call("A draft", path=draft)),
    }


def imports() -> dict[str, Operation]:
    flags = {"publish": "true", "theme": "stayman", "userId": "anna"}
    failing = '[Board "13"]\n[Deal "N:AKQJ.T98.765.432 - - -"]\n[Contract "8NT"]\n*\n'
    return {
        "POST /api/deals/import": Operation(
            Call("A PBN file", query=flags, body=PBN, media_type="application/x-pbn"),
            Call("A PBN file by the type that PBN names", body=PBN, media_type="text/x-pbn"),
            Call("A LIN file", body=LIN, media_type="application/x-lin"),
            Call("A file with a record that is not valid", body=PBN + failing, media_type="text/plain"),
            Call("A file of either kind", body=LIN, media_type="application/octet-stream"),
            Call("A form", body={"file": PBN, "publish": True, "theme": "stayman"}, media_type=FORM),
            validation_error={"query": {"atomic": "true"}, "body": PBN + failing},
        )
    }


def forms(world: World) -> dict[str, Operation]:
    report = {"boardId": world.board, "problem": "wrong_result", "message": "West made eleven tricks."}
    return {
        "GET /api/forms": Operation(Call("All forms")),
        "POST /api/forms/contact": Operation(
            Call("A message", body=CONTACT), validation_error={"body": {**CONTACT, "email": "anna", "phone": "015"}}
        ),
        "POST /api/forms/organisation": Operation(
            Call("A club", body=ORGANISATION), validation_error={"body": {**ORGANISATION, "country": "Holland"}}
        ),
        "POST /api/forms/board-report": Operation(
            Call("A wrong result", body=report), validation_error={"body": {**report, "problem": "boring"}}
        ),
    }


def impersonation(world: World) -> dict[str, Operation]:
    start = {"accountId": "anna", "reason": "She cannot see her drafts.", "ticket": "4711", "ttlMinutes": 15}
    return {
        "POST /api/impersonation/start": Operation(
            Call("A quarter of an hour", "sid", body=start),
            validation_error={"body": {"accountId": "nobody", "reason": "Why not"}},
            permission_denied={"caller": "bob"},
            already_impersonating={"caller": "sam"},
        ),
        "GET /api/impersonation/current": Operation(
            Call("Your running impersonation", "sam"), not_found={"caller": "sid"}
        ),
        "POST /api/impersonation/stop": Operation(
            Call("The end", "sam", body={"impersonationId": world.impersonation}),
            validation_error={"body": {}},
            not_found={"caller": "sid"},
        ),
    }
