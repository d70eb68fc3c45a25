"""Two members with private things, a site that all enter by one process, and the addresses of its pages."""

import re
from dataclasses import dataclass
from typing import Any

from django.http import HttpResponse

from accounts.models import Account
from boards.collections.services import CollectionEntry, Texts, create_collection
from boards.models import Board, BoardOfTheDay
from config import paths
from tests import factories
from tests.members import signed_in
from tests.routes import routes
from tests.service_client import ServiceClient
from voting.models import Vote
from voting.services import cast_vote

OF_MEMBERS = ("Sign out", "csrfmiddlewaretoken", "One is yours", 'class="ballot"')
"""What only pages of members have, but for the forms of visitors, which have a token too."""

VARIANTS = (
    *("/boards?q=dealer=north", "/boards?sort=top&page=1", "/boards/{}?step=3", "/boards/{}?show=north"),
    *("/practice/{}?step=0", "/boards?event={1}", "/oembed?url=http://testserver/boards/{}", "/boards/nothing"),
)
OWN = (
    *("/boards/{0}", "/boards/{0}/edit", "/boards/{0}/correct", "/boards/{0}/story", "/practice/{0}?step=0"),
    *("/collections/{1}", "/collections/{1}.pbn", "/collections/{1}.atom", "/collections/{1}/print"),
    *("/lessons/{1}.pbn", "/lessons/{1}/hand-out", "/account/collections/{1}/classes"),
    *("/account/collections/{1}", "/account/collections/{1}/delete"),
)
"""Addresses of a member's draft and private collection, which are there for the member alone."""


@dataclass(frozen=True)
class Member:
    """A member, the cookie of their browser, words that no page may show to anybody else, and own addresses."""

    account: Account
    cookie: str
    words: tuple[str, ...]
    own: tuple[str, ...]
    pressed: str
    """How a page shows the member's own vote."""


@dataclass(frozen=True)
class World:
    board: Board
    collection: Any
    ann: Member
    bob: Member

    def pages(self) -> list[str]:
        """Return an address of each page, and some with queries."""
        variants = [path.format(self.board.pk, self.board.event_slug) for path in VARIANTS]
        return variants + self.addresses(api=False) + [*self.ann.own, *self.bob.own]

    def addresses(self, *, api: bool) -> list[str]:
        """Return an address of each route that answers GET, in the API or outside it.

        Those of monitors and the files of the club know no members.
        """
        readable = {self.fill(route.path) for route in routes() if "GET" in route.methods}
        readable = {path for path in readable if not paths.is_under(path, *paths.OPERATOR, paths.CLUB)}
        return sorted(path for path in readable if paths.is_under(path, paths.API) is api)

    def fill(self, path: str) -> str:
        """Return an address of a route, of a thing that everybody may see."""
        values = {
            "slug:slug": self.board.event_slug,
            "slug:identifier": "stayman",
            "slug:theme_type": "convention",
            "slug:name": "tokens",
            "int:number": 1,
            "account_id:pk": self.ann.account.pk,
            "any_uuid:pk": self.collection.pk if re.search("collections/|lessons/", path) else self.board.pk,
        }
        return re.sub(r"<([^>]+)>", lambda found: str(values.get(found[1], self.board.pk)), path)


def make_world() -> World:
    """Store a board, a public collection of it, and two members who voted on it and have private things."""
    calls = "1NT Pass 2C Pass 2S Pass 4S Pass Pass Pass"
    values = {"themes": (factories.theme("stayman"),), "auction_system": factories.auction_system("acol")}
    board = factories.board(calls=calls, event="Friday pairs", date="2026.11.20", **values)
    BoardOfTheDay.objects.create(day="2026-11-20", board=board)
    texts = Texts("For everybody", visibility="public")
    collection, _ = create_collection(owner=factories.account("cleo"), texts=texts, places=[CollectionEntry(board.pk)])
    ann, bob = make_member("ann", board, "up", "for"), make_member("bob", board, "down", "against")
    board.refresh_from_db()
    return World(board, collection, ann, bob)


def make_member(name: str, board: Board, vote: str, side: str) -> Member:
    words = tuple(f"{name}-{thing}-7c1f" for thing in ("name", "mail", "draft", "collection"))
    display_name, mail, draft, title = words
    account = factories.account(f"{name}-7c1f", display_name=display_name, email=f"{mail}@example.org")
    own_draft = factories.board(owner=account, published=False, title=draft)
    private, _ = create_collection(owner=account, texts=Texts(title), places=[CollectionEntry(board.pk)])
    own = tuple(path.format(own_draft.pk, private.pk) for path in OWN)
    cast_vote(account=account, board_id=board.pk, value=Vote.Value(vote))
    cookie = f"sessionid={signed_in(account).cookies['sessionid'].value}"
    return Member(account, cookie, (account.pk, *words), own, f"votes {side} this board. One is yours")


class Site(ServiceClient):
    """A process of the service, which all visitors enter."""

    def read(self, path: str, cookie: str = "", method: str = "GET", **headers: str) -> HttpResponse:
        own = {"X-Request-Id": "the-same-in-both-answers", **({"cookie": cookie} if cookie else {})}
        return self.generic(method, path, headers={**own, **headers})

    def kept(self) -> list[bytes]:
        """Return the bodies that this process keeps for others."""
        entries = [value for value, _ in self.application.kept.store.entries.values()]
        return [entry[1].body for entry in entries if isinstance(entry, tuple)]

    def leave(self) -> None:
        """Forget all that is kept."""
        self.application.kept.store.entries.clear()


def seen(response: HttpResponse) -> tuple[int, dict[str, str], bytes]:
    """Return an answer but for the seconds of its limit, which are other ones each time."""
    headers = {name: value for name, value in response.items() if name != "RateLimit"}
    return response.status_code, headers, response.content


def is_public(response: HttpResponse) -> bool:
    return response.headers.get("Cache-Control", "").startswith("public")


def words_in(content: bytes, words: tuple[str, ...]) -> list[str]:
    text = content.decode("utf-8", "replace")
    return [word for word in words if word in text]
