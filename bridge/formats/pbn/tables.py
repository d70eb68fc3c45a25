"""The tables of a PBN record: rows of values, whose columns their tag names (PBN 2.1 §5.2)."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from bridge.board import PAIR_NUMBER
from bridge.formats.pbn.tokens import Tag

NAMES = ("Names", "Players", "PlayerNames", "Roster")
"""Beginnings of columns whose values may have blanks in them, without quotes."""

NOTHING = ("", "-", "*", "?")
_VALUE = re.compile(r'"((?:[^"\\]|\\.)*+)"?|([^\s"]++)')
_ESCAPED = re.compile(r'\\(["\\])')
_PAIR = re.compile(r"(?:[A-Za-z]|[0-9]{1,2}-)?[0-9]{1,5}[A-Za-z]?")
_PARTS_OF_SECTION = re.compile(r"[A-Z]?[a-z]+|[A-Z]+|[0-9]+")


@dataclass(frozen=True, slots=True)
class Row:
    """The values of a row of a table, and its line in the file.

    From the `sure`th on, values with blanks may come before a value.
    """

    line: int
    positions: dict[str, int]
    columns: int
    sure: int
    values: list[str]

    @property
    def fits(self) -> bool:
        """Tell whether there are as many values as columns, or at least those that are sure."""
        length = len(self.values)
        return self.sure <= length if self.sure < self.columns else length == self.columns

    def value(self, name: str) -> str:
        position = self.positions.get(name, len(self.values))
        is_sure = position < self.sure or len(self.values) == self.columns
        value = self.values[position] if position < len(self.values) and is_sure else ""
        return "" if value in NOTHING else value

    def of_sides(self, name: str) -> tuple[str, str]:
        """Return the values of North-South and East-West in the two columns of a name, as in MP_NS and MP_EW."""
        return self.value(f"{name}_NS"), self.value(f"{name}_EW")


def columns_of(header: Tag) -> list[str]:
    """Return the names of the columns, without what says how they are aligned and sorted, as in "+Rank\\3R"."""
    return [name.partition("\\")[0].strip().lstrip("+-") for name in header.value.split(";")]


def rows_of(header: Tag) -> Iterator[Row]:
    names = columns_of(header)
    sure = next((position for position, name in enumerate(names) if name.startswith(NAMES)), len(names))
    positions = {name: position for position, name in enumerate(names)}
    for line, text in enumerate("".join(header.body).split("\n"), start=header.line):
        values = [(_ESCAPED.sub(r"\1", string) or word).strip() for string, word in _VALUE.findall(text)]
        if values:
            yield Row(line, positions, len(names), sure, values)


def pair_of(number: str, section: str) -> str:
    """Return a pair's number with its section, "" for anything else."""
    return with_section(number, section) if _PAIR.fullmatch(number) else ""


def with_section(number: str, section: str) -> str:
    """Return a pair's number with its section, "A3": the tables of all sections are compared with one another.

    Some programs write the section themselves. A section with a long name goes by the last part of it or by its
    initials: "Section B" and "GroupB" by "B", "Ladies Pairs" by "LP". One of a single long word has no short name.
    """
    words = _PARTS_OF_SECTION.findall(section)
    short = [words[-1], "".join(word[0] for word in words)] if len(words) > 1 else []
    pairs = [write_pair(number, name) for name in (section, *short)]
    return next(filter(PAIR_NUMBER.fullmatch, pairs), pairs[0])


def write_pair(number: str, section: str) -> str:
    """Return both together. Behind a digit "-" parts them, since pair 12 of section 1 is not its pair 2."""
    if section[-1:].isdigit():
        return number if number.startswith(f"{section}-") else f"{section}-{number}"
    has_section = number.upper().startswith(section.upper()) or number.upper().endswith(section.upper())
    return number if has_section else f"{section}{number}"
