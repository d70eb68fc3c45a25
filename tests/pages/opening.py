"""The pages of boards as a test opens and reads them."""

from typing import Any

from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from accounts.models import Account
from boards.models import Board
from bridge.double_dummy import DoubleDummyTable
from deals.models import Deal
from tests.pages.documents import Document

CALLS = "1NT Pass 3NT Pass Pass Pass"
CALLS_OF_LESSON = ("1NT", "Pass", "2C", "X", "2S", "Pass", "4S", "Pass", "Pass", "Pass")
SEATS = ("north", "east", "south", "west")


def open_page(client: Client, path: str, **query: Any) -> Document:
    response = client.get(path, query)
    assert response.status_code == 200, path
    return Document(response)


def page_of(client: Client, board: Board, query: str = "") -> Document:
    return open_page(client, f"/boards/{board.pk}{query}")


def rows(page: Document, table: str) -> list[list[str]]:
    """Return the texts of a table's cells by row. The caption is the first row."""
    found: list[list[str]] = []
    inside = False
    for tag, attributes, text in page.elements:
        if tag == "table":
            inside = attributes.get("class") == table
        if inside and tag in ("tr", "caption"):
            found.append([])
        if inside and tag in ("td", "th", "caption"):
            found[-1].append(" ".join("".join(text).split()))
    return found


def logged_in(account: Account) -> Client:
    client = Client(raise_request_exception=False)
    client.force_login(account)
    return client


def queries_of(client: Client, *paths: str) -> dict[str, int]:
    """Return how many queries each page takes once the process keeps what it has looked up, such as the themes."""
    counts = {}
    for path in paths:
        client.get(path)
        with CaptureQueriesContext(connection) as captured:
            assert client.get(path).status_code in (200, 302), path
        counts[path] = len(captured)
    return counts


def solve(score: int, *contracts: str, **tricks: int) -> None:
    """Store for every deal this par, and so many tricks in each denomination, whoever declares."""
    par = {name: {"score": score, "contracts": contracts} for name in ("None", "NS", "EW", "All")}
    table = DoubleDummyTable.from_tricks(dict.fromkeys("NESW", tricks))
    Deal.objects.update(double_dummy_status="done", double_dummy=table.digits, par=par)


def walk(client: Client, path: str) -> list[str]:
    """Return the boards that practice leads to, by their ids, until it says that this was the last."""
    walked = []
    while (response := client.get(path)).status_code == 302:
        path = response["Location"]
        if path.startswith("/practice/"):
            walked.append(path.partition("?")[0].removeprefix("/practice/"))
            links = open_page(client, f"{path}{'&' if '?' in path else '?'}step=end").links()
            path = next(address for words, address in links.items() if words.startswith("Next board"))
    assert Document(response).texts("h1") == ["That was the last board"]
    return walked


def facts_of(page: Document) -> list[str]:
    """Return the line of facts of each board, without the selectors that make a suit a text."""
    return [text.replace("\ufe0e", "") for text in page.texts("small")]


def text_of(client: Client, path: str) -> str:
    """Return what a page has, whatever its status is."""
    return client.get(path).content.decode()
