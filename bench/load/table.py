"""The table of a run: medians of the rounds, and the ratios that the goals are given in."""

from collections.abc import Mapping, Sequence
from statistics import median

from bench.load.measuring import Round

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
    "spread",
    "remark",
)
RIVAL_HEADER = ("req/s", "CPU ms", "p50 / p99", "req/s ours ÷ its", "CPU its ÷ ours")

Rounds = Mapping[str, Sequence[Round]]
"""The rounds of each server, by name; the servers' first rounds were run one after the other, and so on."""


def render(size: int, cases: Mapping[str, Rounds]) -> str:
    """Return a Markdown table for a database of that many boards."""
    tables = [markdown([HEADER, *(row(name, rounds) for name, rounds in cases.items())])]
    rivals = [name for name in next(iter(cases.values())) if name not in ("floor", "ours")]
    if rivals:
        heads = (f"{rival} {what}" for rival in rivals for what in RIVAL_HEADER)
        rows = (rival_row(name, rounds, rivals) for name, rounds in cases.items())
        tables.append(markdown([("case", *heads), *rows]))
    return f"{size:,} boards\n\n" + "\n".join(tables)


def markdown(rows: Sequence[Sequence[str]]) -> str:
    head, *body = rows
    return "".join(f"| {' | '.join(cells)} |\n" for cells in (head, ["---"] * len(head), *body))


def render_growth(results: Mapping[int, Mapping[str, Rounds]]) -> str:
    """Return a Markdown table of our processor time at each size, and what the largest costs beside the smallest."""
    sizes = sorted(results)
    cells = [("case", *(f"{size:,} boards" for size in sizes), "largest ÷ smallest")]
    for name in results[sizes[0]]:
        costs = [median(each.cpu_ms for each in results[size][name]["ours"]) for size in sizes]
        cells.append((name, *(f"{cost:.2f} ms" for cost in costs), f"{costs[-1] / costs[0]:.2f}"))
    return f"Our CPU a request as the boards grow\n\n{markdown(cells)}"


def row(name: str, rounds: Rounds) -> tuple[str, ...]:
    floor, ours = rounds["floor"], rounds["ours"]
    widest = max(spread([each.cpu_ms for each in one]) for one in (floor, ours))
    return (
        name,
        *figures(floor),
        *figures(ours),
        f"{rate_ratio(floor, ours):.2f}",
        f"{cpu_ratio(floor, ours):.2f}",
        f"{widest:.0%}",
        "noisy" if widest > NOISY_SPREAD else "",
    )


def rival_row(name: str, rounds: Rounds, rivals: Sequence[str]) -> tuple[str, ...]:
    cells = [name]
    for rival in rivals:
        theirs, ours = rounds[rival], rounds["ours"]
        cells += [*figures(theirs), f"{rate_ratio(theirs, ours):.2f}", f"{cpu_ratio(theirs, ours):.2f}"]
    return tuple(cells)


def figures(rounds: Sequence[Round]) -> tuple[str, str, str]:
    cpu = f"{median(each.application_ms for each in rounds):.2f} + {median(each.database_ms for each in rounds):.2f}"
    latency = f"{median(each.p50 for each in rounds):.1f} / {median(each.p99 for each in rounds):.1f}"
    return f"{median(each.rate for each in rounds):,.0f}", cpu, latency


def rate_ratio(theirs: Sequence[Round], ours: Sequence[Round]) -> float:
    """Return our requests a second as a part of another server's: the median of the rounds' ratios."""
    return median(our.rate / its.rate for our, its in zip(ours, theirs, strict=True))


def cpu_ratio(theirs: Sequence[Round], ours: Sequence[Round]) -> float:
    """Return another server's processor time as a part of ours: the median of the rounds' ratios. 1 is as cheap."""
    return median(its.cpu_ms / our.cpu_ms for our, its in zip(ours, theirs, strict=True))


def spread(values: Sequence[float]) -> float:
    """Return the distance from the least to the greatest, as a part of the median."""
    middle = median(values)
    return (max(values) - min(values)) / middle if middle else 0.0
