-- Keep the lists of published boards and their counts equal to boards_publishedboard, whoever writes it. What an event
-- shares with another list is not counted: an event has some dozens of boards, which are counted when they are read.
CREATE TRIGGER boards_lists_come AFTER INSERT ON boards_publishedboard BEGIN
    INSERT INTO boards_boardfacet (facet, published_at, board_id)
    SELECT value, NEW.published_at, NEW.board_id FROM json_each(NEW.facets);
    UPDATE boards_facetcount SET boards = boards + 1 WHERE (facet, other) IN (
        SELECT one.value, two.value FROM json_each(NEW.facets) AS one, json_each(NEW.facets) AS two
        WHERE (one.value < two.value OR (one.value = 'all' AND two.value = 'all'))
        AND (one.value = 'all' OR 'event:' NOT IN (substr(one.value, 1, 6), substr(two.value, 1, 6)))
    );
    INSERT INTO boards_facetcount (facet, other, boards) SELECT *, 1 FROM (
        SELECT one.value, two.value FROM json_each(NEW.facets) AS one, json_each(NEW.facets) AS two
        WHERE (one.value < two.value OR (one.value = 'all' AND two.value = 'all'))
        AND (one.value = 'all' OR 'event:' NOT IN (substr(one.value, 1, 6), substr(two.value, 1, 6)))
        EXCEPT SELECT facet, other FROM boards_facetcount
    );
END;

CREATE TRIGGER boards_lists_go AFTER DELETE ON boards_publishedboard BEGIN
    DELETE FROM boards_boardfacet WHERE board_id = OLD.board_id AND published_at = OLD.published_at
    AND facet IN (SELECT value FROM json_each(OLD.facets));
    UPDATE boards_facetcount SET boards = boards - 1 WHERE (facet, other) IN (
        SELECT one.value, two.value FROM json_each(OLD.facets) AS one, json_each(OLD.facets) AS two
        WHERE (one.value < two.value OR (one.value = 'all' AND two.value = 'all'))
        AND (one.value = 'all' OR 'event:' NOT IN (substr(one.value, 1, 6), substr(two.value, 1, 6)))
    );
    DELETE FROM boards_facetcount WHERE boards = 0 AND (facet, other) IN (
        SELECT one.value, two.value FROM json_each(OLD.facets) AS one, json_each(OLD.facets) AS two
        WHERE (one.value < two.value OR (one.value = 'all' AND two.value = 'all'))
        AND (one.value = 'all' OR 'event:' NOT IN (substr(one.value, 1, 6), substr(two.value, 1, 6)))
    );
END;

CREATE TRIGGER boards_lists_change AFTER UPDATE ON boards_publishedboard
WHEN (OLD.published_at, OLD.facets) <> (NEW.published_at, NEW.facets) BEGIN
    DELETE FROM boards_boardfacet WHERE board_id = OLD.board_id AND published_at = OLD.published_at
    AND facet IN (SELECT value FROM json_each(OLD.facets));
    UPDATE boards_facetcount SET boards = boards - 1 WHERE (facet, other) IN (
        SELECT one.value, two.value FROM json_each(OLD.facets) AS one, json_each(OLD.facets) AS two
        WHERE (one.value < two.value OR (one.value = 'all' AND two.value = 'all'))
        AND (one.value = 'all' OR 'event:' NOT IN (substr(one.value, 1, 6), substr(two.value, 1, 6)))
    );
    DELETE FROM boards_facetcount WHERE boards = 0 AND (facet, other) IN (
        SELECT one.value, two.value FROM json_each(OLD.facets) AS one, json_each(OLD.facets) AS two
        WHERE (one.value < two.value OR (one.value = 'all' AND two.value = 'all'))
        AND (one.value = 'all' OR 'event:' NOT IN (substr(one.value, 1, 6), substr(two.value, 1, 6)))
    );
    INSERT INTO boards_boardfacet (facet, published_at, board_id)
    SELECT value, NEW.published_at, NEW.board_id FROM json_each(NEW.facets);
    UPDATE boards_facetcount SET boards = boards + 1 WHERE (facet, other) IN (
        SELECT one.value, two.value FROM json_each(NEW.facets) AS one, json_each(NEW.facets) AS two
        WHERE (one.value < two.value OR (one.value = 'all' AND two.value = 'all'))
        AND (one.value = 'all' OR 'event:' NOT IN (substr(one.value, 1, 6), substr(two.value, 1, 6)))
    );
    INSERT INTO boards_facetcount (facet, other, boards) SELECT *, 1 FROM (
        SELECT one.value, two.value FROM json_each(NEW.facets) AS one, json_each(NEW.facets) AS two
        WHERE (one.value < two.value OR (one.value = 'all' AND two.value = 'all'))
        AND (one.value = 'all' OR 'event:' NOT IN (substr(one.value, 1, 6), substr(two.value, 1, 6)))
        EXCEPT SELECT facet, other FROM boards_facetcount
    );
END;
