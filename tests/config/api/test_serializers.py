"""What serializers take from the model and from a query."""

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from django.http import QueryDict
from rest_framework import serializers

from accounts.models import Account
from config.api import fields
from config.api.errors import field_errors
from config.api.pagination import NaturalField
from config.api.serializers import QuerySerializer, StrictSerializer, model_string
from themes.models import Theme

pytestmark = pytest.mark.django_db


class PersonSerializer(StrictSerializer):
    constraint_fields = {"organisation_unnamed": "name"}

    name = model_string(Account, "organisation_name", required=False)
    nation = model_string(Account, "country", source="country", help_text="Where it is.", required=False)
    picture = model_string(Account, "avatar_url", required=False)
    email = model_string(Account, "email", fields.EmailField, required=False)
    isOrganisation = fields.BooleanField(source="is_organisation", required=False)


def reasons(serializer: serializers.Serializer) -> dict[str, list[tuple[str, str]]]:
    """Return the code and the sentence of each reason, by field."""
    assert not serializer.is_valid()
    return {name: [(error.code, str(error)) for error in errors] for name, errors in serializer.errors.items()}


def codes(data: dict[str, Any]) -> dict[str, list[str]]:
    return {name: [code for code, _ in found] for name, found in reasons(PersonSerializer(data=data)).items()}


def test_a_field_takes_its_length_blankness_and_validators_from_the_column() -> None:
    assert codes({"name": "x" * 201}) == {"name": ["max_length"]}
    assert codes({"picture": "http://example.org/a.png"}) == {"picture": ["invalid"]}
    assert codes({"email": "nobody"}) == {"email": ["invalid"]}
    kept = PersonSerializer(data={"name": "x" * 200, "picture": "", "email": ""})
    assert kept.is_valid()
    assert kept.validated_data == {"organisation_name": "x" * 200, "avatar_url": "", "email": ""}
    with pytest.raises(serializers.ValidationError, match="blank"):
        model_string(Theme, "identifier", fields.SlugField).run_validation("")


def test_options_win_over_the_column() -> None:
    declared = PersonSerializer().fields
    assert (declared["nation"].help_text, declared["nation"].source) == ("Where it is.", "country")
    assert declared["picture"].help_text == Account._meta.get_field("avatar_url").help_text


def test_a_constraint_is_checked_on_the_row_as_the_change_would_leave_it() -> None:
    club = Account(pk="club", organisation_name="The Club")
    unnamed = [("organisation_unnamed", "An organisation needs an organisationName.")]
    for change in ({"isOrganisation": True, "name": ""}, {"isOrganisation": True, "name": " "}):
        assert reasons(PersonSerializer(club, data=change, partial=True)) == {"name": unnamed}
    assert PersonSerializer(club, data={"isOrganisation": True}, partial=True).is_valid()
    assert (club.is_organisation, club.organisation_name) == (False, "The Club")


def test_a_constraint_that_blames_no_field_is_an_error_of_the_whole() -> None:
    class UnmappedSerializer(PersonSerializer):
        constraint_fields = {"another": "name"}

    serializer = UnmappedSerializer(Account(pk="club"), data={"isOrganisation": True}, partial=True)
    assert reasons(serializer).keys() == {"nonFieldErrors"}


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
