"""Searching while boards are stored, changed, deleted and folded: always what a plain scan finds."""

import random
from collections import Counter
from datetime import UTC, datetime, timedelta
from uuid import UUID

import pytest
from django.db import connection

from boards.catalogue.refreshing import refresh
from boards.catalogue.summaries import BY_EVENT, BY_THEME
from boards.models import Board, take_numbers
from deals.models import Deal
from search.conditions import (
    EVERY_BOARD,
    AllOf,
    Among,
    AnyOf,
    Between,
    Bid,
    ChangedSince,
    Condition,
    Not,
    OneOf,
    Tagged,
    Votes,
    Words,
)
from search.facts import FACTS, Choice, Number
from search.facts import number as number_fact
from search.index import top
from search.index.counting import ByFact, Divider, count_values
from search.index.finding import count_boards, find_after, find_page, iterate_boards
from search.index.folding import fold
from search.index.top import find_top
from search.models import IndexRow, Slice
from search.words import BREAK
from tests import factories
from tests.boards.catalogue.comparing import wrong_numbers
from tests.search.plain import PlainBoard, all_plain_boards, plain_numbers, plain_top
from themes.models import Theme
from voting.services import record_votes_of

pytestmark = pytest.mark.django_db

NOON = datetime(2026, 11, 22, 12, tzinfo=UTC)
CALLS = ("Pass", "1C", "1NT", "X", "2H", "3NT")


def store_board(choice: random.Random) -> Board:
    number = choice.randint(1, 40)
    board = factories.board(
        number=number,
        owner=choice.choice([factories.Account.objects.get(pk="ada"), None]),
        themes=tuple(choice.sample(list(Theme.objects.all()), choice.randint(0, 3))),
        published=choice.random() < 0.8,
        votes=(choice.randint(0, 3), choice.randint(0, 3)),
        date=choice.choice(["", "2026.11.20", "2026.11.??", "2026.??.??", "2025.01.31"]),
        event=choice.choice(["", "Friday pairs", "Müllers Friday teams"]),
        commentary=choice.choice(["", "Teams, a pairs hand", "Friday safety play"]),
        difficulty=choice.choice(["", "beginner"]),
    )
    auction = [choice.choice(CALLS) for _ in range(choice.choice([0, 3, 9, 16]))] or None
    contract = choice.choice(["", "Pass", "3NT", "4SX"])
    played = contract not in ("", "Pass")
    Board.objects.filter(pk=board.pk).update(
        auction=auction,
        contract=contract,
        declarer=choice.choice("NESW") if played else "",
        tricks=choice.randint(0, 13) if played and choice.random() < 0.8 else None,
        updated_at=NOON - timedelta(seconds=choice.randint(0, 300)),
    )
    par = {name: {"score": choice.randint(-760, 760) * 10, "contracts": []} for name in ("None", "NS", "EW", "All")}
    if choice.random() < 0.5:
        double_dummy = "".join(choice.choice("0123456789abcd") for _ in range(20))
        Deal.objects.filter(pk=board.deal_id).update(double_dummy_status="done", double_dummy=double_dummy, par=par)
    refresh([board.pk])
    return board


def change(choice: random.Random, boards: list[Board]) -> None:
    """Change a few boards, each in one of the ways in which boards change."""
    for chosen in choice.sample(boards, choice.randint(1, 4)):
        board, themes = Board.objects.get(pk=chosen.pk), list(Theme.objects.all())
        match choice.randrange(8):
            case 0:
                board.unpublish() or board.publish()
            case 1:
                board.themes.set(choice.sample(themes, choice.randint(0, 2)))
            case 2:
                Board.objects.filter(pk=board.pk).update(title=str(choice.random()), updated_at=NOON)
            case 3:
                boards.remove(board)
                board.delete()
                continue
            case 4:
                theme = choice.choice(themes)
                theme.type = choice.choice(["lesson", "convention"])
                theme.save()
                continue
            case 5:
                if board.published_at:  # nobody may vote for a draft
                    votes = {"up_votes": choice.randint(0, 5), "down_votes": choice.randint(0, 5)}
                    Board.objects.filter(pk=board.pk).update(**votes)
                    record_votes_of([board.pk])
                continue
            case _:
                boards.append(store_board(choice))
        refresh([board.pk])


def leaf(choice: random.Random, boards: list[PlainBoard]) -> Condition:
    board = choice.choice(boards)
    match choice.randrange(8):
        case 0 | 1:
            fact = choice.choice([*FACTS.values()])
            if isinstance(fact, Choice):
                return OneOf(fact, tuple(choice.sample(fact.values, choice.randint(1, min(3, len(fact.values))))))
            assert isinstance(fact, Number)
            known = board.values[fact.name]
            value = known if isinstance(known, int) else choice.randint(fact.low, fact.high)
            low, high = value - choice.randint(0, 3), value + choice.randint(0, 3)
            return Between(fact, choice.choice([None, value, low]), choice.choice([None, value, high]))
        case 2 if choice.random() < 0.3:
            name = choice.choice([*Theme.objects.all()]).type
            return Tagged(tuple(f"theme:{pk}" for pk in Theme.objects.filter(type=name).values_list("pk", flat=True)))
        case 2:
            return Tagged(tuple(choice.sample(sorted(board.tags), 2)))
        case 3 if board.calls:
            calls, from_the_start = board.calls.strip("-").split("-"), choice.random() < 0.5
            start = 0 if from_the_start else choice.randrange(len(calls))
            run = calls[start : start + choice.randint(1, 15)]
            return Bid("-".join(choice.choice([call, call, "?"]) for call in run), from_the_start)
        case 4:
            words = board.words.replace(BREAK, "").split()
            start = choice.randrange(len(words)) if words else 0
            return Words(" ".join(words[start : start + choice.randint(1, 3)]) or "nothing")
        case 5:
            low, high = sorted(choice.choices(range(-5, 6), k=2))
            return Votes(choice.choice([None, low]), choice.choice([None, high]))
        case 6:
            return Among(tuple(each.board.pk for each in choice.sample(boards, choice.randint(1, 5))))
        case _:
            return ChangedSince(NOON - timedelta(seconds=choice.randint(0, 300), microseconds=choice.randint(0, 9)))


