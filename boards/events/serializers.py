from typing import Any
from urllib.parse import urlencode

from django.conf import settings
from django.urls import reverse
from drf_spectacular.utils import extend_schema_field, extend_schema_serializer
from rest_framework import serializers

from boards.events.counting import MAX_EVENT_TABLES
from boards.events.listing import ListedEvent
from boards.events.ranking import Stage
from boards.events.reading import EVENT
from boards.models import EventRanking
from bridge.scores import Comparison
from config.api.pagination import PaginationSerializer
from config.api.serializers import ReadSerializer


class BoardEventLinksSerializer(ReadSerializer):
    """Addresses of the event and of its boards."""

    event = serializers.CharField(help_text="The event itself, with its stages.")
    ranking = serializers.CharField(help_text="Its rankings.")
    boards = serializers.CharField(help_text="The list of its boards, newest first.")
    pbn = serializers.CharField(help_text="All its boards as a PBN file, in the order of their numbers.")
    lin = serializers.CharField(help_text="All its boards as a LIN file, in the same order.")
    html = serializers.CharField(help_text="Its page.")


class BoardEventSerializer(ReadSerializer):
    """The boards that share an event, a date and a site, such as one evening of a club."""

    slug = serializers.CharField(
        source="event.slug",
        help_text="Its name in addresses. It depends on name, date and site alone, and never changes.",
    )
    name = serializers.CharField(source="event.name", help_text="The tournament or match.")
    date = serializers.CharField(
        source="event.date",
        help_text='In PBN notation: 2026.11.21, or "". Unknown parts are question marks.',
    )
    site = serializers.CharField(source="event.site", help_text='Where the event was held, or "".')
    boards = serializers.IntegerField(help_text="The number of its published boards. Each table is a board.")
    deals = serializers.IntegerField(help_text="The number of different deals among them.")
    links = serializers.SerializerMethodField(help_text="Addresses of the event and of its boards.")

    @extend_schema_field(BoardEventLinksSerializer)
    def get_links(self, listed: ListedEvent) -> dict[str, Any]:
        return {name: settings.PUBLIC_BASE_URL + path for name, path in paths_of(listed.event.slug).items()}


class StageSerializer(ReadSerializer):
    """A stage of an event, such as a final. All parts of its matches belong to it."""

    name = serializers.CharField(help_text='As in a ranking, "" where boards name no stage.')
    deals = serializers.SerializerMethodField(help_text="The number of different deals.")
    tables = serializers.SerializerMethodField(
        help_text="The number of tables at which these were played, all deals together. What two accounts hold counts"
        " once, and a board that is a deal alone does not count."
    )

    def get_deals(self, stage: Stage) -> int:
        return len(stage.deals)

    def get_tables(self, stage: Stage) -> int:
        return sum(not table.is_deal_alone for table in stage.tables)


class BoardEventDetailsSerializer(BoardEventSerializer):
    """An event with its stages."""

    stages = StageSerializer(
        many=True,
        allow_null=True,
        help_text=f"Its stages in their order. null for an event of more than {MAX_EVENT_TABLES:,} boards, which has no"
        " ranking either.",
    )


class PlaceSerializer(ReadSerializer):
    """A pair in a ranking."""

    rank = serializers.IntegerField(help_text="Pairs whose averages are equal share a rank.")
    pair = serializers.CharField(help_text="The number of the pair, or the name of the team.")
    boards = serializers.IntegerField(help_text="The boards that the pair played and that are compared.")
    points = serializers.FloatField(help_text="The matchpoints or IMPs that it won on these together.")
    average = serializers.FloatField(help_text="What it won for each board: percent of a top, or IMPs.")


class RankingSerializer(ReadSerializer):
    """Pairs that are ranked together: those of a stage, or of one direction of it."""

    stage = serializers.CharField(help_text='The stage of the event, or "".')
    scoring = serializers.ChoiceField(
        source="comparison.value",
        choices=[comparison.value for comparison in Comparison],
        help_text="How tables are compared. Where the boards do not say it, there is a ranking by each of two.",
    )
    side = serializers.CharField(help_text='"NS" or "EW", "" where pairs sat in both directions.')
    pairs = PlaceSerializer(source="places", many=True, help_text="The pairs, the first one first.")


class GivenPlaceSerializer(ReadSerializer):
    """A pair in the ranking of a file. What the file does not say is null."""

    rank = serializers.IntegerField(help_text="As the file says it.")
    pair = serializers.CharField(help_text="The number of the pair, or the name of the team.")
    boards = serializers.IntegerField(allow_null=True, help_text="The boards that it played.")
    points = serializers.FloatField(allow_null=True, help_text="The sum of its points, in the unit of the ranking.")
    percentage = serializers.FloatField(allow_null=True, help_text="Percent of a top.")


class FileRankingSerializer(ReadSerializer):
    """The ranking that a file gives of an event, of a stage, or of one direction of it."""

    stage = serializers.CharField(source="stage_name", help_text='The stage, or "" for the whole event.')
    unit = serializers.ChoiceField(choices=EventRanking.Unit.values, help_text='What points are, "" where unknown.')
    side = serializers.CharField(help_text='"NS" or "EW", "" where the file ranks all together.')
    pairs = GivenPlaceSerializer(source="places", many=True, help_text="The pairs, the first one first.")


@extend_schema_serializer(many=False)
class EventRankingSerializer(serializers.Serializer):
    """The rankings of an event."""

    rankings = RankingSerializer(
        many=True, help_text="Counted from the boards. None where these tell neither pairs nor teams."
    )
    fileRankings = FileRankingSerializer(
        source="file_rankings", many=True, help_text="What the file says itself, none where it gives no ranking."
    )


def paths_of(slug: str) -> dict[str, str]:
    """Return the paths of an event and its boards by the names of BoardEventLinksSerializer."""
    query = urlencode({EVENT: slug})
    files = {"boards": "board-list", "pbn": "board-export", "lin": "board-export-lin"}
    paths = {name: f"{reverse(route)}?{query}" for name, route in files.items()}
    own = {"event": "event-detail", "ranking": "event-ranking-list", "html": "event-page"}
    return {**paths, **{name: reverse(route, args=[slug]) for name, route in own.items()}}


@extend_schema_serializer(many=False)
class BoardEventPageSerializer(serializers.Serializer):
    """One page of events."""

    events = BoardEventSerializer(many=True, help_text="The events of this page.")
    pagination = PaginationSerializer(help_text="Where this page stands in the list.")
