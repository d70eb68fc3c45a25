"""The harness of `dev.py bench`. Nothing here measures: a test that depends on time would fail on a busy machine."""

import os
import random
import sys
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, HTTPServer
from itertools import combinations
from pathlib import Path
from threading import Thread

import psycopg
import pytest
from django.db import connection

from accounts.models import AuctionSystem
from bench.load import measuring
from bench.load.__main__ import choose
from bench.load.cases import CHANGING, KEPT, MAX_DOCUMENTS, Case, Contents, crawl_paths, make_cases
from bench.load.goals import goal_of
from bench.load.measuring import Round, cpu_ratio, difference, rate_ratio
from bench.load.realistic_boards import random_board, random_record
from bench.load.realistic_boards import random_layout as layout
from bench.load.servers import COMMANDS, RIVALS, Server
from bench.load.table import Results, render, spread
from boards.records import check_storable
from tests.installed import python_packages, require
from tests.system.bench.databases import run_with_database
from tools.environment import LOCKS, ROOT

CONTENTS = Contents(pages=5, board_ids=["a", "b"], theme="stayman", auction_system="acol")
FILTERS = ("theme", "themeType", "dealer", "vulnerability", "auctionSystem", "userId")
NAMES = (
    *("first", "middle", "last", "crawl", "board", "themes", "304", "vote", "hot-vote", "top"),
    *FILTERS,
    *(f"{one}+{other}" for one, other in combinations((*FILTERS, "top"), 2)),
)
SHORT = """
import sys
from bench.load import __main__ as program, measuring
measuring.MIN_REQUESTS, measuring.IDLE_SECONDS = 1, 0.02
for options in (["--rivals", "--cases", "first,board,themes,vote"], ["--cases", "board"]):
    program.main(["--sizes", "40", "--rounds", "1", "--seconds", "1", "--database", sys.argv[1], *options])
"""
BESIDE = """
import sys
from bench import layers
from bench.load import measuring, older
measuring.MIN_REQUESTS, measuring.IDLE_SECONDS = 1, 0.02
_, folder, name = sys.argv
sys.argv[1:] = [folder, "--size", "40", "--rounds", "1", "--seconds", "1", "--cases", "board,vote"]
older.main()
layers.LAYERS, layers.WAYS = {"statements through libpq": None}, layers.WAYS[:1]
sys.argv[1:] = ["--database", name, "--size", "40", "--rounds", "1", "--seconds", "1"]
layers.main()
"""
WRK = """
import sys, time
from http.client import HTTPConnection
*_, url, _, file, method, _ = sys.argv
lines = open(file).read().splitlines()
(seconds,) = (word[2:-1] for word in sys.argv if word.startswith("-d"))
count, started, failed = 4 * int(seconds), time.monotonic(), 0
for number in range(count):
    path, _, token = lines[number % len(lines)].partition("\\t")
    there = HTTPConnection(url.split("/")[2])
    headers = {"Authorization": "Bearer " + token, "Content-Type": "application/json"} if token else {}
    there.request(method, path, '{"vote": "up"}' if token else None, headers)
    failed += there.getresponse().status not in (200, 204)
print("RESULT", count, int((time.monotonic() - started) * 1e6), failed, 900, 2000)
"""
"""A load of four requests for each second, in the place of wrk, which takes the whole second."""


def a_round(rate: float, application_ms: float, database_ms: float = 0.0) -> Round:
    return Round(rate, application_ms, database_ms, p50=1.0, p99=2.0)


FLOOR = [a_round(1000, 0.2, 0.1), a_round(900, 0.2, 0.1), a_round(800, 0.2, 0.1)]
OURS = [a_round(500, 0.4, 0.2), a_round(300, 0.7, 0.2), a_round(400, 0.4, 0.2)]


def test_ratios_are_medians_of_the_rounds_ratios_and_the_spread_is_the_range_as_a_part_of_the_median() -> None:
    figures = (rate_ratio(FLOOR, OURS), cpu_ratio(FLOOR, OURS), spread([1.0, 2.0, 4.0]), spread([3.0]))
    assert figures == pytest.approx((0.5, 0.5, 1.5, 0))


def test_processor_time_counts_new_backends_whole_and_ended_ones_once() -> None:
    before = {0: 100, 11: 50, 12: 30}
    after = {0: 100 + 37, 11: 60, 13: 5}  # 12 ended after 7 more ticks
    assert difference(before, after) == 7 + 10 + 5


def test_the_table_has_a_row_for_each_case_and_calls_a_wide_spread_noisy() -> None:
    results = {("first", KEPT): {"floor": FLOOR, "ours": OURS}, ("last", CHANGING): {"floor": FLOOR, "ours": FLOOR}}
    lines = render(1000, results, {}).splitlines()
    first, last = (line for line in lines if line.startswith(("| first", "| last")))
    assert (
        "| 900 | 0.20 + 0.10 | 1.0 / 2.0 | 400 | 0.40 + 0.20 | 1.0 / 2.0 | 0.50 | 0.50 "
        "| ≥ 0.95 missed | 0 | 50% | noisy |" in first
    )
    assert last.startswith("| last, changing |") and last.endswith("| 1.00 | 1.00 | ≥ 0.65 met | 0 | 0% |  |")


def test_other_servers_have_a_table_of_their_own() -> None:
    failing = [replace(each, failed=600) for each in OURS]
    rounds = {"ours": OURS, "floor": FLOOR, "granian": FLOOR, "litestar": failing}
    table = render(1000, {("first", KEPT): rounds, ("crawl", KEPT): {"ours": OURS, "floor": FLOOR}}, {})
    assert table.count("| first |") == 3 and table.count("| crawl |") == 1
    assert "| case | litestar req/s |" in table and "| 1.00 | 1.00 | ≥ 1 met | 1,800 |" in table
    assert "| 0.50 | 0.50 |  | 0 | 50% |" in table, "our own application under granian is not a rival"


