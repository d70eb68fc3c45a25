"""What it costs to read players' words: `python -m bench.phrases`.

The example of each phrase is read, with the themes and auction systems that `load_reference_data` loads, and so are the
longest searches that there may be: each word that is known, again and again. Processor time in milliseconds; the median
of 20 readings of each text, and of the long ones of a word the only one.
"""

import os
from datetime import date
from statistics import median, quantiles
from string import ascii_lowercase, digits
from time import process_time
from uuid import UUID

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tests.settings")
django.setup()

from accounts.models import AuctionSystem  # noqa: E402
from bench.scratch import say  # noqa: E402
from search.language.meaning import can_answer  # noqa: E402
from search.language.parsing import MAX_CHARACTERS  # noqa: E402
from search.language.understanding import understand  # noqa: E402
from search.phrases.names import vocabulary_of  # noqa: E402
from search.phrases.phrasebook import ENGLISH  # noqa: E402
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


def milliseconds(text: str, labels: LabelCache, runs: int = RUNS) -> float:
    """Return what it costs to read a text, without what is kept of it."""
    times = []
    for _ in range(runs):
        can_answer.cache_clear()
        start = process_time()
        understand(text, labels, TODAY)
        times.append(1_000 * (process_time() - start))
    return median(times)


def main() -> None:
    labels = reference_labels()
    start = process_time()
    vocabulary_of(labels, ENGLISH)
    say(f"all phrases as a tree, once for each change of a label: {1_000 * (process_time() - start):.0f} ms")
    costs = {phrase.example: milliseconds(phrase.example, labels) for phrase in ENGLISH.phrases}
    dearest = max(costs, key=lambda text: costs[text])
    say(
        f"{len(costs)} examples: median {median(costs.values()):.2f} ms, 95 % {quantiles(costs.values(), n=20)[-1]:.2f}"
    )
    say(f"the dearest: {costs[dearest]:.2f} ms, {dearest}")
    known = {
        f"{word} " for word in {*vocabulary_of(labels, ENGLISH).known, *ascii_lowercase, *digits} if word.isalnum()
    }
    long = {words: milliseconds(words * (MAX_CHARACTERS // len(words)), labels, runs=1) for words in known}
    dearest_words = sorted(known, key=lambda words: long[words])[-3:]
    for words in ("South has 5 spades and 4 hearts ", "xyzzy ", dearest + " ", *dearest_words):
        half, whole = (words * (size // len(words)) for size in (MAX_CHARACTERS // 2, MAX_CHARACTERS))
        say(
            f"{len(whole)} characters of {words!r}: {milliseconds(whole, labels):.1f} ms, half of it"
            f" {milliseconds(half, labels):.1f}"
        )


if __name__ == "__main__":
    main()
