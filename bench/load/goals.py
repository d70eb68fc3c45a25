"""The goals of the service's speed, and whether a run meets them. Ratios are of requests a second, ours ÷ floor."""

from collections.abc import Mapping, Sequence
from statistics import median

from bench.load.cases import CHANGING, KEPT
from bench.load.measuring import Round, rate_ratio

Rounds = Mapping[str, Sequence[Round]]
"""The rounds of each server, by name; the servers' first rounds were run one after the other, and so on."""
Key = tuple[str, str]
"""A case and the way it was measured."""

MIN_RATIOS: Mapping[Key, float] = {
    **{(page, KEPT): 0.95 for page in ("first", "middle", "last")},
    **{(page, CHANGING): 0.65 for page in ("first", "middle", "last")},
    ("crawl", CHANGING): 0.5,
    ("board", KEPT): 0.65,
    ("board", CHANGING): 0.65,
    ("themes", KEPT): 1.2,
    ("themes", CHANGING): 0.7,
    ("304", KEPT): 1.0,
    ("304", CHANGING): 1.0,
    ("vote", KEPT): 0.55,
    ("hot-vote", KEPT): 0.5,
}
MAX_CPU_OF_FILTERS = 3.0
"""How much dearer than the first page without filters one with filters may be, once its count is known."""
MIN_RIVAL_RATIO = 1.0


def at_least(value: float, goal: float) -> str:
    return f"≥ {goal:g} {'met' if value >= goal else 'missed'}"


def at_most(value: float, goal: float) -> str:
    return f"≤ {goal:g} {'met' if value <= goal else 'missed'}"


def goal_of(key: Key, server: str, groups: Mapping[str, str], results: Mapping[Key, Rounds]) -> str:
    """Return the goal of the case beside a server and whether it is met, or nothing where there is none."""
    name, way = key
    goal = MIN_RIVAL_RATIO if server == "litestar" else MIN_RATIOS.get(key)
    if goal and server != "granian":
        return at_least(rate_ratio(results[key][server], results[key]["ours"]), goal)
    first_page = results.get(("first", way))
    if server != "floor" or groups.get(name) not in ("filters", "pairs") or not first_page:
        return ""
    times = median_cpu(results[key]["ours"]) / median_cpu(first_page["ours"])
    return f"{times:.1f} × first, {at_most(times, MAX_CPU_OF_FILTERS)}"


def median_cpu(rounds: Sequence[Round]) -> float:
    return median(each.cpu_ms for each in rounds)
