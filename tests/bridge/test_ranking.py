"""Rankings of pairs, beside a plain reckoning by the laws, and what is always true of one."""

from collections import defaultdict
from collections.abc import Sequence
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bridge.ranking import Played, find_repeated, has_two_fields, rank
from bridge.scores import Adjustment, Comparison

MP = Comparison.MATCHPOINTS


def reckon(boards: Sequence[Sequence[Played]]) -> dict[str, float]:
    """Return the percentages of a Mitchell's two fields or a Howell's one, as the laws say them, table by table.

    Two points for each worse score and one for each equal one (Law 78A). Where a board has n results of at most N,
    m points are (m + 1) * N / n - 1 of 2 * (N - 1), which is Neuberg's formula.
    """
    most = max(map(len, boards))
    top, percents = 2 * (most - 1), defaultdict[str, list[float]](list)
    for board in boards:
        scores = [table.result for table in board if isinstance(table.result, int)]
        for table, north_south in zip(board, scores, strict=True):
            for side, sign in enumerate((1, -1)):
                own, score = [sign * other for other in scores], sign * north_south
                points = sum(2 * (score > other) + (score == other) for other in own) - 1
                percents[table.pairs[side]].append(100 * ((points + 1) * most / len(board) - 1) / top)
    return {pair: sum(found) / len(found) for pair, found in percents.items()}


def seat_mitchell(random: Random) -> list[list[Played]]:
    """Seat nine tables for nine rounds of two boards: North-South are 1 to 9 and stay, East-West 11 to 19 move."""
    return [
        [Played(f"{table + 1}", f"{11 + (table + turn) % 9}", random.choice(SCORES)) for table in range(9)]
        for turn in range(9)
        for _ in range(2)
    ]


def seat_howell(random: Random) -> list[list[Played]]:
    """Seat eight pairs that all meet, three boards a round. Pair 8 leaves early: its last boards have a table less."""
    boards = []
    for turn in range(7):
        pairs = [("8", f"{turn + 1}")] * (turn < 5)
        pairs += [(f"{(turn + step) % 7 + 1}", f"{(turn - step) % 7 + 1}") for step in (1, 2, 3)]
        for number in range(3):
            seated = [pair if number % 2 else pair[::-1] for pair in pairs]
            boards.append([Played(*pair, random.choice(SCORES)) for pair in seated])
    return boards


SCORES = (-620, -420, -170, -110, -100, -50, 50, 90, 100, 110, 140, 420, 430, 620, 630)


def test_evenings_are_ranked_as_the_laws_count_them_table_by_table() -> None:
    differ = {}
    for seed, seat in ((1, seat_mitchell), (2, seat_mitchell), (3, seat_howell), (4, seat_howell)):
        boards = seat(Random(seed))
        fields, reckoned = rank(boards, MP), reckon(boards)
        assert len(fields) == (2 if seat is seat_mitchell else 1)
        for place in (place for field in fields for place in field.places):
            (field,) = (field for field in fields if place in field.places)
            better = sum(reckoned[other.pair] > reckoned[place.pair] + 1e-9 for other in field.places)
            if place.rank != better + 1 or place.average != pytest.approx(reckoned[place.pair]):
                differ[seed, place.pair] = place, reckoned[place.pair]
    assert differ == {}
    assert {place.boards for place in rank(seat_howell(Random(3)), MP)[0].places} == {15, 18, 21}


def test_a_board_played_fewer_times_counts_by_neuberg_s_formula_for_both_sides() -> None:
    """The worked example that encyclopedias have: six results of seven, 4 of 10 are 4.8333 of 12, 9 are 10.6667."""
    full = [Played(f"{pair}", f"{pair + 7}", 100 * pair) for pair in range(7)]
    fewer = [Played(f"{pair}", f"{pair + 7}", score) for pair, score in enumerate((0, 100, 200, 300, 400, 400))]
    by_side = {field.side: {place.pair: place.points for place in field.places} for field in rank([full, fewer], MP)}
    assert by_side["NS"]["2"] - 4 == pytest.approx(4.8333, abs=1e-4)
    assert by_side["NS"]["5"] - 10 == pytest.approx(10.6667, abs=1e-4)
    assert by_side["EW"]["9"] - 8 == pytest.approx(12 - 4.8333, abs=1e-4)
    assert by_side["NS"]["6"] == 12, "the pair that did not play it has nothing for it"


