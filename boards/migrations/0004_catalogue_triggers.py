"""The database itself keeps the lists of published boards, their counts and the marks equal to PublishedBoard.

PostgreSQL moves all boards of a statement at once. Counting takes no lock that another transaction waits for: where the
row of a pair is locked, another row is added. The sum of a pair's rows is the count.

A mark counts the boards up to its time, so it moves when older boards come or go, and stays when newer ones do. Whoever
moves boards holds PLACES in shared mode until the end of the transaction, and boards.catalogue.marks, which adds marks,
holds it alone. Whoever moves marks holds MARKS alone, so that no two wait for each other. A board that only changes its
lists moves no mark: an erasure, which changes many boards in one transaction, would wait for others while they wait for it.
"""

from django.db import migrations

from config.database.dialects import trigger_dialect

PLACES, MARKS = 5_201, 5_202  # keys of PostgreSQL's advisory locks

CREATE_POSTGRESQL = (
    "CREATE TYPE boards_place AS (board_id uuid, published_at timestamptz, facets jsonb)",
    """
    CREATE FUNCTION boards_move_facets(gone boards_place[], come boards_place[]) RETURNS void LANGUAGE sql AS $$
        DELETE FROM boards_boardfacet AS stored USING unnest(gone) AS place, jsonb_array_elements_text(facets) AS name
        WHERE stored.facet = name
            AND stored.published_at = place.published_at AND stored.board_id = place.board_id;

        INSERT INTO boards_boardfacet (facet, published_at, board_id)
        SELECT name, published_at, board_id FROM unnest(come), jsonb_array_elements_text(facets) AS name;
    $$
    """,
    """
    CREATE FUNCTION boards_count_facets(gone boards_place[], come boards_place[]) RETURNS void LANGUAGE plpgsql AS $$
    DECLARE
        pair record;
        row_id bigint;
    BEGIN
        FOR pair IN
            SELECT one AS facet, two AS other, sum(step) AS boards
            FROM (SELECT facets, -1 AS step FROM unnest(gone) UNION ALL SELECT facets, 1 FROM unnest(come)) AS moved,
                jsonb_array_elements_text(facets) AS one, jsonb_array_elements_text(facets) AS two
            WHERE one COLLATE "C" < two COLLATE "C" OR (one = 'all' AND two = 'all')
            GROUP BY one, two HAVING sum(step) <> 0
        LOOP
            SELECT id INTO row_id FROM boards_facetcount WHERE facet = pair.facet AND other = pair.other
            LIMIT 1 FOR UPDATE SKIP LOCKED;
            IF FOUND THEN
                UPDATE boards_facetcount SET boards = boards + pair.boards WHERE id = row_id;
                DELETE FROM boards_facetcount WHERE id = row_id AND boards = 0;
            ELSE
                INSERT INTO boards_facetcount (facet, other, boards) VALUES (pair.facet, pair.other, pair.boards);
            END IF;
        END LOOP;
    END $$
    """,
    f"""
    CREATE FUNCTION boards_move_marks(gone boards_place[], come boards_place[]) RETURNS void LANGUAGE plpgsql AS $$
    DECLARE
        went timestamptz[] := ARRAY(SELECT published_at FROM unnest(gone) EXCEPT ALL SELECT published_at FROM unnest(come));
        came timestamptz[] := ARRAY(SELECT published_at FROM unnest(come) EXCEPT ALL SELECT published_at FROM unnest(gone));
        oldest timestamptz := (SELECT min(moved) FROM unnest(went || came) AS moved);
    BEGIN
        PERFORM pg_advisory_xact_lock_shared({PLACES});
        IF EXISTS (SELECT 1 FROM boards_pagemark WHERE published_at >= oldest) THEN
            PERFORM pg_advisory_xact_lock({MARKS});
            UPDATE boards_pagemark AS mark SET position = position
                + (SELECT count(*) FROM unnest(came) AS moved WHERE moved <= mark.published_at)
                - (SELECT count(*) FROM unnest(went) AS moved WHERE moved <= mark.published_at)
            WHERE mark.published_at >= oldest;
        END IF;
    END $$
    """,
    """
    CREATE FUNCTION boards_move_places() RETURNS trigger LANGUAGE plpgsql AS $$
    DECLARE
        gone boards_place[] := '{}';
        come boards_place[] := '{}';
    BEGIN
        IF TG_OP = 'INSERT' THEN
            come := ARRAY(SELECT (board_id, published_at, facets)::boards_place FROM new_rows);
        ELSIF TG_OP = 'DELETE' THEN
            gone := ARRAY(SELECT (board_id, published_at, facets)::boards_place FROM old_rows);
        ELSE
            gone := ARRAY(SELECT (board_id, published_at, facets)::boards_place FROM old_rows EXCEPT ALL
                SELECT (board_id, published_at, facets)::boards_place FROM new_rows);
            come := ARRAY(SELECT (board_id, published_at, facets)::boards_place FROM new_rows EXCEPT ALL
                SELECT (board_id, published_at, facets)::boards_place FROM old_rows);
        END IF;
        IF cardinality(gone) + cardinality(come) > 0 THEN
            PERFORM boards_move_marks(gone, come);
            PERFORM boards_move_facets(gone, come);
            PERFORM boards_count_facets(gone, come);
        END IF;
        RETURN NULL;
    END $$
    """,
    """
    CREATE TRIGGER boards_places_come AFTER INSERT ON boards_publishedboard
    REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION boards_move_places()
    """,
    """
    CREATE TRIGGER boards_places_go AFTER DELETE ON boards_publishedboard
    REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION boards_move_places()
    """,
    """
    CREATE TRIGGER boards_places_change AFTER UPDATE ON boards_publishedboard
    REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows
    FOR EACH STATEMENT EXECUTE FUNCTION boards_move_places()
    """,
)
DROP_POSTGRESQL = (
    "DROP TRIGGER boards_places_come ON boards_publishedboard",
    "DROP TRIGGER boards_places_go ON boards_publishedboard",
    "DROP TRIGGER boards_places_change ON boards_publishedboard",
    "DROP FUNCTION boards_move_places()",
    "DROP FUNCTION boards_move_facets(boards_place[], boards_place[])",
    "DROP FUNCTION boards_count_facets(boards_place[], boards_place[])",
    "DROP FUNCTION boards_move_marks(boards_place[], boards_place[])",
    "DROP TYPE boards_place",
)


