"""Settings that are read from the environment fail loudly when their value makes no sense."""

import pytest
from django.core.exceptions import ImproperlyConfigured

from config.settings import flag


def test_a_flag_is_on(subtests: pytest.Subtests, monkeypatch: pytest.MonkeyPatch) -> None:
    for value in ["true", "True", " TRUE ", "1", "on", "yes"]:
        with subtests.test(value=value):
            monkeypatch.setenv("A_FLAG", value)
            assert flag("A_FLAG", default=False) is True


def test_a_flag_is_off(subtests: pytest.Subtests, monkeypatch: pytest.MonkeyPatch) -> None:
    for value in ["false", "False", " FALSE ", "0", "off", "no"]:
        with subtests.test(value=value):
            monkeypatch.setenv("A_FLAG", value)
            assert flag("A_FLAG", default=True) is False


@pytest.mark.parametrize("default", [True, False])
def test_a_flag_that_is_not_set_or_blank_has_its_default(default: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("A_FLAG", raising=False)
    assert flag("A_FLAG", default=default) is default
    for blank in ("", " "):
        monkeypatch.setenv("A_FLAG", blank)
        assert flag("A_FLAG", default=default) is default


def test_a_flag_with_any_other_value_is_refused_by_name(
    subtests: pytest.Subtests, monkeypatch: pytest.MonkeyPatch
) -> None:
    for value in ["ture", "2", "y", "none", "truefalse", "é"]:
        with subtests.test(value=value):
            monkeypatch.setenv("A_FLAG", value)
            with pytest.raises(ImproperlyConfigured, match=f"A_FLAG={value.strip()}"):
                flag("A_FLAG", default=True)
