from uuid import UUID

from rest_framework import serializers

from config.api import fields
from config.api.serializers import QuerySerializer, StrictSerializer

MAX_BOARDS = 100


class VoteSerializer(StrictSerializer):
    vote = fields.ChoiceField(choices=["up", "down", "none"], help_text="none deletes the vote.")


class VotesQuery(QuerySerializer):
    boardIds = serializers.CharField(help_text=f"Board ids, separated by commas, at most {MAX_BOARDS}.")

    def validate_boardIds(self, value: str) -> list[UUID]:
        ids = [item.strip() for item in value.split(",") if item.strip()]
        if len(ids) > MAX_BOARDS:
            raise serializers.ValidationError(f"Send {MAX_BOARDS} ids at most.", code="max_length")
        return [fields.UUIDField().run_validation(item) for item in ids]


class OwnVotesSerializer(serializers.Serializer):
    votes = serializers.DictField(child=serializers.ChoiceField(choices=["up", "down"]))
