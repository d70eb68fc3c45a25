"""What it costs to read players' words: `python -m bench.phrases`.

Each example of the table is read, with the themes and auction systems that `load_reference_data` loads, and so are the
longest searches that there may be. Processor time in milliseconds; the median of 20 readings of each text.
"""

import os
from datetime import date
from statistics import median, quantiles
from time import process_time
from uuid import UUID

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tests.settings")
django.setup()

from accounts.models import AuctionSystem  # noqa: E402
from bench.scratch import say  # noqa: E402
from boards.search.language.meaning import is_query  # noqa: E402
from boards.search.language.parsing import MAX_CHARACTERS  # noqa: E402
from boards.search.language.understanding import understand  # noqa: E402
from boards.search.phrases.names import vocabulary_of  # noqa: E402
from boards.search.phrases.table import PHRASES  # noqa: E402
from themes.labels import LabelCache  # noqa: E402
from themes.management.commands.load_reference_data import read_data  # noqa: E402
from themes.models import Theme  # noqa: E402

RUNS = 20
TODAY = date(2026, 11, 27)


def reference_labels() -> LabelCache:
    themes = [
        Theme(id=UUID(int=number), identifier=entry["identifier"], type=entry["type"], labels=entry["labels"])
        for number, entry in enumerate(read_data("themes", "themes.json")["themes"])
    ]
    systems = {
        entry["identifier"]: AuctionSystem(identifier=entry["identifier"], labels=entry["labels"])
        for entry in read_data("accounts", "auction_systems.json")
    }
    return LabelCache(None, {theme.pk: theme for theme in themes}, systems)


def milliseconds(text: str, labels: LabelCache) -> float:
    """Return what it costs to read a text, without what is kept of it."""
    times = []
    for _ in range(RUNS):
        understand.cache_clear()
        is_query.cache_clear()
        start = process_time()
        understand(text, labels, TODAY)
        times.append(1_000 * (process_time() - start))
    return median(times)


def main() -> None:
    labels = reference_labels()
    start = process_time()
    vocabulary_of(labels)
    say(f"all phrases as a tree, once for each change of a label: {1_000 * (process_time() - start):.0f} ms")
    costs = {phrase.example: milliseconds(phrase.example, labels) for phrase in PHRASES}
    dearest = max(costs, key=lambda text: costs[text])
    say(
        f"{len(costs)} examples: median {median(costs.values()):.2f} ms, 95 % {quantiles(costs.values(), n=20)[-1]:.2f}"
    )
    say(f"the dearest: {costs[dearest]:.2f} ms, {dearest}")
    for words in ("South has 5 spades and 4 hearts ", "xyzzy ", dearest + " "):
        half, whole = (words * (size // len(words)) for size in (MAX_CHARACTERS // 2, MAX_CHARACTERS))
        say(
            f"{len(whole)} characters of {words!r}: {milliseconds(whole, labels):.1f} ms, half of it"
            f" {milliseconds(half, labels):.1f}"
        )


if __name__ == "__main__":
    main()