def random_condition(choice: random.Random, boards: list[PlainBoard], depth: int = 3) -> Condition:
    if depth == 0 or choice.random() < 0.4:
        return leaf(choice, boards)
    parts = tuple(random_condition(choice, boards, depth - 1) for _ in range(choice.randint(1, 3)))
    return choice.choice((AnyOf(parts), Not(parts[0]), AllOf(parts), AllOf(parts)))


def assert_found(condition: Condition, boards: list[PlainBoard], choice: random.Random) -> None:
    condition = AllOf((Tagged(("is:published", "is:draft")), condition))
    numbers, limit = plain_numbers(condition, boards), choice.randint(1, 9)
    first = choice.randint(0, len(numbers) + 1)
    assert count_boards(condition) == len(numbers)
    found = find_page(condition, first, limit)
    assert found[:2] == (len(numbers), numbers[first : first + limit])
    assert found.ids == [board.board.pk for number in found.numbers for board in boards if board.number == number]
    assert [number for page in iterate_boards(condition, limit) for number in page.numbers] == numbers
    after = choice.choice(boards).number
    rest = [each for each in numbers if each < after]
    found = find_after(condition, after, limit)
    assert (found[:2], found.has_more) == ((len(numbers), rest[:limit]), len(rest) > limit)
    for each in (condition, AllOf((Tagged(("is:published",)), condition))):
        most_votes = plain_top(each, boards)
        assert find_top(each, first, limit)[:2] == (len(most_votes), most_votes[first : first + limit])


def change_fold_and_search(seed: int, rounds: int, size: int, monkeypatch: pytest.MonkeyPatch) -> None:
    choice = random.Random(seed)
    factories.account("ada")
    for number in range(4):
        factories.theme(type="lesson" if number else "convention")
    boards = []
    for stored in range(size):
        if stored % 5 == 4:  # boards stand in several segments and parts
            take_numbers(choice.choice([20, 600, 32_000]))
        boards.append(store_board(choice))
    for _ in range(rounds):
        change(choice, boards)
        for _ in range(3):
            fold(least=1, rows=choice.choice([2, 7, 32_000]))
        plain = all_plain_boards()
        for condition in (EVERY_BOARD, AnyOf(), *(random_condition(choice, plain) for _ in range(8))):
            monkeypatch.setattr(top, "MAX_WALKED", choice.choice([0, 20_000]))
            monkeypatch.setattr(top, "MAX_SORTED", choice.choice([0, 20_000]))
            assert_found(condition, plain, choice)
        assert wrong_numbers() == []
    if connection.vendor == "postgresql":
        assert Slice.objects.exists() and IndexRow.objects.count() < Board.objects.count()


def test_all_that_is_found_is_what_a_plain_scan_finds(monkeypatch: pytest.MonkeyPatch) -> None:
    change_fold_and_search(0, 2, 16, monkeypatch)


def test_the_counts_of_values_are_those_of_a_plain_scan() -> None:
    choice = random.Random(7)
    factories.account("ada")
    for _ in range(3):
        factories.theme()
    for stored in range(16):
        if stored == 12:
            fold(least=1)
        store_board(choice)
    condition = AllOf((Tagged(("is:published",)), Between(number_fact("north.hcp"), low=6)))
    boards = [board for board in all_plain_boards() if board.meets(condition)]
    themes = [f"theme:{pk}" for pk in Theme.objects.values_list("pk", flat=True)]
    for names in (
        *("level", "level denomination result", "declarer result", "lead vulnerability", "split made", "event"),
        *("event trumps", "north.hcp points", "ns.fit points event", ""),
    ):
        values = [(board, tuple(value_of(board, name) for name in names.split())) for board in boards]
        dividers = [DIVIDERS.get(name) or ByFact(FACTS[name]) for name in names.split()]
        assert not dividers or count_values(condition, dividers) == Counter(found for _, found in values), names
        by_theme = Counter((UUID(tag[6:]), *found) for board, found in values for tag in themes if tag in board.tags)
        assert count_values(condition, [BY_THEME, *dividers]) == by_theme, names


DIVIDERS: dict[str, Divider] = {
    "made": ByFact(FACTS["result"], (-13, 0)),
    "points": ByFact(FACTS["south.hcp"], (0, 8, 12)),
    "event": BY_EVENT,
}


def value_of(board: PlainBoard, name: str) -> int | str | None:
    """Return what a board counts under."""
    match name:
        case "event":
            return board.board.event_slug or None
        case "points":
            points = board.values["south.hcp"]
            assert isinstance(points, int)
            return 0 if points < 8 else 8 if points < 12 else 12
        case "made":
            result = board.values["result"]
            return result if result is None else 0 if int(result) >= 0 else -13
    known = board.values[name]
    return known if known in FACTS[name].values else None
