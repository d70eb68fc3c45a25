"""A real streaming replica answers public reads, and nobody notices when it lags, hangs or dies (decision 0031).

`wal_replay_pause` makes a replica lag at will: what it then answers is old, and so tells who has answered.
"""

import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial

import pytest
import requests

from tests.answers import board_without_votes
from tests.system import deployment
from tests.system.deployment import wait_until
from tests.system.guides.service import API_KEY, deploy, token_of
from tests.system.postgresql_servers import Server, create_filled, primary, replica_of, wait_until_replayed

MAX_LAG = 3
MEMBER = {"Authorization": f"Bearer {token_of('zia')}"}


@dataclass
class Deployment:
    """A service with a primary and a replica, its anonymous reader, and a member who votes on one board."""

    primary: Server
    replica: Server
    base: str
    board: str = ""

    def get(self, path: str, **headers: str) -> requests.Response:
        return requests.get(self.base + path, headers=headers, timeout=120)

    def read_votes(self, **headers: str) -> int:
        answer = self.get(f"/api/boards/{self.board}", **headers)
        assert answer.status_code == 200, answer.text
        return int(answer.json()["votes"]["up"])

    def read_everything(self, times: int) -> set[int]:
        """Read one board, lists and a page, and return the statuses."""
        paths = (f"/api/boards/{self.board}", "/api/boards?pageSize=100", "/api/themes", f"/boards/{self.board}")
        return {self.get(path).status_code for _ in range(times) for path in paths}

    def vote(self) -> int:
        """Change the vote and return what the board's votes are then."""
        new = "none" if self.read_votes(**MEMBER) else "up"
        url = f"{self.base}/api/voting/{self.board}"
        requests.put(url, json={"vote": new}, headers=MEMBER, timeout=60).raise_for_status()
        return int(new == "up")

    @contextmanager
    def replay_paused(self) -> Iterator[None]:
        self.replica.execute("SELECT pg_wal_replay_pause()")
        try:
            yield
        finally:
            self.replica.execute("SELECT pg_wal_replay_resume()")

    def catch_up(self) -> None:
        wait_until_replayed(self.primary, [self.replica])

    def wait_until_replica_answers(self) -> None:
        """Vote while the replica does not hear of it, until a reader does not either."""

        def answers_old() -> bool:
            self.catch_up()
            with self.replay_paused():
                return self.vote() != self.read_votes()

        wait_until(answers_old)


@pytest.fixture(scope="module")
def service() -> Iterator[Deployment]:
    with primary() as first, replica_of(first) as replica:
        url = create_filled(first, "boards")
        replicas = {"DATABASE_REPLICA_URLS": replica.url("boards"), "REPLICA_MAX_LAG": str(MAX_LAG)}
        with deployment.gunicorn({**deploy(url), "READ_RATE": "", "WRITE_RATE": "", **replicas}) as port:
            made = Deployment(first, replica, f"http://127.0.0.1:{port}")
            made.board = board_without_votes(made.get("/api/boards?pageSize=100").json()["boards"])
            made.read_votes()
            yield made


@pytest.fixture
def deployed(service: Deployment) -> Iterator[Deployment]:
    """Return the service once its replica answers. See that it does again after the test, or was promoted."""
    service.wait_until_replica_answers()
    yield service
    if service.replica.execute("SELECT pg_is_in_recovery()") == [(True,)]:
        service.wait_until_replica_answers()


def test_public_reads_come_from_the_replica_until_it_lags_and_from_it_again_afterwards(deployed: Deployment) -> None:
    with deployed.replay_paused():
        votes = deployed.vote()
        wait_until(lambda: deployed.read_votes() == votes)


def test_a_caller_reads_what_it_wrote(deployed: Deployment) -> None:
    """Whoever sends a token, the key or a cookie reads from the primary, while others read from the replica.

    On a busy machine the replica may be left out for a moment. Then nothing is shown, and it is tried again.
    """

    def is_shown_by(headers: dict[str, str]) -> bool:
        deployed.catch_up()
        with deployed.replay_paused():
            votes = deployed.vote()
            assert deployed.read_votes(**headers) == votes
            return deployed.read_votes() != votes

    for headers in (MEMBER, {"X-API-Key": API_KEY}, {"Cookie": "a=b"}):
        wait_until(partial(is_shown_by, headers))


