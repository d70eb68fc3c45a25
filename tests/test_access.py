"""Who may do what: a table of each method and route. A new route fails until it is listed."""

from datetime import date
from typing import Any

import pytest
from django.conf import settings
from rest_framework.test import APIClient

from accounts.models import Account
from accounts.tokens.verifier import get_verifier
from boards.collections.services import CollectionEntry, Texts, create_collection
from boards.models import BoardOfTheDay
from bridge.board import ROOMS
from impersonation.models import Impersonation
from tests import factories
from tests.answers import assert_error
from tests.conftest import token_of
from tests.forms.bodies import bodies as form_bodies
from tests.forms.bodies import page_token
from tests.routes import routes
from tests.undone import undone

pytestmark = pytest.mark.django_db

SITE = "http://testserver"
CALLERS = ("anonymous", "member", "owner", "support", "admin", "service")

PUBLIC = (200, 200, 200, 200, 200, 200)
SERVICE = (401, 401, 401, 401, 401, 200)
STAFF_ONLY = (401, 403, 403, 201, 201, 401)
SIGNED_IN = (401, 200, 200, 200, 200, 401)
SENT = (201, 201, 201, 201, 201, 201)
LED_ON = (303, 303, 303, 303, 303, 303)
SENT_ON = (302, 302, 302, 302, 302, 302)
NOBODY = (404, 404, 404, 404, 404, 404)


def of(method: str, statuses: tuple[int, ...], paths: str) -> dict[tuple[str, str], tuple[int, ...]]:
    """Return the lines of paths that answer a method alike. They stand in one text."""
    return {(method, path): statuses for path in paths.split()}


