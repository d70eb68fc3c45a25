"""Makes rows of the texts by which the version before sorted the deals of an event: "final/000007/" and the deal's id.

Each batch is a transaction. What is filled stays so when the migration is broken off and run again.
"""

from typing import Any

from django.db import connections, migrations, transaction

BATCH = 1_000
STAGE_KEY = "substr(stored.event_position, 1, length(stored.event_position) - 40)"
NUMBER = "CAST(substr(stored.event_position, length(stored.event_position) - 38, 6) AS integer)"
IS_OF_BATCH = "stored.event_deal_id IS NULL AND stored.event_position <> '' AND stored.board_id BETWEEN %s AND %s"

NEXT = """
SELECT board_id FROM boards_publishedboard AS stored
WHERE event_deal_id IS NULL AND event_position <> '' {after} ORDER BY board_id LIMIT %s
"""
LOCK = "SELECT id FROM boards_board WHERE id BETWEEN %s AND %s ORDER BY id FOR UPDATE"
INSERT = f"""
INSERT INTO boards_eventdeal (event_id, stage_key, board_number, deal_id)
SELECT DISTINCT event.slug, {STAGE_KEY}, {NUMBER}, board.deal_id FROM boards_publishedboard AS stored
JOIN boards_board AS board ON board.id = stored.board_id JOIN boards_event AS event ON event.slug = stored.event_slug
WHERE {IS_OF_BATCH} ORDER BY 1, 2, 3, 4 ON CONFLICT DO NOTHING
"""
UPDATE = f"""
UPDATE boards_publishedboard AS stored SET event_deal_id = (
    SELECT event_deal.id FROM boards_eventdeal AS event_deal
    JOIN boards_board AS board ON board.id = stored.board_id AND board.deal_id = event_deal.deal_id
    WHERE event_id = stored.event_slug AND stage_key = {STAGE_KEY} AND event_deal.board_number = {NUMBER}
) WHERE {IS_OF_BATCH}
"""


def fill(apps: Any, schema_editor: Any) -> None:
    """Give each published board of an event its deal. The boards of a batch are locked, so that none moves meanwhile."""
    connection = connections[schema_editor.connection.alias]
    last: list[Any] = []
    while True:
        with transaction.atomic(connection.alias), connection.cursor() as cursor:
            cursor.execute(NEXT.format(after="AND board_id > %s" if last else ""), [*last, BATCH])
            if not (ids := [pk for (pk,) in cursor.fetchall()]):
                return
            ends, last = [ids[0], ids[-1]], [ids[-1]]
            if connection.vendor == "postgresql":
                cursor.execute(LOCK, ends)
            cursor.execute(INSERT, ends)
            cursor.execute(UPDATE, ends)


class Migration(migrations.Migration):
    atomic = False

    dependencies = [("boards", "0009_event_deals_go_with_deals")]

    operations = [migrations.RunPython(fill, migrations.RunPython.noop)]
