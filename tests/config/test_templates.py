"""The layout of templates, which readers of pages do not get."""

from pathlib import Path

import pytest
from django.template import Context, Engine

from config.templates import LOADERS


def render(folder: Path, source: str, **values: object) -> str:
    (folder / "page.html").write_text(source, encoding="utf-8")
    return Engine(dirs=[str(folder)], loaders=LOADERS).get_template("page.html").render(Context(values))


@pytest.mark.parametrize(
    ("source", "page"),
    [
        ("<ul>\n  {% for it in 'ab' %}\n    <li>{{ it }}</li>\n  {% endfor %}\n</ul>\n", "<li>a</li>\n<li>b</li>\n"),
        ("<ul>\n  {% if no %}\n    <li>\n  {% else %}{# nothing #}\n  {% endif %}\n</ul>\n", ""),
        ("<ul>\n  {{ 1 }}\n\t{{ 2 }}{% if no %}{% endif %}\n</ul>\n", "1\n2\n"),
        ("<ul>\n  {% if no %}{% endif %} %}\n</ul>\n", " %}\n"),
        ("<ul>\n  <b>1</b>{% if yes %} <b>2</b>{% endif %}\n</ul>\n", "<b>1</b> <b>2</b>\n"),
        ("<ul>\n  {% comment %}\n  A remark.\n  {% endcomment %}\n</ul>\n", ""),
    ],
)
def test_a_page_has_no_indentation_and_no_lines_of_tags_alone(tmp_path: Path, source: str, page: str) -> None:
    assert render(tmp_path, source, yes=True) == f"<ul>\n{page}</ul>\n"


def test_what_stands_in_pre_is_sent_as_it_is_written(tmp_path: Path) -> None:
    page = render(tmp_path, "<p>\n  <pre>\n  {% if yes %}\n    4♠\n  {% endif %}\n  </pre>\n</p>\n", yes=True)
    assert page == "<p>\n<pre>\n  \n    4♠\n  \n  </pre>\n</p>\n"


def test_the_text_of_a_field_begins_where_its_value_begins(tmp_path: Path) -> None:
    page = render(tmp_path, "<p>\n  <textarea>\n    {{ text }}</textarea>\n</p>\n", text="  4♠\n  =")
    assert page == "<p>\n<textarea>\n  4♠\n  =</textarea>\n</p>\n"
