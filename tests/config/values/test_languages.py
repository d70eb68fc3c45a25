"""Which label a reader gets."""

import pytest
from django.test import RequestFactory

from config.site.languages import accepted_languages
from config.values.languages import Label, best_label

LABELS = {"en": "Weak two", "fr": "Deux faible", "pt-BR": "Dois fraco", "zh-Hant": "弱二"}


def languages_of(header: str | None) -> tuple[str, ...]:
    headers = {} if header is None else {"accept-language": header}
    return accepted_languages(RequestFactory().get("/", headers=headers))


@pytest.mark.parametrize(
    ("header", "languages"),
    [
        (None, ()),
        ("", ()),
        ("fr", ("fr",)),
        ("fr;q=0.5, DE-at, *;q=0.1", ("de-at", "fr")),
        ("fr;q=0, de", ("de",)),
        ("not a language!", ()),
        ("é", ()),
        ("fr, " * 500, ()),
        ("x" * 5000, ()),
    ],
    ids=str,
)
def test_languages_are_ranked_and_nonsense_is_ignored(header: str, languages: tuple) -> None:
    accepted = languages_of(header)
    assert accepted == languages or (len(header) > 500 and set(accepted) <= {"fr"})


@pytest.mark.parametrize(
    ("languages", "label"),
    [
        (("fr",), Label("Deux faible", "fr")),
        (("fr-ca-1994",), Label("Deux faible", "fr")),
        (("pt-br",), Label("Dois fraco", "pt-BR")),
        (("pt",), Label("Weak two")),
        (("zh-hant-x-private",), Label("弱二", "zh-Hant")),
        (("de", "fr"), Label("Deux faible", "fr")),
        (("de",), Label("Weak two")),
        (("en-gb", "fr"), Label("Weak two")),
        ((), Label("Weak two")),
    ],
    ids=str,
)
def test_the_exact_tag_comes_before_shorter_ones_before_english(languages: tuple, label: Label) -> None:
    assert best_label(LABELS, languages, "weak_two") == label


def test_without_english_any_label_does_and_without_text_the_identifier() -> None:
    assert best_label({"sv": "Svaga två", "nl": "Zwakke twee"}, (), "x") == Label("Zwakke twee", "nl")
    assert best_label({"en": 5, "fr": None, "de": "  ", "nl": {"a": 1}}, ("fr",), "weak_two") == Label(
        "weak_two"
    )
    assert best_label({}, ("fr",), "weak_two") == Label("weak_two")


def test_a_label_that_is_no_text_is_skipped_for_the_next_language() -> None:
    assert best_label({"fr": ["Deux"], "de": "Zwei"}, ("fr", "de"), "x") == Label("Zwei", "de")


def test_a_key_that_is_no_language_names_none() -> None:
    assert best_label({"<script>": "Label"}, (), "x") == Label("Label", "")
