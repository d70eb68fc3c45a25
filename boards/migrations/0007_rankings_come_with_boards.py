from django.db import migrations

WITHOUT_BOARDS = """
DELETE FROM boards_eventranking WHERE NOT EXISTS (
    SELECT 1 FROM boards_publishedboard AS stored JOIN boards_board AS board ON board.id = stored.board_id
    WHERE stored.event_slug = boards_eventranking.event_id AND board.owner_id = boards_eventranking.owner_id
)
"""
"""Rankings that came with drafts, or stayed behind when the boards went. Nobody was shown them."""


class Migration(migrations.Migration):
    dependencies = [("boards", "0006_event_rankings")]

    operations = [migrations.RunSQL(WITHOUT_BOARDS, migrations.RunSQL.noop)]
