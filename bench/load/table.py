"""The tables of a run: medians of the rounds, and the ratios that the goals are given in."""

from collections.abc import Mapping, Sequence
from statistics import median

from bench.load.cases import CHANGING
from bench.load.goals import MIN_RIVAL_RATIO, Key, Rounds, at_least, goal_of
from bench.load.measuring import Round, cpu_ratio, rate_ratio
from bench.load.servers import OTHER_FRAMEWORKS

NOISY_SPREAD = 0.3
HEADER = (
    "case",
    "floor req/s",
    "floor CPU ms",
    "p50 / p99",
    "ours req/s",
    "ours CPU ms",
    "p50 / p99",
    "req/s ours ÷ floor",
    "CPU floor ÷ ours",
    "goal",
    "spread",
    "remark",
)
OTHER_HEADER = ("req/s", "CPU ms", "p50 / p99", "req/s ours ÷ its", "CPU its ÷ ours", "goal", "failed")

Results = Mapping[Key, Rounds]


def render(size: int, results: Results, groups: Mapping[str, str]) -> str:
    """Return Markdown tables for a database of that many boards: the floor and ours, then each other server."""
    rows = [(title(key), *cells(key, results, groups)) for key in results]
    tables = [f"{size:,} boards\n\n{markdown([HEADER, *rows])}"]
    for name in dict.fromkeys(name for rounds in results.values() for name in rounds):
        if name not in ("floor", "ours"):
            others = [other_row(key, name, rounds) for key, rounds in results.items() if name in rounds]
            header = ("case", *(f"{name} {what}" for what in OTHER_HEADER[:3]), *OTHER_HEADER[3:])
            tables.append(markdown([header, *others]))
    return "\n".join(tables)


def title(key: Key) -> str:
    name, way = key
    return f"{name}, changing" if way == CHANGING else name


def markdown(rows: Sequence[Sequence[str]]) -> str:
    head, *body = rows
    return "".join(f"| {' | '.join(row)} |\n" for row in (head, ["---"] * len(head), *body))


def cells(key: Key, results: Results, groups: Mapping[str, str]) -> tuple[str, ...]:
    floor, ours = results[key]["floor"], results[key]["ours"]
    widest = widest_spread(floor, ours)
    return (
        *figures(floor),
        *figures(ours),
        f"{rate_ratio(floor, ours):.2f}",
        f"{cpu_ratio(floor, ours):.2f}",
        goal_of(key, groups, results),
        f"{widest:.0%}",
        remark(widest),
    )


def other_row(key: Key, name: str, rounds: Rounds) -> tuple[str, ...]:
    theirs, ours = rounds[name], rounds["ours"]
    rate = rate_ratio(theirs, ours)
    goal = at_least(rate, MIN_RIVAL_RATIO) if name in OTHER_FRAMEWORKS else ""
    failed = sum(each.failed for each in theirs)
    return (
        title(key),
        *figures(theirs),
        f"{rate:.2f}",
        f"{cpu_ratio(theirs, ours):.2f}",
        goal,
        f"{failed:,}",
    )


def figures(rounds: Sequence[Round]) -> tuple[str, str, str]:
    cpu = f"{median(each.application_ms for each in rounds):.2f} + {median(each.database_ms for each in rounds):.2f}"
    latency = f"{median(each.p50 for each in rounds):.1f} / {median(each.p99 for each in rounds):.1f}"
    return f"{median(each.rate for each in rounds):,.0f}", cpu, latency


def widest_spread(*servers: Sequence[Round]) -> float:
    return max(spread([each.cpu_ms for each in rounds]) for rounds in servers)


def remark(widest: float) -> str:
    return "noisy" if widest > NOISY_SPREAD else ""


def spread(values: Sequence[float]) -> float:
    """Return the distance from the least to the greatest, as a part of the median."""
    middle = median(values)
    return (max(values) - min(values)) / middle if middle else 0.0
