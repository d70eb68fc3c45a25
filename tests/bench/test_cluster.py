"""The cluster's own instruments: a line that can be cut, and the search for acknowledged writes that are lost."""

import random
import socket
from collections.abc import Iterator

import pytest

from bench.cluster.link import Link
from deals.bridge.cards import DECK
from tests.traffic import Call, Traffic, deal_cards, longest_silence

PATIENCE_SECONDS = 30


@pytest.fixture
def listener() -> Iterator[socket.socket]:
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.settimeout(PATIENCE_SECONDS)
        yield server


def test_a_cut_line_forwards_nothing_and_then_all_in_order(listener: socket.socket) -> None:
    link = Link(listener.getsockname()[1])
    client = socket.create_connection(("127.0.0.1", link.port), timeout=PATIENCE_SECONDS)
    there, _ = listener.accept()
    there.settimeout(0.3)
    with client, there:
        client.sendall(b"one ")
        assert there.recv(100) == b"one "
        with link.cut():
            client.sendall(b"two ")
            with pytest.raises(TimeoutError):
                there.recv(100)
            with socket.create_connection(("127.0.0.1", link.port), timeout=PATIENCE_SECONDS) as newcomer:
                newcomer.sendall(b"hello")  # taken, and not passed on
                listener.settimeout(0.3)
                with pytest.raises(TimeoutError):
                    listener.accept()
        client.sendall(b"three")
        there.settimeout(PATIENCE_SECONDS)
        received = b""
        while len(received) < 9:
            received += there.recv(100)
        assert received == b"two three"
    link.close()


def test_an_acknowledged_write_that_is_not_stored_is_lost() -> None:
    traffic = Traffic([], [], {}, "", seed=1)
    traffic.acknowledged["vote"] = {("ann", "0-1", "up"), ("ann", "0-2", "up")}
    traffic.acknowledged["form"] = {("1-2",), ("1-3",)}
    stored: dict[str, list[tuple[str, ...]]] = {
        "voting_vote": [("ann", "01", "up"), ("ann", "02", "down")],
        "forms_submission": [("12",)],
    }

    def fetch(sql: str) -> list[tuple[str, ...]]:
        return next((rows for table, rows in stored.items() if table in sql), [])

    assert traffic.find_lost(fetch) == {"vote": 1, "board": 0, "deal": 0, "form": 1}


def test_a_silence_lasts_from_one_success_to_the_next() -> None:
    calls = [
        Call("read", 0, at, outcome) for at, outcome in ((1, 200), (2, 503), (3, "TimeoutError"), (5, 204))
    ]
    assert longest_silence(calls, 0, 6) == 4
    assert longest_silence([], 0, 6) == 6


def test_the_publisher_deals_all_cards_and_the_same_again_for_a_seed() -> None:
    deals = [deal_cards(random.Random(seed)) for seed in (1, 1, 2)]
    assert deals[0] == deals[1] != deals[2]
    hands = [hand.split(".") for hand in deals[0].removeprefix("N:").split()]
    cards = [
        f"{suit}{rank}" for hand in hands for suit, ranks in zip("SHDC", hand, strict=True) for rank in ranks
    ]
    assert sorted(cards) == sorted(DECK)
