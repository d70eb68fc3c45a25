"""Searching while boards change and are folded, at greater length than tests/search/test_finding.py."""

import pytest

from tests.search.test_finding import change_fold_and_search

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("seed", range(1, 4))
def test_all_that_is_found_is_what_a_plain_scan_finds(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    change_fold_and_search(seed, 12, 30, monkeypatch)
