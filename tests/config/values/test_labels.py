"""Which label a reader gets."""

from config.values.labels import Label, best_label

LABELS = {"en": "Weak two", "fr": "Deux faible", "pt-BR": "Dois fraco", "zh-Hant": "弱二"}


def test_the_exact_tag_comes_before_shorter_ones_before_english() -> None:
    for languages, label in (
        *((("fr",), Label("Deux faible", "fr")), (("fr-ca-1994",), Label("Deux faible", "fr"))),
        *((("pt-br",), Label("Dois fraco", "pt-BR")), (("zh-hant-x-private",), Label("弱二", "zh-Hant"))),
        (("de", "fr"), Label("Deux faible", "fr")),
        *((others, Label("Weak two")) for others in (("pt",), ("de",), ("en-gb", "fr"), ())),
    ):
        assert best_label(LABELS, languages, "weak_two") == label, languages


def test_without_english_any_label_does_and_without_text_the_identifier() -> None:
    assert best_label({"sv": "Svaga två", "nl": "Zwakke twee"}, (), "x") == Label("Zwakke twee", "nl")
    assert best_label({"en": 5, "fr": None, "de": "  ", "nl": {"a": 1}}, ("fr",), "weak_two") == Label("weak_two")
    assert best_label({}, ("fr",), "weak_two") == Label("weak_two")


def test_a_label_that_is_no_text_is_skipped_for_the_next_language() -> None:
    assert best_label({"fr": ["Deux"], "de": "Zwei"}, ("fr", "de"), "x") == Label("Zwei", "de")


def test_a_key_that_is_no_language_names_none() -> None:
    assert best_label({"<script>": "Label"}, (), "x") == Label("Label", "")
