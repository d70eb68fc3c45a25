"""What people have written is nothing but text on each page that shows it."""

import pytest
from django.test import Client

from deals.bridge.auction import Auction, Call
from deals.bridge.seats import Seat
from tests import factories
from tests.boards.pages.opening import open_page

pytestmark = pytest.mark.django_db

HOSTILE = "</p><script>alert(1)</script><p onclick='x'><img src=x onerror=alert(1)>\"&lt;&amp;"


def test_hostile_texts_and_labels_are_nothing_but_text(client: Client) -> None:
    theme = factories.theme(
        "x", labels={"en": HOSTILE, '"><b>': "other"}, description={"en": f"{HOSTILE}\n\n\"'>"}, type="convention"
    )
    system = factories.auction_system("y")
    type(system).objects.filter(pk=system.pk).update(labels={"en": HOSTILE})
    auction = Auction(Seat.NORTH, (Call("1C", True, HOSTILE), *[Call("Pass")] * 3))
    texts = dict.fromkeys(("title", "commentary", "event", "site"), HOSTILE) | {"date": HOSTILE[:30]}
    board = factories.board(number=1, auction=auction, themes=(theme,), auction_system=system, **texts)
    path = f"/boards/{board.pk}"
    shown_in = {
        **dict.fromkeys((path, f"{path}?show=north"), ("h1", "p", "li", "dd", "a")),
        f"{path}/embed": ("h1", "li"),
        f"/boards?theme={theme.pk}": ("h1", "h2", "a", "option"),
        "/": ("h3", "a"),
        "/themes": ("a",),
        "/themes/x": ("h1", "h3", "p"),
    }
    for address, tags in shown_in.items():
        page = open_page(client, address)
        assert not page.all("script") and not page.all("img"), address
        assert not [found for _, found, _ in page.elements if found.keys() & {"onclick", "onerror"}], address
        assert [tag for tag in tags if not any(HOSTILE in text for text in page.texts(tag))] == [], address