def test_what_was_published_just_now_is_found_by_everybody(deployed: Deployment) -> None:
    """A link is passed on at once. What a replica does not find is looked for on the primary.

    The board is another than the one with the votes, which everybody must be able to read all the while.
    """
    board, deal = deployed.primary.execute(
        "SELECT id, deal_id FROM boards_board"
        f" WHERE published_at IS NOT NULL AND id != '{deployed.board}' ORDER BY id LIMIT 1",
        "boards",
    )[0]

    def publish(*, published: bool) -> None:
        url, key = f"{deployed.base}/api/deals/{deal}/boards/{board}", {"X-API-Key": API_KEY}
        requests.patch(url, json={"published": published}, headers=key, timeout=60).raise_for_status()

    publish(published=False)
    deployed.wait_until_replica_answers()
    with deployed.replay_paused():
        assert deployed.get(f"/api/boards/{board}").status_code == 404
        publish(published=True)
        for path in (f"/api/boards/{board}", f"/boards/{board}", f"/api/boards/{board}.svg"):
            assert deployed.get(path).status_code == 200, path


def test_a_kept_answer_of_a_replica_is_never_older_than_the_replica(deployed: Deployment) -> None:
    path = "/api/boards?pageSize=100"
    assert len(deployed.get(path).content) > 4096
    for _ in range(20):
        for _ in range(3):
            deployed.get(path)
        votes = deployed.vote()
        deployed.catch_up()
        boards = {each["id"]: each for each in deployed.get(path).json()["boards"]}
        assert boards[deployed.board]["votes"]["up"] == votes
    asked = "SELECT query FROM pg_stat_activity WHERE datname = 'boards' AND query LIKE '%pg_current_snapshot%'"

    def is_asked_whether_a_kept_answer_is_right() -> bool:
        """Read until that is the last question of a connection: meanwhile the primary may have answered."""
        deployed.get(path)
        return bool(deployed.replica.execute(asked))

    wait_until(is_asked_whether_a_kept_answer_is_right)


@pytest.mark.parametrize("fault", ["is killed and started again", "hangs"])
def test_nobody_notices_what_happens_to_the_replica(fault: str, deployed: Deployment) -> None:
    """While it hangs, all reads are answered before it goes on, those too that it had when it stopped."""
    with ThreadPoolExecutor(4) as readers:
        if fault == "hangs":
            with deployed.replica.frozen():
                statuses = [each.result() for each in [readers.submit(deployed.read_everything, 5) for _ in range(4)]]
        else:
            reading = [readers.submit(deployed.read_everything, 40) for _ in range(4)]
            deployed.replica.stop("immediate")
            deployed.replica.start()
            statuses = [each.result() for each in reading]
    assert set.union(*statuses) == {200}


def test_a_connection_that_has_ended_is_made_anew_and_is_no_failure_of_the_replica(deployed: Deployment) -> None:
    """A replica that hung has lost its connections. It was left out again as each thread met its own."""

    def answers_again() -> bool:
        deployed.catch_up()
        with deployed.replay_paused():
            votes = deployed.vote()
            old = deployed.read_votes() != votes
            deployed.replica.execute(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
                " WHERE datname = 'boards' AND query NOT LIKE '%received_tli%'"
            )
            return old and [deployed.read_votes() for _ in range(8)] == [1 - votes] * 8

    wait_until(answers_again)


def test_public_reads_go_on_while_the_primary_hangs(deployed: Deployment) -> None:
    deployed.read_everything(1)
    with deployed.primary.frozen():
        started = time.monotonic()
        while time.monotonic() < started + MAX_LAG + 3:
            assert deployed.read_everything(1) == {200}
    # The service finds out within a second.
    wait_until(lambda: deployed.get(f"/api/boards/{deployed.board}", **MEMBER).status_code == 200)


def test_a_replica_that_was_promoted_answers_no_longer(deployed: Deployment) -> None:
    """The last test: there is no replica afterwards."""
    deployed.replica.promote()
    votes = deployed.vote()
    wait_until(lambda: deployed.read_votes() == votes)
    for _ in range(5):
        assert deployed.vote() == deployed.read_votes()
