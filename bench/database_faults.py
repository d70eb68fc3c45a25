"""`python -m bench.database_faults [--seconds 8] [--busy 0]`: what callers see of a database that fails, or is busy.

Each fault lasts that many seconds (8) on a PostgreSQL of its own in a temporary folder, under a gunicorn with one
process as in production: all processes of the server are stopped (SIGSTOP); the row of one board is locked while
twenty accounts vote on it, again and again; the server is a standby, which only reads, until it is promoted; the server
is stopped and started. Readers, voters and /livez at METRICS_BIND are asked all the time.

Before the faults twenty equal boards are published at once, and fifteen equal files imported, on a gunicorn with one
process and on one with two: all of them should succeed. `--busy` is how many processes use the processors beside it.

Printed for each fault: the answers by status, the slowest of them, the slowest /livez, the seconds from its beginning
to the first 503 and from its end to the first read and vote that succeed, and acknowledged votes that are lost.
"""

import argparse
import random
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import psycopg

from bench.load.realistic_boards import random_layout, random_record
from bench.scratch import say
from deals.bridge.formats.pbn.writer import HEADER, write_pbn
from tests.system.database.faults import Answer, Service, service, statuses
from tests.system.postgresql_servers import Server, primary

READERS, VOTERS = 6, 12
Fault = Callable[[float], None]


class Callers:
    """Threads that ask all the time. Each answer is kept with the moment at which it came."""

    def __init__(self, running: Service) -> None:
        self.running = running
        self.answers: dict[str, list[tuple[float, Answer]]] = {"read": [], "vote": [], "livez": []}
        self.acknowledged: dict[int, str] = {}
        self.done = threading.Event()
        calls = [("read", running.read, (number,)) for number in range(READERS)]
        calls += [("livez", running.livez, ())]  # type: ignore[list-item]  # another kind of tuple
        self.threads = [threading.Thread(target=self.ask, args=call) for call in calls]
        self.threads += [threading.Thread(target=self.vote, args=(number,)) for number in range(VOTERS)]

    def ask(self, kind: str, call: Callable[..., Answer], arguments: tuple[object, ...]) -> None:
        while not self.done.is_set():
            answer = call(*arguments)
            self.answers[kind].append((time.monotonic(), answer))
            self.done.wait(0.05)

    def vote(self, voter: int) -> None:
        """Change one vote all the time. What was acknowledged last, or may have been stored since, must be stored."""
        for turn in range(10**9):
            if self.done.is_set():
                return
            value = ("up", "down")[turn % 2]
            answer = self.running.vote(voter, value=value)
            self.answers["vote"].append((time.monotonic(), answer))
            if answer.status == 204:
                self.acknowledged[voter] = value
            else:
                self.acknowledged.pop(voter, None)  # it may be stored or not
            self.done.wait(0.05)

    @contextmanager
    def asking(self) -> Iterator[None]:
        for thread in self.threads:
            thread.start()
        try:
            yield
        finally:
            self.done.set()
            for thread in self.threads:
                thread.join()

    def report(self, name: str, began: float, recovered: float, stored: dict[str, str]) -> None:
        counts = {kind: dict(statuses([answer for _, answer in each])) for kind, each in self.answers.items()}
        slowest = {kind: max(answer.seconds for _, answer in each) for kind, each in self.answers.items()}
        first = min(
            (at for each in self.answers.values() for at, one in each if one.status == 503), default=began
        )
        lost = sum(stored.get(f"voter-{voter}") != value for voter, value in self.acknowledged.items())
        say(
            f"{name}: answers {counts}; slowest {', '.join(f'{kind} {s:.2f} s' for kind, s in slowest.items())}; "
            f"first 503 after {first - began:.2f} s; recovered in {recovered:.2f} s; {lost} acknowledged votes lost"
        )


def suffer(
    name: str, running: Service, fault: Fault, seconds: float, stored: Callable[[], dict[str, str]]
) -> None:
    """Let a fault last while callers ask, and print what they saw."""
    callers = Callers(running)
    with callers.asking():
        time.sleep(1)
        began = time.monotonic()
        fault(seconds)
        recovered = running.wait_until_ready()
        time.sleep(1)
    callers.report(name, began, recovered, stored())


def on_postgresql(seconds: float) -> None:
    with primary() as server, service(server.url()) as running:
        faults: dict[str, Fault] = {
            "frozen": lambda seconds: freeze(server, seconds),
            "one board locked": lambda seconds: lock(server, running, seconds),
            "stopped and started": lambda seconds: restart(server, seconds),
            "only reads, then promoted": lambda seconds: demote(server, seconds),
        }
        for name, fault in faults.items():
            suffer(f"PostgreSQL {name}", running, fault, seconds, lambda: stored_votes(server, running))


def freeze(server: Server, seconds: float) -> None:
    with server.frozen():
        time.sleep(seconds)


def lock(server: Server, running: Service, seconds: float) -> None:
    with psycopg.connect(server.url()) as locking:
        locking.execute("SELECT 1 FROM boards_board WHERE id = %s FOR UPDATE", [running.boards[0]])
        time.sleep(seconds)


def restart(server: Server, seconds: float) -> None:
    server.stop()
    time.sleep(seconds)
    server.start()


def demote(server: Server, seconds: float) -> None:
    server.become_standby()
    time.sleep(seconds)
    server.promote()


def stored_votes(server: Server, running: Service) -> dict[str, str]:
    with psycopg.connect(server.url()) as connection:
        sql = "SELECT account_id, value FROM voting_vote WHERE board_id = %s"
        return dict(connection.execute(sql, [running.boards[0]]).fetchall())


def repeat_writes(processes: int) -> None:
    """Send equal writes at once, and print the answers by status and the slowest of them."""
    choice = random.Random(1)
    records = [random_record(number, random_layout(choice), choice) for number in range(1, 41)]
    file = (HEADER + "".join(map(write_pbn, records))).encode()
    cache = {"CACHE_URL": "redis://127.0.0.1:6379/11", "WEB_CONCURRENCY": str(processes)}
    with primary() as server, service(server.url(), **(cache if processes > 1 else {})) as running:
        with psycopg.connect(server.url()) as connection:
            ((deal,),) = connection.execute("SELECT id FROM deals_deal LIMIT 1").fetchall()
        board = {"boardNumber": 7}
        asked = [running.start(running.ask, "POST", f"/api/deals/{deal}/boards", board) for _ in range(20)]
        report_repeated(f"{processes} process(es), 20 publishings", [each.result() for each in asked])
        asked = [running.start(running.import_file, file) for _ in range(15)]
        report_repeated(f"{processes} process(es), 15 imports", [each.result() for each in asked])


def report_repeated(name: str, answers: list[Answer]) -> None:
    slowest = max(answer.seconds for answer in answers)
    say(f"{name}: answers {dict(statuses(answers))}; slowest {slowest:.2f} s")


@contextmanager
def busy(processes: int) -> Iterator[None]:
    """Let so many processes use the processors while the block runs."""
    running = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(processes)]
    try:
        yield
    finally:
        for process in running:
            process.kill()


if __name__ == "__main__":
    parser = argparse.ArgumentParser(prog="python -m bench.database_faults")
    parser.add_argument("--seconds", type=float, default=8, help="how long each fault lasts")
    parser.add_argument("--busy", type=int, default=0, help="processes that use the processors meanwhile")
    parser.add_argument("--writes", action="store_true", help="only send the equal writes")
    options = parser.parse_args()
    with busy(options.busy):
        for count in (1, 2):
            repeat_writes(count)
        if not options.writes:
            on_postgresql(options.seconds)
