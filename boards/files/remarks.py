"""What is said of a file's records, for people: equal sentences together. Programs get them one by one."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from bridge.formats.numbering import AGAINST_NUMBER
from bridge.formats.outcomes import RecordError, RecordRemark
from config.values.words import format_count

MAX_NAMED = 3
MAX_LENGTH = 500
MAX_NAME_LENGTH = 40
VALUE = re.compile(r"'[^']*'|\b(?:North|East|South|West|None|NS|EW|All|Pass|XX?|[SHDC][AKQJT]|\w*[0-9]\w*)\b")
"""What differs from record to record in sentences that are equal else: cards, calls, seats, sides, numbers, quotes."""


@dataclass
class RemarkGroup:
    """Remarks of one code that say the same, but for values. `boards` are the boards in order, each once."""

    first: RecordRemark
    count: int = 0
    boards: dict[str, None] = field(default_factory=dict)
    lines: list[int] = field(default_factory=list)
    are_equal: bool = True

    def add(self, remark: RecordRemark) -> None:
        self.count += 1
        self.boards[remark.board[:MAX_NAME_LENGTH] or f"{remark.record}"] = None
        self.lines += [remark.line] * (self.count <= MAX_NAMED)
        self.are_equal = self.are_equal and remark.message == self.first.message

    @property
    def kind(self) -> str:
        """Return "refused", or "2,023 records repaired"."""
        is_kept = self.first.code == AGAINST_NUMBER
        kind = "refused" if isinstance(self.first, RecordError) else "kept" if is_kept else "repaired"
        return kind if self.count == 1 else f"{format_count(self.count, 'record')} {kind}"

    @property
    def where(self) -> str:
        """Return "boards 3, 7, 12 and 20 more, lines 31, 75, 120 and 20 more", or "record 8" where it has no board."""
        boards = name_first("board" if self.first.board else "record", [*self.boards], len(self.boards))
        return f"{boards}, {name_first('line', [f'{line}' for line in self.lines], self.count)}"

    @property
    def message(self) -> str:
        others = "" if self.are_equal else " The others are alike."
        return f"{self.first.message[:MAX_LENGTH]}{others}"


def name_first(noun: str, names: Sequence[str], count: int) -> str:
    """Return the first of so many names, and how many more there are."""
    named = names[:MAX_NAMED]
    more = f" and {count - len(named):,} more" * (count > len(named))
    return f"{noun}{'s' * (count > 1)} {', '.join(named)}{more}"


def group_remarks(remarks: Iterable[RecordRemark]) -> list[RemarkGroup]:
    """Return the remarks in groups, in the order of the records."""
    groups: dict[tuple[type, str, str], RemarkGroup] = {}
    for remark in sorted(remarks, key=lambda remark: remark.record):
        key = type(remark), remark.code, VALUE.sub("…", remark.message[:MAX_LENGTH])
        groups.setdefault(key, RemarkGroup(remark)).add(remark)
    return [*groups.values()]
