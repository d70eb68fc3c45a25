"""Splitting one LIN table into its tags."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from bridge.errors import NotationError
from bridge.formats.lin.lines import join_lines
from bridge.formats.raw_records import RawRecord
from bridge.formats.repairs import FILE_CUT, file_cut

_TAG = re.compile(r"[A-Za-z0-9^]{2}")
MAX_TAGS = 2000
"""The limit is for one table. The longest auction, all explained, and 52 cards with pauses need fewer than 800."""

_BREAK = re.compile(r"\n(?<=[^|\s]\n)(?=\S)")
_BROKEN = re.compile(
    r"""\|\s*+[a-z](?:\n[a-z0-9]\s*+|[a-z0-9]\n)\|         # in the name of a tag, or behind it
    | \|\s*+(?:md|mb|pc)\s*+\|[^|]*?[^|\s,]\n[^|\s]""",
    re.VERBOSE | re.IGNORECASE,
)
"""Where only a mail program breaks a line. A text may have lines of its own."""

_WITHOUT_BLANKS = ("qx", "md", "sv", "mb", "pc", "mc")

_TEXT = re.compile("")
_UNFINISHED = {
    "mb": re.compile(r"(?:[1-7]|pas?|db|rdb?)\Z", re.IGNORECASE),
    "pc": re.compile(r"[SHDC]1?\Z", re.IGNORECASE),
    "mc": re.compile(r"\A1\Z"),
    **dict.fromkeys(("ah", "an", "nt"), _TEXT),
}
"""The values that more may follow. Behind others a file may leave out its last bar."""

_REPEATED = frozenset(("mb", "an", "pc", "nt"))


@dataclass(frozen=True, slots=True)
class Tag:
    name: str
    value: str
    line: int


@dataclass(slots=True)
class Tags:
    """The tags of one table. `sequence` has calls, explanations, cards and notes in order, `first` the others.

    Of the others, by their names, the first of a name counts. `error` is a flaw in the notation; the tags before
    it are there all the same. `cut` is the end of the file within a tag, which is left out.
    """

    first: dict[str, Tag] = field(default_factory=dict)
    sequence: list[Tag] = field(default_factory=list)
    error: NotationError | None = None
    cut: NotationError | None = None

    def value(self, name: str) -> str:
        """Return the stripped value of a tag in `first`; "" for an absent one."""
        return self.first[name].value.strip() if name in self.first else ""

    def drop(self, names: Sequence[str]) -> bool:
        """Remove all tags of these names. Return whether there were any."""
        kept = [tag for tag in self.sequence if tag.name not in names]
        found = len(kept) < len(self.sequence) or any(name in self.first for name in names)
        self.sequence = kept
        for name in names:
            self.first.pop(name, None)
        return found

    @property
    def is_table(self) -> bool:
        return "md" in self.first or any(tag.name in ("mb", "pc") for tag in self.sequence)


def read_tags(record: RawRecord) -> Tags:
    """Read a table's tags. An error goes to `Tags.error`, the end of a file that was cut to `Tags.cut`."""
    tags = Tags()
    try:
        text = record.text()
        is_broken = bool(_BREAK.search(text) and _BROKEN.search(text))
        for each in _tags(join_lines(text) if is_broken else text, record.line, record.is_last):
            tag = _without_blanks(each) if is_broken else each
            if tag.name in _REPEATED:
                tags.sequence.append(tag)
            else:
                tags.first.setdefault(tag.name, tag)
    except NotationError as error:
        if error.code == FILE_CUT:
            tags.cut = error
        else:
            tags.error = error
    return tags


def _without_blanks(tag: Tag) -> Tag:
    return replace(tag, value="".join(tag.value.split())) if tag.name in _WITHOUT_BLANKS else tag


def _tags(text: str, line: int, is_last: bool) -> Iterator[Tag]:
    """Yield the tags of a text that begins with a bar. What is no tag where one should stand continues the value.

    So a value may contain bars: real files do not escape them.
    """
    name, start, value, token = "", line, [""], ""
    line -= text[: len(text) - len(text.lstrip("| \t\n"))].count("\n")
    tokens = text.split("|")[1:]
    if len(tokens) > 2 * MAX_TAGS:
        raise NotationError("malformed_lin", f"No table has more than {MAX_TAGS} tags.", line)
    for token in tokens:
        if name and not value:
            value.append(token)
        elif _TAG.fullmatch(token.strip()):
            if name:
                yield Tag(name, "|".join(value), start)
            blanks = len(token) - len(token.lstrip())
            name, start, value = token.strip().lower(), line + token.count("\n", 0, blanks), []
        elif token.strip():
            if not name:
                message = f"{token.strip()[:20]!r} is not a tag. Write LIN as tag|value|tag|value|…"
                raise NotationError("malformed_lin", message, line)
            value.append(token)
        line += token.count("\n")
    if name:
        yield from _last_tag(Tag(name, "|".join(value), start), token.strip() * is_last)


def _last_tag(tag: Tag, end: str) -> Iterator[Tag]:
    """Yield the last tag as far as it is whole. `end` is what a file has behind its last bar. Raise `file_cut`."""
    value, bar, _ = tag.value.rpartition("|")
    is_name = bool(bar) and len(end) == 1 and end.isalpha()
    if is_name:
        yield Tag(tag.name, value, tag.line)
    elif not end or (tag.value and not (tag.name in _UNFINISHED and _UNFINISHED[tag.name].search(tag.value.strip()))):
        yield tag
        return
    raise file_cut(end if is_name or not tag.value else f"{tag.name}|{tag.value}", tag.line)
