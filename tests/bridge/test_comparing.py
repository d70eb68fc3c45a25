"""Matchpoints and IMPs by Law 78."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from bridge.scores import (
    Adjustment,
    Comparison,
    butler,
    compare_by_imps,
    compare_by_matchpoints,
    comparison_for,
    cross_imps,
    datum,
    imps,
    match_imps,
    matchpoints,
    victory_points,
)

SCORES = st.lists(st.integers(-760, 760).map(lambda tens: tens * 10), min_size=1, max_size=12)

# Law 78B as it is printed: the difference in points, from and to, and the IMPs.
LAW_78B = """
20 40 1|50 80 2|90 120 3|130 160 4|170 210 5|220 260 6|270 310 7|320 360 8|370 420 9|430 490 10|500 590 11|600 740 12
750 890 13|900 1090 14|1100 1290 15|1300 1490 16|1500 1740 17|1750 1990 18|2000 2240 19|2250 2490 20|2500 2990 21
3000 3490 22|3500 3990 23|4000 15200 24
"""


def test_imps_are_those_of_the_law_for_either_side() -> None:
    rows = [tuple(map(int, row.split())) for row in LAW_78B.strip().replace("\n", "|").split("|")]
    expected = {difference: points for first, last, points in rows for difference in range(first, last + 1, 10)}
    assert {difference: imps(difference) for difference in range(20, 15_201, 10)} == expected
    assert (imps(0), imps(10), imps(-10), max(expected.values())) == (0, 0, 0, 24)
    assert all(imps(-difference) == -imps(difference) for difference in range(15_201))


@given(SCORES)
@example([])
def test_matchpoints_are_two_for_each_lower_score_and_one_for_each_equal_one(scores: list[int]) -> None:
    points = matchpoints(scores)
    assert sum(points) == len(scores) * (len(scores) - 1)
    assert points == [sum(2 * (other < score) + (other == score) for other in scores) - 1 for score in scores]
    assert matchpoints([420, 450, -50, 420]) == [3, 6, 0, 3]


@given(SCORES)
def test_a_table_has_the_mean_of_its_comparisons_with_all_others(scores: list[int]) -> None:
    assert sum(cross_imps(scores)) == pytest.approx(0)
    for some, points in (([420, -50], [10, -10]), ([420, 420, -50], [5, 5, -10]), ([420], [0])):
        assert cross_imps(some) == points


def test_fewer_scores_than_on_other_boards_are_enlarged_by_neubergs_formula() -> None:
    # Five scores of six in a three-quarter Howell, and the points that the club's program published.
    for scores, points in (
        ([300, 200, 100, 100, 100], [9.8, 7.4, 2.6, 2.6, 2.6]),
        ([300, -500, -620, -650, -650], [9.8, 7.4, 5, 1.4, 1.4]),
    ):
        assert compare_by_matchpoints(scores, 6) == pytest.approx(points)
    assert compare_by_matchpoints([420, 400], 2) == compare_by_matchpoints([420, 400]) == [2, 0]
    assert compare_by_matchpoints([420, Adjustment(50, 50)], 5) == [4, 4], "the only score is the average"


def test_butler_is_imps_against_the_mean_with_or_without_the_extremes() -> None:
    for scores, of_all, without_extremes in (
        # The last are data and IMPs that clubs published.
        *(([], 0, 0), ([-50], -50, -50), ([100, 200], 150, 150), ([0, 10, 10], 10, 10), ([-15, 5], -10, -10)),
        *(([50, -50, -100], -30, -50), ([50, -460, -490, -430], -330, -450)),
        ([-420, 50, 50, -420, -450, -140, -420], -250, -270),
    ):
        assert datum(scores) == of_all and datum(scores, without_extremes=True) == without_extremes, scores
    assert butler([50, -460, -490, -430], without_extremes=True) == [11, 0, -1, 1]
    assert butler([50, -50, -100]) == [2, -1, -2]


def test_an_adjusted_score_counts_its_percentage_of_a_top_or_the_imps_of_an_average() -> None:
    results = [420, Adjustment(60, 40), -50, Adjustment(55, 45)]
    assert compare_by_matchpoints(results) == pytest.approx([5, 3.6, 1, 3.3])
    assert compare_by_imps(results, cross_imps) == [10, 3, -10, None]
    assert compare_by_matchpoints([Adjustment(50, 50)] * 2) == [1, 1]
    assert [match_imps(*pair) for pair in ((420, -50), (-50, Adjustment(60, 40)), (Adjustment(60, 40), -50))] == [
        *(10, -3, 3),
    ]


def test_the_scoring_says_how_tables_are_compared() -> None:
    for scoring in ("MP", "MatchPoints", "BAM"):
        assert comparison_for(scoring, is_match=True) is Comparison.MATCHPOINTS, scoring
    for scoring, comparison in (
        ("Butler", Comparison.BUTLER),
        ("IMP;Butler-2;Mean", Comparison.BUTLER_WITHOUT_EXTREMES),
    ):
        assert comparison_for(scoring, is_match=False) is comparison, scoring
    for scoring in ("IMP", "Instant;IMPs", "IMP;Cross2"):
        assert comparison_for(scoring, is_match=False) is Comparison.IMPS, scoring
    assert comparison_for("", is_match=True) is Comparison.IMPS
    assert comparison_for("", is_match=False) is comparison_for("Rubber", is_match=False) is Comparison.MATCHPOINTS


def test_victory_points_are_those_of_the_world_bridge_federation() -> None:
    for margin, boards, points in (
        # Fourteen boards, as the bulletin of the International Bridge Press Association printed them in May 2013.
        *((2, 14, (10.66, 9.34)), (7, 14, (12.16, 7.84)), (10, 14, (12.97, 7.03)), (20, 14, (15.26, 4.74))),
        # A third of the largest margin is worth half of the ten points: 1 − τ is the half of 1 − τ³.
        (20, 16, (15.0, 5.0)),
        *((0, 1, (10, 10)), (0, 32, (10, 10))),
        *((60, 16, (20, 0)), (59, 16, (19.92, 0.08)), (61, 16, (20, 0)), (300, 16, (20, 0))),
        *((15, 1, (20, 0)), (-15, 1, (0, 20)), (-20, 14, (4.74, 15.26))),
    ):
        assert victory_points(margin, boards) == points, (margin, boards)


@given(st.integers(0, 300), st.integers(1, 128))
def test_a_larger_margin_is_never_worth_less_and_both_sides_have_twenty_points(margin: int, boards: int) -> None:
    points, more = victory_points(margin, boards), victory_points(margin + 1, boards)
    assert points[0] <= more[0] <= 20 and sum(points) == pytest.approx(20)
    assert victory_points(-margin, boards) == points[::-1]
    assert margin < 15 * boards**0.5 or points == (20, 0)