# The status that each caller gets, in the order of CALLERS. The owner owns the theme, the account, the board, the
# private collection and the impersonation in question; the service has the API key and no token.
ACCESS: dict[tuple[str, str], tuple[int, ...]] = {
    **of(
        "GET",
        PUBLIC,
        "/api/auction-systems /api/boards /api/boards.lin /api/boards/summary /api/boards.pbn /api/collections "
        "/api/docs /api/docs/<slug:name> /api/docs/<slug:name>.md /api/events /api/forms /api/openapi.json "
        "/api/events/<slug:slug> /api/events/<slug:slug>/ranking /events/<slug:slug>/our /events/<slug:slug>/ranking "
        "/api/themes /api/themes/<any_uuid:pk> /forms /forms/board-report /forms/board-report/thanks /forms/contact "
        "/forms/contact/thanks /forms/organisation /forms/organisation/thanks / /boards /boards.atom /collections "
        "/boards/how-to-search /boards/print /boards/summary /events /events/<slug:slug> /events/<slug:slug>/match "
        "/events/<slug:slug>/print /events/<slug:slug>/results /events/<slug:slug>/embed "
        "/events/<slug:slug>/picture.png /account/deleted /sign-in /signed-out /livez /llms.txt "
        "/oembed /readyz /robots.txt /sitemap-<int:number>.xml /sitemap.xml /today /today.atom /today/embed /themes "
        "/themes/<slug:identifier> /themes/<slug:theme_type>/<slug:identifier> /club/colours.css "
        "/club/icon-<int:size>.png /design /manifest.webmanifest /apple-touch-icon.png /class",
    ),
    **of("GET", SIGNED_IN, "/api/accounts/<account_id:pk> /api/accounts/me /api/voting"),
    **of(
        "GET",
        SERVICE,
        "/api/deals /api/deals/<any_uuid:pk> /api/deals/events /api/deals/feed "
        "/api/deals/<any_uuid:pk>.pbn /api/deals/<any_uuid:deal_id>/boards "
        "/api/deals/<any_uuid:deal_id>/boards/<any_uuid:pk>",
    ),
    **of("PATCH", SERVICE, "/api/deals/<any_uuid:pk> /api/deals/<any_uuid:deal_id>/boards/<any_uuid:pk>"),
    **of("POST", SERVICE, "/api/deals/import"),
    **of("POST", SENT, "/api/forms/board-report /api/forms/contact /api/forms/organisation"),
    **of(
        "POST",
        LED_ON,
        "/forms/board-report /forms/contact /forms/organisation /boards/<any_uuid:pk>/vote /account/boards "
        "/account/boards/upload /account/boards/upload/<any_uuid:upload_id> /boards/<any_uuid:pk>/edit "
        "/boards/<any_uuid:pk>/correct /boards/<any_uuid:pk>/story "
        "/account/collections/<any_uuid:pk> /account/collections/<any_uuid:pk>/delete /account/collections/add "
        "/account/collections/new /account/collections/<any_uuid:pk>/classes /account/classes/<any_uuid:pk> "
        "/account /account/delete /account/devices /account/mail /sign-out",
    ),
    # Pages of members, whom no token makes: test_my_account.py and tests/pages/members have who is signed in.
    **of(
        "GET",
        SENT_ON,
        "/boards/<any_uuid:pk>/costs /boards/<any_uuid:pk>/vote /account/boards /account/boards/upload "
        "/account/boards/upload/<any_uuid:upload_id> /boards/<any_uuid:pk>/edit /boards/<any_uuid:pk>/correct "
        "/boards/<any_uuid:pk>/story /account/collections "
        "/account/collections/<any_uuid:pk> /account/collections/<any_uuid:pk>/delete /account/collections/add "
        "/account/collections/new /account/collections/<any_uuid:pk>/classes /account/classes/<any_uuid:pk> "
        "/account /account/data.json /account/delete /account/looks /account/devices "
        "/account/mail "
        "/sign-out /practice",
    ),
    # The board is a draft, the collection private, and pages know no tokens: tests/pages has who is logged in.
    # The callback needs MEMBER_OIDC_CLIENT_ID, mark and imprint a club that has them: tests/pages/site/test_club.py.
    # The links of mails are broken. Impersonations are for staff who are logged in to the admin.
    **of(
        "GET",
        NOBODY,
        "/boards/<any_uuid:pk> /boards/<any_uuid:pk>.txt /boards/<any_uuid:pk>.png /boards/<any_uuid:pk>/embed "
        "/boards/<any_uuid:pk>/hand-viewer /boards/<any_uuid:pk>/traveller/embed "
        "/collections/<any_uuid:pk> /collections/<any_uuid:pk>.atom "
        "/collections/<any_uuid:pk>.pbn /collections/<any_uuid:pk>/embed /collections/<any_uuid:pk>/practice "
        "/collections/<any_uuid:pk>/print /sign-in/callback /impersonation /impersonation/ended "
        "/lessons/<any_uuid:pk> /lessons/<any_uuid:pk>.pbn /lessons/<any_uuid:pk>/hand-out /class/<slug:code> "
        "/practice/<any_uuid:pk> /club/mark.<slug:kind> /imprint "
        "/mail-of-the-week/confirm/<str:token> /mail-of-the-week/stop/<str:token>",
    ),
    **of(
        "POST",
        NOBODY,
        "/boards/<any_uuid:pk>/costs /impersonation /impersonation/stop /practice/<any_uuid:pk> "
        "/mail-of-the-week/confirm/<str:token> /mail-of-the-week/stop/<str:token>",
    ),
    ("PATCH", "/api/accounts/<account_id:pk>"): (401, 403, 200, 200, 200, 401),
    ("GET", "/api/boards/<any_uuid:pk>"): (404, 404, 200, 200, 200, 404),
    ("GET", "/api/boards/<any_uuid:pk>.lin"): (404, 404, 200, 200, 200, 404),
    ("GET", "/api/boards/<any_uuid:pk>.pbn"): (404, 404, 200, 200, 200, 404),
    ("GET", "/api/boards/<any_uuid:pk>.svg"): (404, 404, 200, 200, 200, 404),
    ("GET", "/api/boards/<any_uuid:pk>/practice"): (404, 404, 200, 200, 200, 404),
    ("POST", "/api/collections"): (401, 201, 201, 201, 201, 401),
    ("GET", "/api/collections/<any_uuid:pk>"): (404, 404, 200, 404, 404, 404),
    ("PATCH", "/api/collections/<any_uuid:pk>"): (401, 404, 200, 404, 404, 401),
    ("DELETE", "/api/collections/<any_uuid:pk>"): (401, 404, 204, 404, 404, 401),
    ("PUT", "/api/collections/<any_uuid:pk>/boards/<any_uuid:board_id>"): (401, 404, 204, 404, 404, 401),
    ("DELETE", "/api/collections/<any_uuid:pk>/boards/<any_uuid:board_id>"): (401, 404, 204, 404, 404, 401),
    ("POST", "/api/deals"): (401, 401, 401, 401, 401, 201),
    ("DELETE", "/api/deals/<any_uuid:pk>"): (401, 401, 401, 401, 401, 409),
    ("POST", "/api/deals/<any_uuid:pk>/double-dummy"): (401, 401, 401, 401, 401, 202),
    ("POST", "/api/deals/<any_uuid:deal_id>/boards"): (401, 401, 401, 401, 401, 201),
    ("DELETE", "/api/deals/<any_uuid:deal_id>/boards/<any_uuid:pk>"): (401, 401, 401, 401, 401, 204),
    ("GET", "/api/impersonation/current"): (401, 404, 200, 404, 404, 401),
    ("POST", "/api/impersonation/start"): STAFF_ONLY,
    ("POST", "/api/impersonation/stop"): (401, 404, 200, 404, 404, 401),
    ("PATCH", "/api/themes/<any_uuid:pk>"): (401, 403, 200, 200, 200, 401),
    ("PUT", "/api/voting/<any_uuid:board_id>"): (401, 204, 204, 204, 204, 401),
    ("POST", "/sign-in"): (403, 403, 403, 403, 403, 403),  # names no demonstration member
    ("POST", "/sign-in/back-channel-logout"): (400, 400, 400, 400, 400, 400),
    # Only by METRICS_TOKEN or by a port of its own (tests/config/edge/observability/test_health.py).
    ("GET", "/metrics"): (401, 401, 401, 401, 401, 401),
}

