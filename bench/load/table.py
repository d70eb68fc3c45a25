"""The tables of a run: medians of the rounds, and the ratios that the goals are given in."""

from collections.abc import Mapping, Sequence
from statistics import median

from bench.load.cases import CHANGING
from bench.load.goals import Key, Rounds, goal_of
from bench.load.measuring import Round, cpu_ratio, rate_ratio

NOISY_SPREAD = 0.3

Results = Mapping[Key, Rounds]


def render(size: int, results: Results, groups: Mapping[str, str]) -> str:
    """Return Markdown tables for a database of that many boards: one for each server beside ours."""
    tables = [f"{size:,} boards\n"]
    for name in dict.fromkeys(name for rounds in results.values() for name in rounds if name != "ours"):
        rows = [row(key, name, results, groups) for key, rounds in results.items() if name in rounds]
        tables.append(markdown([header(name), *rows]))
    return "\n".join(tables)


def markdown(rows: Sequence[Sequence[str]]) -> str:
    head, *body = rows
    return "".join(f"| {' | '.join(row)} |\n" for row in (head, ["---"] * len(head), *body))


def header(name: str) -> tuple[str, ...]:
    servers = (f"{server} {what}" for server in (name, "ours") for what in ("req/s", "CPU ms", "p50 / p99"))
    return ("case", *servers, f"req/s ours ÷ {name}", f"CPU {name} ÷ ours", "goal", "failed", "spread", "remark")


def row(key: Key, name: str, results: Results, groups: Mapping[str, str]) -> tuple[str, ...]:
    theirs, ours = results[key][name], results[key]["ours"]
    widest = max(spread([each.cpu_ms for each in rounds]) for rounds in (theirs, ours))
    return (
        f"{key[0]}, changing" if key[1] == CHANGING else key[0],
        *figures(theirs),
        *figures(ours),
        f"{rate_ratio(theirs, ours):.2f}",
        f"{cpu_ratio(theirs, ours):.2f}",
        goal_of(key, name, groups, results),
        f"{sum(each.failed for each in theirs):,}",
        f"{widest:.0%}",
        "noisy" if widest > NOISY_SPREAD else "",
    )


def figures(rounds: Sequence[Round]) -> tuple[str, str, str]:
    cpu = f"{median(each.application_ms for each in rounds):.2f} + {median(each.database_ms for each in rounds):.2f}"
    latency = f"{median(each.p50 for each in rounds):.1f} / {median(each.p99 for each in rounds):.1f}"
    return f"{median(each.rate for each in rounds):,.0f}", cpu, latency


def spread(values: Sequence[float]) -> float:
    """Return the distance from the least to the greatest, as a part of the median."""
    middle = median(values)
    return (max(values) - min(values)) / middle if middle else 0.0