def test_adjusted_scores_count_for_each_side_and_nothing_is_invented_for_boards_that_were_not_played() -> None:
    boards = [
        [Played("1", "4", 420), Played("2", "5", 50), Played("3", "6", Adjustment(60, 60))],
        [Played("1", "5", 420), Played("2", "6", 420), Played("", "4", -50)],
        [Played("9", "8", 420)],
    ]
    north_south, east_west = (
        {place.pair: (place.boards, round(place.average, 2)) for place in field.places} for field in rank(boards, MP)
    )
    assert north_south == {"1": (2, 81.25), "3": (1, 60), "2": (2, 43.75)}
    assert east_west == {"4": (2, 56.25), "5": (2, 56.25), "6": (2, 42.5)}
    imps = {place.pair: place.points for place in rank(boards, Comparison.IMPS)[1].places}
    assert imps == pytest.approx({"4": -9 + 10, "5": 9 - 5, "6": 3 - 5})


def test_the_numbers_of_pairs_tell_one_field_from_two_and_who_cannot_be_followed() -> None:
    for seating, two in (
        ((("1", "2"), ("3", "4")), True),
        ((("1", "1"), ("2", "2")), True),
        ((("1", "2"),), True),
        ((("", ""),), True),
    ):
        assert has_two_fields([[Played(*pairs, 0) for pairs in seating]]) is two, seating
    howell = [[Played("1", "2", 0), Played("3", "4", 0)], [Played("3", "1", 0), Played("2", "4", 0)]]
    assert not has_two_fields(howell) and find_repeated(howell) == "" == find_repeated([])
    assert find_repeated([*howell, [Played("1", "2", 0), Played("1", "4", 0)]]) == "1"
    assert has_two_fields([]) and rank([], MP) == []


PAIRS = st.integers(2, 7)
EVENINGS = PAIRS.flatmap(
    lambda tables: st.lists(
        st.lists(st.integers(-76, 76).map(lambda tens: tens * 10), min_size=tables, max_size=tables),
        min_size=1,
        max_size=5,
    )
)


def mitchell(evening: Sequence[Sequence[int]], names: Sequence[str]) -> list[list[Played]]:
    """Seat pairs at the tables of each board; those of East-West move on."""
    return [
        [Played(names[table], names[(table + round_number) % len(board)], score) for table, score in enumerate(board)]
        for round_number, board in enumerate(evening)
    ]


@given(EVENINGS, st.sampled_from(list(Comparison)), st.randoms())
def test_other_names_give_the_same_ranks_and_what_all_won_together_is_constant(
    evening: list[list[int]], comparison: Comparison, random: Random
) -> None:
    names = [f"{number + 1}" for number in range(len(evening[0]))]
    others = names[:]
    random.shuffle(others)
    renamed = dict(zip(names, others, strict=True))
    fields, same = rank(mitchell(evening, names), comparison), rank(mitchell(evening, others), comparison)
    for field, other in zip(fields, same, strict=True):
        ranks = {renamed[place.pair]: (place.rank, place.is_shared) for place in field.places}
        assert ranks == {place.pair: (place.rank, place.is_shared) for place in other.places}
        averages = [place.average for place in field.places]
        assert averages == sorted(averages, reverse=True) or averages == pytest.approx(sorted(averages, reverse=True))
        if comparison is MP:
            assert sum(averages) == pytest.approx(50 * len(averages))
        if comparison is Comparison.IMPS:
            assert sum(averages) == pytest.approx(0)