OWN_IMPERSONATION = ("GET", "/api/impersonation/current")


class World:
    """One row of each kind, and a request for each route that works on them."""

    def __init__(self) -> None:
        self.owner = factories.account("owner")
        self.subject = factories.account("subject")
        self.theme = factories.theme(owner=self.owner)
        self.draft = factories.board(owner=self.owner, published=False)
        self.board = factories.board(event="Friday pairs")
        match = {"event": "Friday pairs", "home_team": "Lions", "visit_team": "Bears", "calls": "Pass " * 4}
        for room in ROOMS:
            factories.board(seed=1, room=room, **match)
        BoardOfTheDay.objects.create(day=date(2026, 11, 24), board=self.board)
        self.impersonation = factories.impersonation(self.owner, self.subject)
        places = [CollectionEntry(self.board.pk)]
        self.collection, _ = create_collection(owner=self.owner, texts=Texts("Lesson"), places=places)

    def url(self, path: str, method: str) -> str:
        board = self.draft if path.startswith(("/api/boards", "/boards", "/practice")) else self.board
        for room in ("collections", "lessons"):
            path = path.replace(f"/{room}/<any_uuid:pk>", f"/{room}/{self.collection.pk}")
        theme = self.theme.pk
        url = path.replace("<account_id:pk>", "owner").replace("<any_uuid:deal_id>", str(board.deal_id))
        url = url.replace("<any_uuid:board_id>", str(board.pk)).replace("<int:number>", "1")
        url = url.replace("<int:size>", "192").replace("<slug:kind>", "svg").replace("<slug:code>", "NOSUCHCD")
        url = url.replace("<any_uuid:upload_id>", factories.NOBODYS_ID)
        url = url.replace("<slug:name>", "tokens").replace("<slug:slug>", self.board.event_slug)
        url = url.replace("<slug:identifier>", self.theme.identifier)
        url = url.replace("<slug:theme_type>", self.theme.type)
        if "/boards/<any_uuid:pk>" in url or url.startswith("/practice/"):
            return url.replace("<any_uuid:pk>", str(board.pk))
        url = url.replace("<any_uuid:pk>", str(theme if "themes" in url else board.deal_id))
        queries = {
            "/api/voting": f"?boardIds={board.pk}",
            "/oembed": f"?url={SITE}/boards/{self.board.pk}",
            f"/events/{self.board.event_slug}/match": "?home=Lions&visit=Bears",
        }
        return url + queries.get(url, "")

    def body(self, path: str, method: str) -> Any:
        """Return what is sent to a path, None where there is nothing."""
        if method == "GET":
            return None
        if path.startswith(("/forms/", "/api/forms/")):
            name = path.split("/forms/")[1].removesuffix("/thanks")
            return form_bodies()[name] | (page_token(name) if path.startswith("/forms/") else {})
        bodies = {
            "/api/deals": {"cards": factories.layout(seed=4711).cards},
            "/api/deals/<any_uuid:pk>": {"source": {"name": "a dealing machine"}},
            "/api/deals/<any_uuid:deal_id>/boards": {"boardNumber": 7},
            "/api/deals/<any_uuid:deal_id>/boards/<any_uuid:pk>": {"title": "A title"},
            "/api/accounts/<account_id:pk>": {"displayName": "A name"},
            "/api/collections": {"title": "A title"},
            "/api/collections/<any_uuid:pk>": {"title": "A title"},
            "/api/collections/<any_uuid:pk>/boards/<any_uuid:board_id>": {"position": 1},
            "/api/themes/<any_uuid:pk>": {"labels": {"en": "A label"}},
            "/api/voting/<any_uuid:board_id>": {"vote": "up"},
            "/api/impersonation/start": {"accountId": "subject", "reason": "to see what they see"},
            "/api/impersonation/stop": {"impersonationId": str(self.impersonation.pk)},
        }
        return bodies.get(path)

    def send(self, client: APIClient, method: str, path: str) -> Any:
        """Send the request of a route as a client. Take back what it stores."""
        url, body = self.url(path, method), self.body(path, method)
        options: dict[str, Any] = {"format": "multipart"} if path.startswith("/forms") and body else {}
        if path == "/api/deals/import":
            body, options = b'[Event "?"]', {"content_type": "application/x-pbn"}
        with undone():
            response = getattr(client, method.lower())(url, body, **options)
        if response.streaming:
            response.getvalue()  # so that the export does not hold its permit
        return response


