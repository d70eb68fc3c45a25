import re
from functools import lru_cache

from django.http import QueryDict
from orjson import Fragment
from rest_framework import serializers

from accounts.fields import AccountIdField
from config import paths
from config.api import fields
from config.api.serializers import QuerySerializer, StrictSerializer, model_string
from config.edge.serving.public_reads import Document, PublicRead
from config.values.identifiers import SLUG_PATTERN
from config.values.strict_json import dump_json
from themes.labels import LabelCache, get_label_cache, get_revision
from themes.models import Theme

SLUG = re.compile(SLUG_PATTERN)


class ThemeQuery(QuerySerializer):
    types = serializers.CharField(
        required=False, allow_blank=True, help_text="Theme types, separated by commas. An unknown type matches nothing."
    )

    def validate_types(self, value: str) -> list[str]:
        types = [item.strip() for item in value.split(",") if item.strip()]
        if not all(SLUG.fullmatch(item) for item in types):
            raise serializers.ValidationError(
                "Write a type with letters, digits, - and _ only, as in system_bidding.", code="invalid"
            )
        return types


class ThemeSerializer(StrictSerializer):
    """What boards can be about."""

    constraint_fields = {"identifier_taken": "identifier"}
    instance: Theme  # The API changes themes and never creates one.

    id = serializers.UUIDField(read_only=True, help_text="The id of the theme.")
    type = model_string(Theme, "type", fields.SlugField)
    userId = AccountIdField(source="owner_id", help_text="Written by staff only.")
    labels = fields.LabelsField(help_text="Its name in each language, by language tag.")
    description = fields.DescriptionField(
        help_text="What it is about, as plain text by language tag. A blank line begins a new paragraph. An empty"
        " object if there is none."
    )
    identifier = model_string(Theme, "identifier", fields.SlugField)
    createdAt = fields.TimestampField(source="created_at", read_only=True, help_text="When the theme was created.")
    updatedAt = fields.TimestampField(source="updated_at", read_only=True, help_text="When the theme was last changed.")

    def get_fields(self) -> dict[str, serializers.Field]:
        declared = super().get_fields()
        request = self.context.get("request")
        declared["userId"].read_only = bool(request and request.user.is_authenticated and not request.user.is_staff)
        return declared


@lru_cache(maxsize=8)
def write_themes(labels: LabelCache, types: frozenset[str]) -> Fragment:
    """Return the finished JSON of all themes of these types, or of all themes when there are no types."""
    themes = [theme for theme in labels.themes.values() if theme.type in types or not types]
    return Fragment(dump_json(ThemeSerializer(themes, many=True).data))


def list_themes(query: QueryDict) -> Fragment:
    """Return the finished JSON of the themes that a query asks for."""
    types = ThemeQuery.parse(query).get("types", [])
    return write_themes(get_label_cache(get_revision()), frozenset(types))


THEME_LIST = PublicRead(
    re.compile(f"{paths.API}/themes"), lambda path, query: Document(dump_json(list_themes(query))), (ThemeQuery,)
)