def pairs(row):
    """Return the query of the pairs of lists that a row stands in."""
    return f"""
        SELECT one.value, two.value FROM json_each({row}.facets) AS one, json_each({row}.facets) AS two
        WHERE one.value < two.value OR (one.value = 'all' AND two.value = 'all')
    """


COME = f"""
    INSERT INTO boards_boardfacet (facet, published_at, board_id)
    SELECT value, NEW.published_at, NEW.board_id FROM json_each(NEW.facets);
    UPDATE boards_facetcount SET boards = boards + 1 WHERE (facet, other) IN ({pairs("NEW")});
    INSERT INTO boards_facetcount (facet, other, boards)
    SELECT *, 1 FROM ({pairs("NEW")} EXCEPT SELECT facet, other FROM boards_facetcount);
"""
GO = f"""
    DELETE FROM boards_boardfacet WHERE board_id = OLD.board_id AND published_at = OLD.published_at
    AND facet IN (SELECT value FROM json_each(OLD.facets));
    UPDATE boards_facetcount SET boards = boards - 1 WHERE (facet, other) IN ({pairs("OLD")});
    DELETE FROM boards_facetcount WHERE boards = 0 AND (facet, other) IN ({pairs("OLD")});
"""
CREATE_SQLITE = (
    f"CREATE TRIGGER boards_places_come AFTER INSERT ON boards_publishedboard BEGIN {COME} END",
    f"CREATE TRIGGER boards_places_go AFTER DELETE ON boards_publishedboard BEGIN {GO} END",
    f"""
    CREATE TRIGGER boards_places_change AFTER UPDATE ON boards_publishedboard
    WHEN (OLD.published_at, OLD.facets) <> (NEW.published_at, NEW.facets) BEGIN {GO} {COME} END
    """,
)
DROP_SQLITE = (
    "DROP TRIGGER boards_places_come",
    "DROP TRIGGER boards_places_go",
    "DROP TRIGGER boards_places_change",
)

CREATE = {"plpgsql": CREATE_POSTGRESQL, "sqlite": CREATE_SQLITE}
DROP = {"plpgsql": DROP_POSTGRESQL, "sqlite": DROP_SQLITE}


def create(apps, schema_editor):
    for statement in CREATE[trigger_dialect(schema_editor.connection)]:
        schema_editor.execute(statement)


def drop(apps, schema_editor):
    for statement in DROP[trigger_dialect(schema_editor.connection)]:
        schema_editor.execute(statement)


class Migration(migrations.Migration):
    dependencies = [("boards", "0003_list_published_boards")]

    operations = [migrations.RunPython(create, drop)]
