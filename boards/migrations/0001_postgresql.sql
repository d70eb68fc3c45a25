-- Keep the lists of published boards, their counts and the marks equal to boards_publishedboard, whoever writes it.
--
-- All boards of a statement move at once. Counting takes no lock that another transaction waits for: where the row of a
-- pair is locked, another row is added. The sum of a pair's rows is the count. What an event shares with another list is
-- not counted: an event has some dozens of boards, which are counted when they are read.
--
-- A mark counts the boards up to its time, so it moves when older boards come or go, and stays when newer ones do.
-- Whoever moves boards holds the advisory lock 5201 in shared mode until the end of the transaction, and
-- boards.catalogue.marks, which adds marks, holds it alone. Whoever moves marks holds 5202 alone, so that no two wait for
-- each other. A board that only changes its lists moves no mark: an erasure, which changes many boards in one
-- transaction, would wait for others while they wait for it.
CREATE TYPE boards_place AS (board_id uuid, published_at timestamptz, facets jsonb);

CREATE FUNCTION boards_move_facets(gone boards_place[], come boards_place[]) RETURNS void LANGUAGE sql AS $$
    DELETE FROM boards_boardfacet AS stored USING unnest(gone) AS place, jsonb_array_elements_text(facets) AS name
    WHERE stored.facet = name
        AND stored.published_at = place.published_at AND stored.board_id = place.board_id;

    INSERT INTO boards_boardfacet (facet, published_at, board_id)
    SELECT name, published_at, board_id FROM unnest(come), jsonb_array_elements_text(facets) AS name;
$$;

CREATE FUNCTION boards_count_facets(gone boards_place[], come boards_place[]) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    pair record;
    row_id bigint;
BEGIN
    FOR pair IN
        SELECT one AS facet, two AS other, sum(step) AS boards
        FROM (SELECT facets, -1 AS step FROM unnest(gone) UNION ALL SELECT facets, 1 FROM unnest(come)) AS moved,
            jsonb_array_elements_text(facets) AS one, jsonb_array_elements_text(facets) AS two
        WHERE (one COLLATE "C" < two COLLATE "C" OR (one = 'all' AND two = 'all'))
            AND (one = 'all' OR NOT (starts_with(one, 'event:') OR starts_with(two, 'event:')))
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
END $$;

CREATE FUNCTION boards_move_marks(gone boards_place[], come boards_place[]) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    went timestamptz[] := ARRAY(SELECT published_at FROM unnest(gone) EXCEPT ALL SELECT published_at FROM unnest(come));
    came timestamptz[] := ARRAY(SELECT published_at FROM unnest(come) EXCEPT ALL SELECT published_at FROM unnest(gone));
    oldest timestamptz := (SELECT min(moved) FROM unnest(went || came) AS moved);
BEGIN
    PERFORM pg_advisory_xact_lock_shared(5201);
    IF EXISTS (SELECT 1 FROM boards_pagemark WHERE published_at >= oldest) THEN
        PERFORM pg_advisory_xact_lock(5202);
        UPDATE boards_pagemark AS mark SET position = position
            + (SELECT count(*) FROM unnest(came) AS moved WHERE moved <= mark.published_at)
            - (SELECT count(*) FROM unnest(went) AS moved WHERE moved <= mark.published_at)
        WHERE mark.published_at >= oldest;
    END IF;
END $$;

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
END $$;

CREATE TRIGGER boards_lists_come AFTER INSERT ON boards_publishedboard
REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION boards_move_places();

CREATE TRIGGER boards_lists_go AFTER DELETE ON boards_publishedboard
REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION boards_move_places();

CREATE TRIGGER boards_lists_change AFTER UPDATE ON boards_publishedboard
REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows
FOR EACH STATEMENT EXECUTE FUNCTION boards_move_places();
