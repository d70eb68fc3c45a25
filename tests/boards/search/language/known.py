"""The names that the tests' database would know."""

from boards.search.conditions import Between, Condition, OneOf
from boards.search.facts import FACTS, Choice, number
from boards.search.language.parsing import QueryError
from boards.search.language.queries import parse_query
from boards.search.language.values import Names

THEMES = {"stayman": ["t1", "t2"], "Squeeze": ["t3"], "t3": ["t3"]}
SYSTEMS = {"acol": ["acol"], "sayc": ["5"]}
TYPES = {"convention": ["t1", "t2"], "declarer_play": ["t3"]}


def names(account_id: str | None = "ada") -> Names:
    return Names(
        theme_ids=lambda name: THEMES.get(name, []),
        auction_system_ids=lambda name: SYSTEMS.get(name, []),
        themes=lambda: THEMES,
        theme_ids_of_type=lambda name: TYPES.get(name, []),
        theme_types=lambda: TYPES,
        auction_systems=lambda: SYSTEMS,
        account_id=account_id,
    )


def parse(text: str) -> Condition:
    return parse_query(text, names())


def error_of(text: str, account_id: str | None = "ada") -> QueryError:
    try:
        condition = parse_query(text, names(account_id))
    except QueryError as error:
        return error
    raise AssertionError(f"{text} means {condition}")


def between(name: str, low: int | None = None, high: int | None = None) -> Between:
    return Between(number(name), low, high)


def one_of(name: str, *values: str) -> OneOf:
    fact = FACTS[name]
    assert isinstance(fact, Choice)
    return OneOf(fact, values)
