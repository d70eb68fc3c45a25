"""Each column of a board is declared where files, the API and the filters have it from."""

from boards.filters.declarations import FILTERS
from boards.models import Board
from boards.serializers import BoardSerializer
from config.api.serializers import wire_name
from deals.bridge.board import TEXTS

WITH_A_PLACE_OF_THEIR_OWN = {
    *("id", "deal", "owner", "auction_system", "board_number", "commentary", "system_text", "fingerprint"),
    *("dealer", "vulnerability", "auction", "contract", "declarer", "opening_lead", "play", "tricks"),
    *("up_votes", "down_votes", "published_at", "first_published_at", "created_at", "updated_at"),
}
FILTERED_OTHERWISE = {"declarer": "nobody asks for it", "room": "an event has few boards, and shows both rooms"}


def test_each_column_is_a_text_of_the_record_or_has_a_place_of_its_own() -> None:
    assert {column.name for column in Board._meta.fields} - WITH_A_PLACE_OF_THEIR_OWN == TEXTS.keys()


def test_a_text_is_on_the_wire_and_has_the_choices_of_its_column() -> None:
    for name, text in TEXTS.items():
        column = Board._meta.get_field(name)
        assert [value for value, _ in column.choices or ()] == [*text.choices], name
        assert wire_name(name) in BoardSerializer().fields, name


def test_a_column_with_choices_has_a_filter_or_a_reason() -> None:
    with_choices = {column.name for column in Board._meta.fields if column.choices}
    assert with_choices - FILTERED_OTHERWISE.keys() == {name for name, each in FILTERS.items() if each.choices}