@pytest.fixture(scope="module")
def world(rows_of_module: None) -> World:
    return World()


@pytest.fixture(scope="module")
def clients(world: World) -> dict[str, APIClient]:
    """Return a client of each caller, with a real, signed bearer token."""
    accounts = {
        "member": factories.account("member"), "owner": world.owner,
        "support": factories.account("support", role="support"), "admin": factories.account("admin", role="admin"),
    }  # fmt: skip
    signed_in = {caller: with_token(token_of(account)) for caller, account in accounts.items()}
    service = APIClient(headers={"x-api-key": settings.API_KEY})
    return {"anonymous": APIClient(), "service": service, **signed_in}


def with_token(token: str) -> APIClient:
    return APIClient(headers={"authorization": f"Bearer {token}"})


NEED_NO_TOKEN = {
    *("/boards/<any_uuid:pk>/costs", "/practice/<any_uuid:pk>", "/sign-in", "/sign-in/back-channel-logout"),
    *("/mail-of-the-week/confirm/<str:token>", "/mail-of-the-week/stop/<str:token>"),  # the link is the right to it
    "/account/boards/upload",  # of strangers, whose files are not read to look for it
}
"""Pages whose own tests have what they ask of a form instead."""


def test_a_page_takes_no_form_of_another_site(world: World) -> None:
    """Send each form without the token of a page of ours."""
    strict = APIClient(enforce_csrf_checks=True)
    pages = {path for method, path in ACCESS if method == "POST" and not path.startswith("/api/")}
    answers = {path: world.send(strict, "POST", path) for path in pages}
    assert {path for path, answer in answers.items() if b"cookies" not in answer.content} == NEED_NO_TOKEN
    assert {answers[path].status_code for path in pages - NEED_NO_TOKEN} == {403}


def test_the_table_lists_every_route() -> None:
    offered = {(method, route.path) for route in routes() for method in route.methods}
    assert offered == ACCESS.keys()


def test_each_caller_gets_what_the_table_says(world: World, clients: dict[str, APIClient]) -> None:
    wrong: dict[tuple[str, ...], Any] = {}
    for method, path in sorted(ACCESS.keys() - {OWN_IMPERSONATION}):
        # No page reads a token: an admin with one gets what a stranger gets.
        callers = CALLERS if path.startswith("/api/") else ("anonymous", "admin")
        for caller in callers:
            status = ACCESS[method, path][CALLERS.index(caller)]
            response = world.send(clients[caller], method, path)
            if response.status_code != status:
                wrong[method, path, caller] = (response.status_code, response.content[:300])
            elif path.startswith("/api/") and status in (401, 403, 404, 409):
                assert response.json().keys() == {"code", "message", "meta"}, (method, path, caller)
    assert wrong == {}


def test_only_who_runs_an_impersonation_has_a_current_one(world: World, clients: dict[str, APIClient]) -> None:
    """Make the owner staff first: its impersonation ends with the change, and it begins another."""
    Account.objects.filter(pk="owner").update(role=Account.Role.SUPPORT)
    Impersonation.objects.all().delete()
    factories.impersonation(Account.objects.get(pk="owner"), world.subject)
    statuses = [world.send(clients[caller], *OWN_IMPERSONATION).status_code for caller in CALLERS]
    assert tuple(statuses) == ACCESS[OWN_IMPERSONATION]


def test_a_site_without_an_identity_provider_serves_what_needs_no_token_and_says_why_the_rest_is_not(
    world: World, settings: Any, subtests: pytest.Subtests
) -> None:
    settings.DEVELOPMENT_TOKENS = False
    get_verifier.cache_clear()
    for (method, path), (status, *_) in sorted(ACCESS.items()):
        needs_token = status == 401 and not path.startswith(("/api/deals", "/metrics"))
        for client in (APIClient(), with_token("x.y.z"))[: 1 + needs_token]:
            with subtests.test(f"{method} {path}"):
                response = world.send(client, method, path)
                assert response.status_code == (503 if needs_token else status)
                if needs_token:
                    assert_error(response, 503, "service_unavailable")
                    assert "No identity provider" in response.json()["message"]
                    assert int(response["Retry-After"]) >= 60


def test_a_bad_token_is_refused_even_where_none_is_needed(world: World) -> None:
    client = with_token("not.a.token")
    without_tokens = {"/livez", "/readyz"} | {route.path for route in routes() if route.is_page}
    statuses = {(method, path): world.send(client, method, path).status_code for method, path in sorted(ACCESS)}
    wrong = {route: status for route, status in statuses.items() if (status == 401) is (route[1] in without_tokens)}
    assert wrong == {}
