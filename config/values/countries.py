"""The codes of countries: ISO 3166-1 alpha-2."""

from django.core.exceptions import ValidationError
from iso3166 import countries_by_alpha2

NOT_A_COUNTRY = "Not a country of ISO 3166-1: give two capital letters, such as NL."


def country_names() -> list[tuple[str, str]]:
    """Return the code and the English name of each country, by name."""
    names = ((code, country.apolitical_name) for code, country in countries_by_alpha2.items())
    return sorted(names, key=lambda each: each[1])


def is_country(code: str) -> bool:
    return code in countries_by_alpha2


def validate_country(code: str) -> None:
    if not is_country(code):
        raise ValidationError(NOT_A_COUNTRY, code="unknown")
