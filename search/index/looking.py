"""Looking at boards one by one, for auctions and phrases that slices cannot decide: each is read once for all of these.

What is read are the boards themselves. Only those that have a row in the index have their calls and words there too.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain

import orjson

from config.database import fetch_rows
from search.conditions import Bid, Condition, Words
from search.index.pages import NOTHING, find, is_postgresql
from search.index.rows import over_rows
from search.language.parsing import QueryError
from search.subject import short_call
from search.words import TEXTS, write_words

LookedFor = Bid | Words

CHUNK, CHUNK_OF_TEXTS = 2_000, 500
"""The boards that are read at once. Texts may be long."""

MAX_LETTERS = 10_000_000
"""The letters of the texts that are read for phrases. It takes 35 ns for each, with accents 90 ns."""


def look(condition: Condition, limit: int, looked_for: Sequence[LookedFor]) -> Mapping[LookedFor, frozenset[int]]:
    """Return which of the boards that meet a condition, the newest ones up to a limit, meet each of what is looked for.

    Raise QueryError where their texts are too long altogether.
    """
    met: dict[LookedFor, set[int]] = {each: set() for each in looked_for}
    calls_wanted = [(re.compile(each.pattern).search, met[each]) for each in looked_for if isinstance(each, Bid)]
    words_wanted = [(f" {each.phrase} ", met[each]) for each in looked_for if isinstance(each, Words)]
    read = read_boards(condition, limit, with_words=bool(words_wanted)) if is_postgresql() else read_rows(condition)
    for number, calls, words in read:
        for search, boards in calls_wanted:
            if search(calls):
                boards.add(number)
        for phrase, boards in words_wanted:
            if phrase in words:
                boards.add(number)
    return {each: frozenset(boards) for each, boards in met.items()}


def read_boards(condition: Condition, limit: int, *, with_words: bool) -> Iterator[tuple[int, str, str]]:
    """Yield the number of each board, its calls, and its words where they are wanted, from the board itself."""
    columns = ", ".join(["number", "auction::text", *(TEXTS if with_words else ())])
    sql = f"SELECT {columns} FROM boards_board WHERE number = ANY(%s::bigint[])"
    numbers = find(condition, 0, limit, None, NOTHING).numbers
    size, letters = CHUNK_OF_TEXTS if with_words else CHUNK, 0
    for start in range(0, len(numbers), size):
        for number, stored, *texts in fetch_rows(sql, [numbers[start : start + size]]):
            if with_words and (letters := letters + len(stored or "") + sum(map(len, texts))) > MAX_LETTERS:
                message = f"The boards that may have these words have more than {MAX_LETTERS:,} letters."
                raise QueryError("too_many_texts", f"{message} Add a condition, or leave the quotation marks away.")
            auction = orjson.loads(stored or "[]")
            calls = "-".join(short_call(call if isinstance(call, str) else call[0]) for call in auction)
            said = (call[2] for call in auction if not isinstance(call, str))
            yield number, f"-{calls}-", write_words(chain(texts, said)) if with_words else ""


def read_rows(condition: Condition) -> Iterator[tuple[int, str, str]]:
    """Yield the same on SQLite, whose rows decide phrases by themselves, from the boards' rows in the index."""
    rows = over_rows(condition)
    yield from fetch_rows(f"SELECT number, calls, '' FROM boards_indexrow WHERE {rows.sql}", rows.parameters)
