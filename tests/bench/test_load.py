"""The harness of `dev.py bench`. Nothing here measures: a test that depends on time would fail on a busy machine."""

import random

import pytest

from bench.load.__main__ import parse
from bench.load.cases import MAX_DOCUMENTS, Contents, crawl_paths, make_cases
from bench.load.measuring import Round, difference, read_result
from bench.load.realistic_boards import random_board, random_record
from bench.load.realistic_boards import random_layout as layout
from bench.load.servers import COMMANDS
from bench.load.table import cpu_ratio, rate_ratio, render, render_growth, spread
from boards.records import check_storable

CONTENTS = Contents(pages=5, board_ids=["a", "b"], theme_id="stayman", auction_system="acol")


def a_round(rate: float, application_ms: float, database_ms: float = 0.0) -> Round:
    return Round(rate, application_ms, database_ms, p50=1.0, p99=2.0)


FLOOR = [a_round(1000, 0.2, 0.1), a_round(900, 0.2, 0.1), a_round(800, 0.2, 0.1)]
OURS = [a_round(500, 0.4, 0.2), a_round(300, 0.7, 0.2), a_round(400, 0.4, 0.2)]


def test_ratios_are_medians_of_the_rounds_ratios() -> None:
    assert rate_ratio(FLOOR, OURS) == pytest.approx(0.5)
    assert cpu_ratio(FLOOR, OURS) == pytest.approx(0.5)


def test_the_spread_is_the_range_as_a_part_of_the_median() -> None:
    assert spread([1.0, 2.0, 4.0]) == pytest.approx(1.5)
    assert spread([3.0]) == 0


def test_the_table_has_a_row_for_each_case_and_calls_a_wide_spread_noisy() -> None:
    lines = render(1000, {"first": {"floor": FLOOR, "ours": OURS}, "last": {"floor": FLOOR, "ours": FLOOR}})
    first, last = (line for line in lines.splitlines() if line.startswith(("| first", "| last")))
    assert (
        "| 900 | 0.20 + 0.10 | 1.0 / 2.0 | 400 | 0.40 + 0.20 | 1.0 / 2.0 | 0.50 | 0.50 | 50% | noisy |"
        in first
    )
    assert last.endswith("| 1.00 | 1.00 | 0% |  |")


def test_rivals_have_a_table_of_their_own() -> None:
    table = render(1000, {"first": {"ours": OURS, "floor": FLOOR, "fastapi": OURS, "litestar": FLOOR}})
    assert table.count("| first |") == 2
    assert "| case | fastapi req/s |" in table and "| 1.00 | 1.00 | 900 |" in table


def test_growth_compares_the_largest_size_with_the_smallest() -> None:
    cheap, dear = {"first": {"ours": [a_round(1, 2.0)]}}, {"first": {"ours": [a_round(1, 3.0)]}}
    assert "| first | 2.00 ms | 3.00 ms | 1.50 |" in render_growth({100_000: dear, 1_000: cheap})


def test_processor_time_counts_new_backends_whole_and_ended_ones_once() -> None:
    before = {0: 100, 11: 50, 12: 30}
    after = {0: 100 + 37, 11: 60, 13: 5}  # 12 ended after 7 more ticks
    assert difference(before, after) == 7 + 10 + 5


def test_the_result_is_read_among_the_other_lines_of_wrk() -> None:
    assert read_result("Running 1s test\nRESULT 10 1000000 0 900 2000\n") == (10, 1_000_000, 0, 900, 2000)


def test_a_crawl_of_many_boards_requests_each_page_once() -> None:
    paths = crawl_paths(MAX_DOCUMENTS)
    assert len(set(paths)) == len(paths) == MAX_DOCUMENTS
    assert set(crawl_paths(3)) == {"/api/boards", "/api/boards?page=2", "/api/boards?page=3"}


def test_no_account_votes_through_two_servers() -> None:
    hot = next(case for case in make_cases(CONTENTS) if case.name == "hot-vote")
    tokens = [{line.split("\t")[1] for line in hot.lines(server)} for server in COMMANDS]
    assert all(tokens) and len(set.union(*tokens)) == sum(map(len, tokens))


def test_the_cases_of_the_goals_are_there() -> None:
    names = {case.name for case in make_cases(CONTENTS)}
    assert names >= {
        "first",
        "middle",
        "last",
        "crawl",
        "board",
        "themes",
        "304",
        "vote",
        "hot-vote",
        "theme",
        "top",
    }


def test_the_same_seed_makes_the_same_legal_boards() -> None:
    for number in range(30):
        record = random_record(number, layout(random.Random(number)), random.Random(number))
        check_storable(record)
        assert bool(record.play) == (number % 3 == 0)
    first, again = (random_board(7, "system", "acol", (1, 0), random.Random(7)) for _ in range(2))
    assert (first.pk, first.fingerprint, first.deal.par) == (again.pk, again.fingerprint, again.deal.par)


def test_sizes_are_read_from_a_list() -> None:
    assert parse(["--sizes", "1000,1000000"]).sizes == [1_000, 1_000_000]
