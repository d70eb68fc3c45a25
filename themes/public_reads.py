"""What anybody may read of themes, for settings.PUBLIC_READS. ThemeViewSet answers the same."""

import re

from django.http import QueryDict

from config import paths
from config.edge.serving.public_reads import Document, PublicRead
from config.values.strict_json import dump_json
from themes.labels import get_label_cache, get_revision
from themes.serializers import ThemeQuery, write_themes


def make_list(path: re.Match[str], query: QueryDict) -> Document:
    types = ThemeQuery.parse(query).get("types", [])
    return Document(dump_json(write_themes(get_label_cache(get_revision()), frozenset(types))))


THEME_LIST = PublicRead(re.compile(f"{paths.API}/themes"), make_list, (ThemeQuery,))
