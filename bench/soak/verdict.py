"""What a soak found: the first part beside the last one, and what grew more than it may."""

from collections import Counter
from collections.abc import Callable, Sequence
from statistics import median, quantiles

from bench.load.table import markdown
from bench.soak.sampling import Sample
from bench.soak.traffic import SHARES, Answer

MAX_P99_RATIO = 1.3
MAX_MEMORY_GROWTH = 0.05
"""Of the sum of all processes. At 300 MiB in half an hour, a leak of 15 MiB is found."""
MAX_MORE = {"connections": 2, "descriptors": 10, "threads": 4}
"""How many more there may be in the median of the last part. A leak of one in a thousand requests makes more."""

Window = Callable[[float], bool]


def judge(
    answers: Sequence[Answer], samples: Sequence[Sample], *, first: float, last: float, part: float
) -> tuple[str, list[str]]:
    """Return Markdown tables of the part after `first` and of the one before `last`, and what is wrong."""
    windows = [between(first, first + part), between(last - part, last)]
    times, ratio = judge_times(answers, windows)
    held, problems = judge_samples(samples, windows)
    failures = Counter(f"{answer.kind} {answer.status}" for answer in answers if answer.failed)
    if failures:
        problems.insert(0, f"{failures.total():,} of {len(answers):,} requests: {dict(failures)}")
    if ratio > MAX_P99_RATIO:
        problems.append(f"the last p99 is {ratio:.2f} × the first one; {MAX_P99_RATIO} is allowed")
    heading = f"{len(answers):,} requests, {failures.total()} failed; the first and the last {part:.0f} s"
    return f"\n{heading}\n\n{times}\n{held}", problems


def between(begin: float, end: float) -> Window:
    return lambda at: begin <= at < end


def judge_times(answers: Sequence[Answer], windows: Sequence[Window]) -> tuple[str, float]:
    """Return the table of the milliseconds, and the p99 of all requests in the last part over that in the first."""
    rows, ratio = ([("", "requests", "p50 first", "p50 last", "p99 first", "p99 last", "p99 last / first")], 1.0)
    for kind in (*SHARES, "all"):
        parts = [
            [answer.seconds * 1000 for answer in answers if kind in (answer.kind, "all") and within(answer.at)]
            for within in windows
        ]
        if min(map(len, parts)) < 2:
            continue
        (p50, p99), (last_p50, last_p99) = map(percentiles, parts)
        ratio = last_p99 / p99
        times = (f"{value:.1f} ms" for value in (p50, last_p50, p99, last_p99))
        rows.append((kind, f"{sum(map(len, parts)):,}", *times, f"{ratio:.2f}"))
    return markdown(rows), ratio


def percentiles(values: Sequence[float]) -> tuple[float, float]:
    cuts = quantiles(values, n=100, method="inclusive")
    return cuts[49], cuts[98]


def judge_samples(samples: Sequence[Sample], windows: Sequence[Window]) -> tuple[str, list[str]]:
    """Return the table of what the processes held, medians of each part, and what grew beyond its bound."""
    rows, problems = [("", "first", "last", "allowed")], []
    parts = [[sample for sample in samples if within(sample.at)] for within in windows]
    if not all(parts):
        return markdown(rows), ["There are no samples of both parts: run it for longer."]
    for name, more in {"memory": None, **MAX_MORE}.items():
        first, last = (median(amount(sample, name) for sample in part) for part in parts)
        allowed = first + more if more is not None else first * (1 + MAX_MEMORY_GROWTH)
        rows.append((name, *(f"{value:.0f}" for value in (first, last, allowed))))
        if last > allowed:
            problems.append(f"{name} grew from {first:.0f} to {last:.0f}; {allowed:.0f} is allowed")
    ended = set(samples[0].memory) - set(samples[-1].memory)
    rows.append(("load of the machine", *(f"{median(each.load for each in part):.1f}" for part in parts), ""))
    rows.append(("processes that ended", "", str(len(ended)), ""))
    return markdown(rows), problems


def amount(sample: Sample, name: str) -> float:
    return sum(sample.memory.values()) if name == "memory" else getattr(sample, name)
