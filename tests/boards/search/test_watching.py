"""What operators see of the index."""

import pytest

from boards.models import Segment
from boards.search import watching
from boards.search.segments import fold_all
from boards.search.watching import gauges, trouble_of_index
from tests import factories
from tests.boards.search.ways import postgresql_only

pytestmark = [pytest.mark.django_db, postgresql_only]


def values() -> dict[str, float]:
    return {sample.name: sample.value for family in gauges() for sample in family.samples}


def test_the_gauges_count_rows_dead_positions_and_segments() -> None:
    board = factories.board()
    assert values()["bridge_boards_index_rows"] == 1
    fold_all()
    assert values()["bridge_boards_index_rows"] == values()["bridge_boards_index_age_seconds"] == 0
    board.delete()
    assert values()["bridge_boards_index_dead"] == 1
    (segments,) = [family for family in gauges() if family.name == "bridge_boards_index_segments"]
    assert {sample.labels["format"]: sample.value for sample in segments.samples} == {"current": 1, "old": 0}


def test_readers_are_told_of_an_old_index_and_of_one_that_nobody_folds(monkeypatch: pytest.MonkeyPatch) -> None:
    factories.board()
    assert trouble_of_index() == ""
    monkeypatch.setattr(watching, "MANY_ROWS", 1)
    assert trouble_of_index().startswith("Many boards wait")
    fold_all()
    assert trouble_of_index() == ""
    Segment.objects.update(format=1)
    assert "index_boards --missing" in trouble_of_index()
