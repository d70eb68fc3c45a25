"""The language in which a visitor is answered."""

import pytest
from django.test import RequestFactory
from hypothesis import given, settings
from hypothesis import strategies as st
from rest_framework.test import APIClient

from config.values.languages import accepted_languages, preferred_language
from forms.models import Submission
from tests.forms.bodies import CONTACT


def language_for(header: str) -> str:
    return preferred_language(RequestFactory().get("/", headers={"accept-language": header}))


def test_the_first_accepted_language_that_exists_is_chosen() -> None:
    assert preferred_language(RequestFactory().get("/")) == "en", "the site's own"
    for header, language in (
        *(("nl", "nl"), ("nl-NL,nl;q=0.9,en;q=0.8", "nl-NL"), ("en;q=0.3, pt-br;q=0.7", "pt-BR")),
        *(("zh-hans-cn", "zh-Hans-CN"), ("*, de;q=0.5", "de"), ("fr;q=0, sv;q=0.1", "sv")),
        *(("xx-nonsense, pl;q=0.5", "pl"), ("", "en"), ("*", "en"), ("de;q=nonsense", "en"), ("\x00é", "en")),
        ("a" * 6000, "en"),
    ):
        assert language_for(header) == language, header


@given(st.text(st.characters(codec="latin-1"), max_size=80))
@settings(deadline=None)
def test_no_header_makes_the_choice_of_a_language_fail(header: str) -> None:
    assert 1 < len(language_for(header)) <= 35


@pytest.mark.django_db
def test_the_language_is_stored_with_a_form(anonymous: APIClient) -> None:
    anonymous.post("/api/forms/contact", CONTACT, headers={"accept-language": "nl-be, en"})
    assert Submission.objects.get().language == "nl-BE"


def test_languages_are_ranked_and_nonsense_is_ignored() -> None:
    assert accepted_languages(RequestFactory().get("/")) == ()
    for header, languages in (
        *(("", ()), ("fr", ("fr",)), ("fr;q=0.5, DE-at, *;q=0.1", ("de-at", "fr")), ("fr;q=0, de", ("de",))),
        *(("not a language!", ()), ("é", ()), ("fr, " * 500, ("fr",)), ("x" * 5000, ())),
    ):
        accepted = accepted_languages(RequestFactory().get("/", headers={"accept-language": header}))
        assert accepted == languages or (len(header) > 500 and set(accepted) <= set(languages)), header
