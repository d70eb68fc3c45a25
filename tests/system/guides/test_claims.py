"""The judge of the commands: what counts as the answer that a guide claims."""

import pytest

from tests.system.guides.claims import differences
from tests.system.guides.steps import Misplaced, steps_of


@pytest.mark.parametrize(
    ("claimed", "printed"),
    [
        ('{"a": 1, …}', '{"b": [], "a": 1}'),
        ('{"a": …, "b": "x…z"}', '{"a": {"c": null}, "b": "xyz"}'),
        ('[{"a": 1}, …, 3]', '[{"a": 1}, 7, 8, 3]'),
        ("[…]", "[]"),
        ("{…}", "{}"),
        ('{"a": "…, {"}', '{"a": "b, {"}'),
    ],
)
def test_an_answer_is_json_in_which_dots_stand_for_anything(claimed: str, printed: str) -> None:
    assert differences("json", claimed, printed) == ""


@pytest.mark.parametrize(
    ("claimed", "printed"),
    [
        ('{"a": 1}', '{"a": 1, "b": 2}'),
        ('{"a": 1, …}', '{"b": 2}'),
        ('{"a": 1, …}', '{"a": 2}'),
        ('{"a": 1}', '{"a": true}'),
        ('{"a": "x…"}', '{"a": "yx"}'),
        ("[1, …]", "[]"),
        ("[1]", "[1, 1]"),
        ('[{"a": 1}]', '[{"a": "1"}]'),
        ("{}", "nothing"),
        ('{"a": "…"}', ""),
    ],
)
def test_another_answer_is_a_difference(claimed: str, printed: str) -> None:
    assert differences("json", claimed, printed)


def test_a_text_is_compared_line_by_line() -> None:
    assert differences("text", "200 …\n", "200 OK\n") == ""
    assert differences("text", "first\n…\nlast", "first\n1\n2\nlast") == ""
    assert differences("text", "200 …", "200 OK\nand more")
    assert differences("text", "a.c", "abc")
    assert differences("text", "up", "")


@pytest.mark.parametrize(
    "text",
    ["```sh\ntrue\n```\n```json\n1\n```", "```sh\ntrue\n```\n```python\n1\n```\n```ts\n1\n```", "```json\n1\n```"],
)
def test_a_block_outside_a_step_is_found(text: str) -> None:
    with pytest.raises(Misplaced):
        steps_of(text)
