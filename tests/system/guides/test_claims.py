"""The judge of the commands: what counts as the answer that a guide claims."""

import pytest

from tests.system.guides.claims import differences
from tests.system.guides.steps import Misplaced, steps_of

EQUAL = {
    "json": {
        *(('{"a": 1, …}', '{"b": [], "a": 1}'), ('{"a": …, "b": "x…z"}', '{"a": {"c": null}, "b": "xyz"}')),
        *(
            ('[{"a": 1}, …, 3]', '[{"a": 1}, 7, 8, 3]'),
            ("[…]", "[]"),
            ("{…}", "{}"),
            ('{"a": "…, {"}', '{"a": "b, {"}'),
        ),
    },
    "text": {("200 …\n", "200 OK\n"), ("first\n…\nlast", "first\n1\n2\nlast")},
}
DIFFERENT = {
    "json": {
        *(('{"a": 1}', '{"a": 1, "b": 2}'), ('{"a": 1, …}', '{"b": 2}'), ('{"a": 1, …}', '{"a": 2}')),
        *(('{"a": 1}', '{"a": true}'), ('{"a": "x…"}', '{"a": "yx"}'), ("[1, …]", "[]"), ("[1]", "[1, 1]")),
        *(('[{"a": 1}]', '[{"a": "1"}]'), ("{}", "nothing"), ('{"a": "…"}', "")),
    },
    "text": {("200 …", "200 OK\nand more"), ("a.c", "abc"), ("up", "")},
}


def test_an_answer_is_json_or_lines_of_text_in_which_dots_stand_for_anything() -> None:
    for answers, is_equal in ((EQUAL, True), (DIFFERENT, False)):
        for kind, pairs in answers.items():
            for claimed, printed in pairs:
                assert (differences(kind, claimed, printed) == "") is is_equal, (claimed, printed)


def test_a_block_outside_a_step_is_found() -> None:
    command, answer = "```sh\ntrue\n```\n", "```json\n1\n```"
    for text in (command + answer, f"{command}```python\n1\n```\n```ts\n1\n```", answer):
        with pytest.raises(Misplaced):
            steps_of(text)
