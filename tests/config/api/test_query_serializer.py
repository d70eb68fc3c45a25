"""Query parameters are validated as REST framework would, by one serializer that all threads share."""

from concurrent.futures import ThreadPoolExecutor
from typing import Any

from django.http import QueryDict
from rest_framework import serializers

from config.api.handlers import field_errors
from config.api.pagination import NaturalField
from config.api.serializers import QuerySerializer


class ExampleQuery(QuerySerializer):
    ids = serializers.CharField()
    page = NaturalField(default=1, min_value=1, max_value=9)
    dealer = serializers.RegexField(r"^[NESW]\Z", required=False, allow_blank=True)
    sort = serializers.ChoiceField(choices=["newest", "top"], default="newest", source="order")
    note = serializers.CharField(required=False)

    def validate_ids(self, value: str) -> list[str]:
        if value == "none":
            raise serializers.ValidationError("Send an id.", code="none")
        return value.split(",")


QUERIES = [
    "ids=a,b", "ids=a&page=3&dealer=N&sort=top&note=x", "ids=a&dealer=&unknown=1", "ids=a&page=",
    "ids=a&note=", "", "page=0&dealer=X&sort=best", "ids=none&page=10", "ids=%00",
]  # fmt: skip


def outcome(validate: Any, *arguments: Any) -> Any:
    """Return the values, or the errors as a client gets them."""
    try:
        return validate(*arguments)
    except serializers.ValidationError as error:
        return "errors", field_errors(error.detail)


def test_values_and_errors_are_those_of_rest_framework() -> None:
    for text in QUERIES:
        query = QueryDict(text)
        expected = outcome(serializers.Serializer.to_internal_value, ExampleQuery(), query.dict())
        assert outcome(ExampleQuery.parse, query) == expected, text


def test_a_repeated_parameter_is_an_error_unless_it_is_unknown() -> None:
    assert ExampleQuery.parse(QueryDict("ids=a&x=1&x=2"))["ids"] == ["a"]
    _, errors = outcome(ExampleQuery.parse, QueryDict("ids=a&ids=a&page=0"))
    codes = {name: [error["code"] for error in found] for name, found in errors.items()}
    assert codes == {"ids": ["repeated"], "page": ["invalid"]}


def test_one_query_leaves_nothing_for_the_next() -> None:
    expected = ExampleQuery.parse(QueryDict("ids=a"))
    expected["ids"].append("changed by its reader")
    outcome(ExampleQuery.parse, QueryDict("page=0"))
    ExampleQuery.parse(QueryDict("ids=b&page=2&dealer=S&sort=top"))
    assert ExampleQuery.parse(QueryDict("ids=a")) == {"ids": ["a"], "page": 1, "order": "newest"}


def test_threads_get_their_own_values() -> None:
    queries = [QueryDict(text) for text in QUERIES] * 30
    expected = [outcome(ExampleQuery.parse, query) for query in queries]
    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(lambda query: outcome(ExampleQuery.parse, query), queries)) == expected
