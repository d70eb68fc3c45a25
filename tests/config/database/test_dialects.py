"""The dialect of triggers is found by trying what the triggers need."""

from collections.abc import Callable
from typing import Any

import pytest
from django.db import DatabaseError, NotSupportedError, connection

from config.database.dialects import trigger_dialect

FEATURES = {
    "postgresql": ("CREATE TYPE", "REFERENCING NEW TABLE", "jsonb_array_elements_text", "INSERT"),
    "sqlite": ("TEMPORARY TRIGGER", "json_each", "INSERT"),
}
"""Words of the statements that a database runs for its dialect."""


def refuse(word: str) -> Callable[..., Any]:
    """Return a wrapper that plays a database which cannot run the statements with this word."""

    def run(execute: Callable[..., Any], sql: str, *others: Any) -> Any:
        if word in sql:
            raise DatabaseError(f"there is no {word} here")
        return execute(sql, *others)

    return run


@pytest.mark.django_db
def test_a_database_gets_the_triggers_that_it_can_run() -> None:
    assert trigger_dialect(connection) == connection.vendor


@pytest.mark.django_db
def test_the_trial_leaves_nothing_behind() -> None:
    trigger_dialect(connection)
    trigger_dialect(connection)
    with connection.cursor() as cursor:
        assert not any("trial" in name for name in connection.introspection.table_names(cursor))
        cursor.execute("SELECT 1")
        assert cursor.fetchone() == (1,)


@pytest.mark.django_db
@pytest.mark.parametrize("feature", FEATURES[connection.vendor])
def test_an_engine_that_lacks_one_feature_is_refused_in_words(feature: str) -> None:
    refusal = pytest.raises(NotSupportedError, match=f"none of the triggers.*{feature}")
    with connection.execute_wrapper(refuse(feature)), refusal:
        trigger_dialect(connection)
