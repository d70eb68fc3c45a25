"""The dialect in which a database takes our triggers. It is found by trying them, not by the name of a vendor.

So an engine that speaks PostgreSQL's protocol gets PostgreSQL's triggers if it can run them, and an engine that cannot
is refused before a table is changed: without triggers the lists, the counts and the audit log would be wrong later.
"""

from typing import Any

from django.db import DatabaseError, NotSupportedError, transaction

TRIALS = {
    "postgresql": (
        "CREATE TEMPORARY TABLE bridge_trial (id integer, facets jsonb)",
        "CREATE TYPE pg_temp.bridge_trial_place AS (id integer, facets jsonb)",
        """
        CREATE FUNCTION pg_temp.bridge_trial_of_triggers() RETURNS trigger LANGUAGE plpgsql AS $$
        DECLARE come pg_temp.bridge_trial_place[] := ARRAY(
            SELECT (id, facets)::pg_temp.bridge_trial_place FROM new_rows);
        BEGIN
            PERFORM pg_advisory_xact_lock_shared(5200);
            PERFORM name FROM unnest(come), jsonb_array_elements_text(facets) AS name;
            RETURN NULL;
        END $$
        """,
        """
        CREATE TRIGGER bridge_trial_comes AFTER INSERT ON bridge_trial REFERENCING NEW TABLE AS new_rows
        FOR EACH STATEMENT EXECUTE FUNCTION pg_temp.bridge_trial_of_triggers()
        """,
        "INSERT INTO bridge_trial VALUES (1, '[\"all\"]')",
    ),
    "sqlite": (
        "CREATE TEMPORARY TABLE bridge_trial (id integer, facets text)",
        """
        CREATE TEMPORARY TRIGGER bridge_trial_comes AFTER INSERT ON bridge_trial
        WHEN NOT EXISTS (SELECT 1 FROM json_each(NEW.facets)) BEGIN SELECT RAISE(ABORT, 'no list'); END
        """,
        "INSERT INTO bridge_trial VALUES (1, '[\"all\"]')",
    ),
}
"""By dialect, statements that need all that our triggers in this dialect need. Nothing of them stays."""


def trigger_dialect(connection: Any) -> str:
    """Return the name in TRIALS of the dialect whose triggers this connection's database can run.

    Raise NotSupportedError when it can run none. Call it inside a migration.
    """
    problems = {}
    for dialect, statements in TRIALS.items():
        problem = try_out(connection, statements)
        if problem is None:
            return dialect
        problems[dialect] = problem
    reasons = "; ".join(f"{dialect}: {str(problem).strip()}" for dialect, problem in problems.items())
    raise NotSupportedError(
        f"This database can run none of the triggers that keep lists, counts and the audit log right ({reasons})."
        " docs/scale.md names the engines that can."
    )


def try_out(connection: Any, statements: tuple[str, ...]) -> DatabaseError | None:
    """Run the statements and take them back. Return the error of the first that fails."""
    try:
        with transaction.atomic(using=connection.alias), connection.cursor() as cursor:
            for statement in statements:
                cursor.execute(statement)
            transaction.set_rollback(True, using=connection.alias)
    except DatabaseError as error:
        return error
    return None
