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


def test_without_english_any_label_does_that_is_a_text_and_without_one_the_identifier() -> None:
    for labels, languages, label in (
        ({"sv": "Svaga två", "nl": "Zwakke twee"}, (), Label("Zwakke twee", "nl")),
        ({"fr": ["Deux"], "de": "Zwei"}, ("fr", "de"), Label("Zwei", "de")),
        ({"en": 5, "fr": None, "de": "  ", "nl": {"a": 1}}, ("fr",), Label("weak_two")),
        *(({}, ("fr",), Label("weak_two")), ({"<script>": "Label"}, (), Label("Label", ""))),
    ):
        assert best_label(labels, languages, "weak_two") == label, labels
