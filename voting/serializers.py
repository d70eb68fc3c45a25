from typing import Any

from django.http import QueryDict
from drf_spectacular.utils import extend_schema_field, extend_schema_serializer
from rest_framework import serializers

from config.api import fields
from config.api.fields import IDS_SCHEMA, MAX_IDS, IdsField
from config.api.serializers import QuerySerializer, StrictSerializer
from voting.models import Vote

NO_VOTE = "none"


class VoteSerializer(StrictSerializer):
    """A vote on one board."""

    default_error_messages = {"null": "No data provided"}  # as `is_valid` says it

    vote = fields.ChoiceField(choices=[*Vote.Value.values, NO_VOTE], help_text=f"{NO_VOTE} deletes the vote.")

    def validate_vote(self, choice: str) -> Vote.Value | None:
        return None if choice == NO_VOTE else Vote.Value(choice)


VOTE = VoteSerializer()
"""The one instance that reads the votes of all threads, because making one copies its field. It never holds data."""


@extend_schema_field({**IDS_SCHEMA, "x-repeatable": True})
class BoardIdsField(IdsField):
    """Ids of which the document says in words, and to the tests by x-repeatable, that the parameter may be repeated."""


class VotesQuery(QuerySerializer):
    boardIds = BoardIdsField(
        required=False,
        help_text=f"Board ids (uuids), at most {MAX_IDS}: separated by commas, or the parameter repeated. None by "
        "default.",
    )

    @classmethod
    def parse(cls, query: QueryDict) -> dict[str, Any]:
        """Return the ids. A parameter that is repeated is read as one with commas."""
        joined = query.copy()
        joined["boardIds"] = ",".join(query.getlist("boardIds"))
        return super().parse(joined)


@extend_schema_serializer(many=False)
class OwnVotesSerializer(serializers.Serializer):
    """The caller's own votes."""

    votes = serializers.DictField(
        child=serializers.ChoiceField(choices=Vote.Value.values),
        help_text="The vote on each board, by board id. A board without a vote is left out.",
    )
