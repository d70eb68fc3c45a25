"""Enter the boards that are published already into the lists, before triggers watch over these.

`manage.py refresh_boards` makes the texts. Until then a board's text is made for each reader.
"""

from django.db import migrations

CHUNK = 1000

NAMES = {
    "postgresql": "jsonb_array_elements_text(facets) AS {name}(value)",
    "sqlite": "json_each(facets) AS {name}",
}
BINARY = {"postgresql": '"C"', "sqlite": "BINARY"}
FILL_LISTS = """
    INSERT INTO boards_boardfacet (facet, published_at, board_id)
    SELECT one.value, published_at, board_id FROM boards_publishedboard, {one}
"""
FILL_COUNTS = """
    INSERT INTO boards_facetcount (facet, other, boards)
    SELECT one.value, two.value, count(*) FROM boards_publishedboard, {one}, {two}
    WHERE one.value COLLATE {binary} < two.value COLLATE {binary} OR (one.value = 'all' AND two.value = 'all')
    GROUP BY one.value, two.value
"""


def enter(apps, schema_editor):
    """Enter the boards, a chunk at a time in the order of their ids."""
    PublishedBoard = apps.get_model("boards", "PublishedBoard")
    boards = apps.get_model("boards", "Board").objects.filter(published_at__isnull=False).order_by("pk")
    boards = boards.defer("auction", "play", "commentary").prefetch_related("themes")
    chunk = list(boards[:CHUNK])
    while chunk:
        PublishedBoard.objects.bulk_create(
            PublishedBoard(board=board, published_at=board.published_at, facets=facets_of(board), text="")
            for board in chunk
        )
        chunk = list(boards.filter(pk__gt=chunk[-1].pk)[:CHUNK])


def fill_lists(apps, schema_editor):
    """Enter every row into its lists, and count."""
    vendor = schema_editor.connection.vendor
    one, two = (NAMES[vendor].format(name=name) for name in ("one", "two"))
    if vendor == "postgresql":
        schema_editor.execute("SET LOCAL statement_timeout = 0")
    for statement in (FILL_LISTS, FILL_COUNTS):
        schema_editor.execute(statement.format(one=one, two=two, binary=BINARY[vendor]))


def facets_of(board):
    """Return what boards.catalogue.facets returned when this migration was written."""
    facets = {
        "all",
        f"dealer:{board.dealer}",
        f"vulnerability:{board.vulnerability}",
        f"userId:{board.owner_id}",
    }
    if board.auction_system_id:
        facets.add(f"auctionSystem:{board.auction_system_id}")
    for theme in board.themes.all():
        facets |= {f"theme:{theme.pk}", f"themeType:{theme.type}"}
    return sorted(facets)


class Migration(migrations.Migration):
    dependencies = [("boards", "0002_catalogue")]

    operations = [
        migrations.RunPython(enter, migrations.RunPython.noop),
        migrations.RunPython(fill_lists, migrations.RunPython.noop),
    ]