def test_a_filter_is_compared_with_the_page_without_it() -> None:
    results: Results = {
        ("first", KEPT): {"floor": FLOOR, "ours": [a_round(1, 1.0)]},
        ("dealer", KEPT): {"floor": FLOOR, "ours": [a_round(1, 2.0, 1.5)]},
        ("dealer", CHANGING): {"floor": FLOOR, "ours": [a_round(1, 2.0)]},
    }
    groups = {"first": "reads", "dealer": "filters"}
    assert goal_of(("dealer", KEPT), "floor", groups, results) == "3.5 × first, ≤ 3 missed"
    assert goal_of(("dealer", CHANGING), "floor", groups, results) == "", "the page was not measured this way"


def test_cases_are_chosen_by_name_or_group() -> None:
    cases = [Case("first"), Case("theme+top", group="pairs"), Case("dealer", group="filters")]
    assert [case.name for case in choose(cases, ["filters", "first"])] == ["first", "dealer"]
    assert [case.name for case in choose(cases, None)] == ["first", "dealer"]
    with pytest.raises(SystemExit, match="There is no case frist"):
        choose(cases, ["frist"])


def test_a_crawl_of_many_boards_requests_each_page_once() -> None:
    paths = crawl_paths(MAX_DOCUMENTS)
    assert len(set(paths)) == len(paths) == MAX_DOCUMENTS
    assert set(crawl_paths(3)) == {"/api/boards", "/api/boards?page=2", "/api/boards?page=3"}


def test_the_cases_of_the_goals_are_there_and_no_account_votes_through_two_servers() -> None:
    cases = {case.name: case for case in make_cases(CONTENTS)}
    assert cases.keys() >= set(NAMES)
    assert cases["crawl"].ways(changing=False) == [CHANGING], "it is never measured with kept answers"
    assert cases["vote"].ways(changing=True) == [KEPT], "it is measured once"
    assert cases["first"].ways(changing=True) == [KEPT, CHANGING]
    tokens = [{line.split("\t")[1] for line in cases["hot-vote"].lines(server)} for server in COMMANDS]
    assert all(tokens) and len(set.union(*tokens)) == sum(map(len, tokens))


def test_the_same_seed_makes_the_same_legal_boards() -> None:
    for number in range(30):
        record = random_record(number, layout(random.Random(number)), random.Random(number))
        check_storable(record)
        assert bool(record.play) == (number % 3 == 0)
    first, again = (random_board(7, "system", AuctionSystem(pk="acol"), (1, 0), random.Random(7)) for _ in range(2))
    assert (first.pk, first.fingerprint, first.deal.par) == (again.pk, again.fingerprint, again.deal.par)


on_postgresql = pytest.mark.skipif(
    "connection.vendor != 'postgresql'", reason="The bench's seed copies rows as PostgreSQL does."
)


def path_with_wrk(folder: Path, python: str | Path) -> str:
    """Return a PATH on which `wrk` is the program above."""
    (folder / "wrk").write_text(f"#!{python} -IS\n{WRK}")
    (folder / "wrk").chmod(0o755)
    return os.pathsep.join((str(folder), os.environ["PATH"]))


@pytest.mark.django_db
@on_postgresql
def test_failed_requests_of_a_rival_are_counted_and_those_of_ours_end_the_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", path_with_wrk(tmp_path, sys.executable))
    monkeypatch.setattr(measuring, "IDLE_SECONDS", 0.02)
    case = Case("board", ["/api/boards/a"])
    with (
        HTTPServer(("127.0.0.1", 0), BaseHTTPRequestHandler) as broken,  # which answers 501
        psycopg.connect(os.environ["DATABASE_URL"], autocommit=True) as session,
    ):
        Thread(target=broken.serve_forever, daemon=True).start()
        servers = {name: Server(name, broken.server_port, os.getpid()) for name in COMMANDS}
        for name in RIVALS:
            requests, figures = measuring.measure_once(case, servers[name], 1, session)
            assert requests == figures.failed == 4, name
        for name in ("ours", "floor"):
            with pytest.raises(SystemExit, match=f"board on {name}: 4 of 4 requests failed"):
                measuring.measure_once(case, servers[name], 1, session)
        broken.shutdown()


@pytest.mark.django_db
@on_postgresql
def test_the_smallest_bench_runs_with_its_rivals_and_again_after_votes(tmp_path: Path) -> None:
    """Each server must answer as ours does before it is measured: a new field of ours must be one of the rivals too."""
    python = require(lambda: python_packages(LOCKS / "bench.txt")) / "bin" / "python"
    name = f"{connection.settings_dict['NAME']}_load"
    printed = run_with_database(name, str(python), "-c", SHORT, name, PATH=path_with_wrk(tmp_path, python))
    assert "| case | litestar req/s |" in printed
    assert printed.count("| board |") == 4, "three tables of the first run and one of the second"
    assert f"{name}: stored 40 documents" in printed, "the votes have made those of the first run old"


@pytest.mark.django_db
@on_postgresql
def test_a_checkout_is_compared_with_another_and_a_layer_with_none(tmp_path: Path) -> None:
    """This checkout stands for the older one. Of the layers one is enough: each is left out in the same way."""
    name = f"{connection.settings_dict['NAME']}_layers"
    path = path_with_wrk(tmp_path, sys.executable)
    printed = run_with_database(name, sys.executable, "-c", BESIDE, str(ROOT), name, PATH=path)
    for row in ("board, kept", "board, changing", "vote, kept", "statements through libpq"):
        assert printed.count(f"\n| {row} | ") == 1
