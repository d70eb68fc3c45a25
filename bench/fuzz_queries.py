"""`python -m bench.fuzz_queries`: random and mutated queries. None may raise anything but QueryError.

Each begins with examples of the guide. What is no query must say where and at which word. What is one must
become SQL, over rows and over slices. It needs no database, and exits with 1 when anything is otherwise.
"""

import argparse
import random
import time
import traceback
from collections import Counter

from bench.scratch import say
from boards.search.conditions import Condition
from boards.search.language.errors import QueryError
from boards.search.language.parsing import MAX_CHARACTERS
from boards.search.language.queries import parse_query
from boards.search.language.words import BOARD_WORDS, HAND_WORDS, HOLDERS
from boards.search.rows import over_rows
from boards.search.slices import SliceSql
from tests.boards.search.language.known import names
from tests.boards.search.test_searching import EXAMPLES

SIGNS = "\"'()=<>:*^!,.- \n\0\x1b\x7f\u0085\u2028\u202e\ufeff٣²İß𝟙\ud800👍"
VALUES = "OR -( .. >= ^= *= squeeze votes=..0 votes>=3 1e9 9999-12-31 0000 2026-02-30 theme=stayman owner=me event=a-b"
PIECES = [*SIGNS, *VALUES.split(" "), " OR ", "auction*=1N-P-2C-P-2H", "9" * 400, "-" + "9" * 30]
PIECES += [*BOARD_WORDS, *HAND_WORDS, *HOLDERS]


def make_text(choice: random.Random) -> str:
    """Return a few examples in one text, nested or not, which was changed in some places."""
    examples = choice.choices(EXAMPLES, k=choice.choice((1, 1, 2, 3, 12)))
    text = choice.choice((" ", " OR ", "", ",")).join(examples)
    if choice.random() < 0.2:
        depth, opening = choice.choice((1, 2, 7, 8, 9, 400)), choice.choice(("(", "-(", "any(", "-any(("))
        text = opening * depth + text + ")" * choice.choice((depth, depth + 1))
    for _ in range(choice.choice((0, 1, 1, 2, 3, 6, 20))):
        text = mutate(text, choice)
    return text if choice.random() < 0.5 else text[:MAX_CHARACTERS]


def mutate(text: str, choice: random.Random) -> str:
    start = choice.randint(0, len(text))
    stop = min(len(text), start + choice.choice((0, 1, 1, 2, 5)))
    part, highest = text[start:stop], choice.choice((128, 0x3000, 0x110000))
    odd = "".join(chr(choice.randrange(highest)) for _ in range(choice.randint(1, 8)))
    changed = choice.choice(("", part * choice.choice((2, 3, 50)), part[::-1], choice.choice(PIECES), odd))
    return text[:start] + changed + text[stop:]


def read(text: str) -> Condition | QueryError:
    try:
        return parse_query(text, names())
    except QueryError as error:
        return error


def check(text: str, found: Condition | QueryError) -> None:
    """Raise AssertionError for an error that does not say where it is, or a condition without SQL."""
    if not isinstance(found, QueryError):
        assert over_rows(found).sql and SliceSql(found).sql
        return
    assert 0 <= found.position <= len(text), found.position
    assert text.startswith(found.word, found.position), (found.position, found.word)
    assert found.message.strip()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=100_000)
    count = parser.parse_args().count
    choice, done = random.Random(0), Counter[str]()
    slowest, slowest_text = 0.0, ""
    for _ in range(count):
        text = make_text(choice)
        try:
            started = time.thread_time()
            found = read(text)
            spent = time.thread_time() - started
            check(text, found)
        except Exception:  # whatever it is, it is what this looks for
            done["WRONG"] += 1
            say(f"WRONG: {text!r:.1500}\n{traceback.format_exc(limit=-3)}")
            continue
        done[found.code if isinstance(found, QueryError) else "a query"] += 1
        if spent > slowest:
            slowest, slowest_text = spent, text
    for name, count in done.most_common():
        say(f"{name}: {count:,}")
    say(f"slowest: {slowest * 1e6:,.0f} µs of processor time for {slowest_text!r:.300}")
    raise SystemExit(1 if done["WRONG"] else 0)


if __name__ == "__main__":
    main()
