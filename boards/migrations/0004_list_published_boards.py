"""Enter the boards that are published already into the lists. `manage.py refresh_boards` then makes their texts."""

from django.db import migrations

CHUNK = 1000


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
    dependencies = [("boards", "0003_catalogue_triggers")]

    operations = [migrations.RunPython(enter, migrations.RunPython.noop)]
