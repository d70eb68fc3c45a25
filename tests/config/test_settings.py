"""Settings that are read from the environment fail loudly when their value makes no sense."""

import pytest
from django.core.exceptions import ImproperlyConfigured

from config.settings import flag


def test_a_flag_is_on_or_off_and_without_a_value_it_has_its_default(monkeypatch: pytest.MonkeyPatch) -> None:
    for default in (True, False):
        monkeypatch.delenv("A_FLAG", raising=False)
        assert flag("A_FLAG", default=default) is default
        for is_on, values in (
            *((True, ("true", "True", " TRUE ", "1", "on", "yes")), (default, ("", " "))),
            (False, ("false", "False", " FALSE ", "0", "off", "no")),
        ):
            for value in values:
                monkeypatch.setenv("A_FLAG", value)
                assert flag("A_FLAG", default=default) is is_on, value


def test_a_flag_with_any_other_value_is_refused_by_name(monkeypatch: pytest.MonkeyPatch) -> None:
    for value in ("ture", "2", "y", "none", "truefalse", "é"):
        monkeypatch.setenv("A_FLAG", value)
        with pytest.raises(ImproperlyConfigured, match=f"A_FLAG={value}"):
            flag("A_FLAG", default=True)
