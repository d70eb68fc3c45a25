"""How many published boards the lists have, from the stored counts: no board is counted."""

from collections.abc import Collection
from uuid import UUID

from django.db.models import Sum

from boards.catalogue.facets import ALL, facet
from boards.models import FacetCount


def count_boards_of_themes(theme_ids: Collection[UUID]) -> dict[UUID, int]:
    """Return the number of published boards of each theme. It takes one query: a look into an index for each theme."""
    names = {pk: facet("theme", pk) for pk in theme_ids}
    pairs = FacetCount.objects.filter(facet=ALL, other__in=names.values()).order_by()
    boards = dict(pairs.values_list("other").annotate(Sum("boards")))
    return {pk: boards.get(name, 0) for pk, name in names.items()}
