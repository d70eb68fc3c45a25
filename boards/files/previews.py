"""What an import of an uploaded file would do, as its page shows it: nothing is stored or locked.

Equal sentences about records are put together for people; programs get them one by one. Decision 0036 says who reads
which file.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import InitVar, dataclass, field
from typing import Any, BinaryIO
from uuid import UUID

from accounts.identifiers import SYSTEM
from boards.drawing.html_diagrams import render_html
from boards.files.corrections import Corrections, correct, says_less
from boards.files.options import DEFAULT, ImportOptions, TooManyRecords
from boards.files.reports import CorrectedRecord, ReadingReport, TableNumbers, iterate_batches
from boards.models import Board, Upload
from boards.records import columns_of
from bridge.board import BoardRecord
from bridge.dates import in_words
from bridge.diagram import Diagram
from bridge.formats.archives import is_archive
from bridge.formats.files import AGAINST_NUMBER
from bridge.formats.outcomes import ReadBoard, RecordError, RecordRemark
from bridge.formats.raw_records import count_lines
from config.api.errors import PayloadTooLarge
from config.values.words import format_count
from deals.models import Deal
from themes.models import Theme

MAX_FIRST = 3
MAX_REMARKS = 200


@dataclass
class DryRunReport(ReadingReport):
    """What an import for an owner would create.

    `deals` maps the cards of each distinct deal to whether the deal would be new, and `boards` the fingerprint of each
    board to whether the board would be new. `first` are the first boards, and `events` counts the records of each
    event, date and site, and `skills` those of each skill. `corrected` are the first MAX_REMARKS of the stored boards
    that would become others, `corrected_count` counts them all, and `doubtful` counts the boards that stay drafts.
    """

    owner_id: InitVar[str] = SYSTEM
    deals: dict[str, bool] = field(default_factory=dict)
    boards: dict[str, bool] = field(default_factory=dict)
    corrected: list[CorrectedRecord] = field(default_factory=list)
    corrected_count: int = 0
    first: list[BoardRecord] = field(default_factory=list)
    events: Counter[tuple[str, str, str]] = field(default_factory=Counter)
    skills: Counter[str] = field(default_factory=Counter)
    doubtful: int = 0

    def __post_init__(self, owner_id: str) -> None:
        self.numbers = TableNumbers(owner_id)
        self.corrections = Corrections(owner_id)

    def look_up(self, read: Sequence[ReadBoard]) -> None:
        """Report what an import of these records would create."""
        records = [each.content for each in read]
        self.first += records[: MAX_FIRST - len(self.first)]
        for record in records:
            self.events[record.event, record.date, record.site] += 1
            self.skills[record.skill] += 1
        self.doubtful += sum(each.is_doubtful for each in read)
        new_cards = {record.layout.cards for record in records} - self.deals.keys()
        stored = set(Deal.objects.filter(cards__in=new_cards).values_list("cards", flat=True))
        self.deals |= {cards: cards not in stored for cards in new_cards}
        boards = {self.numbers.fingerprint(each.content): each for each in read}
        known = set(Board.objects.filter(fingerprint__in=boards).values_list("fingerprint", flat=True))
        known |= self.find_corrected(boards)
        self.boards |= {each: each not in known for each in boards.keys() - self.boards.keys()}

    def find_corrected(self, boards: Mapping[str, ReadBoard]) -> set[str]:
        """Report which stored tables would become others. Return the fingerprints of records of stored tables."""
        sound = {
            each: Board(**columns_of(read.content), fingerprint=each, deal=Deal(cards=read.content.layout.cards))
            for each, read in boards.items()
            if not read.is_doubtful
        }
        found = self.corrections.find(sound.values(), lambda table: table.fingerprint in self.boards)
        rows = Board.objects.select_related("deal", "auction_system").in_bulk([old.pk for old in found.values()])
        for fingerprint, old in found.items():
            read, row = boards[fingerprint], rows.get(old.pk)
            if row is None or says_less(read, old):
                continue
            before, after = correct(row, sound[fingerprint])
            if before != after:
                corrected = CorrectedRecord(read.record, read.board, row.pk, before, after)
                self.corrected += [corrected][: MAX_REMARKS - len(self.corrected)]
                self.corrected_count += 1
        return {*found}


def dry_run_import(
    file: BinaryIO, options: ImportOptions = DEFAULT, *, on_progress: Callable[[DryRunReport], None] | None = None
) -> DryRunReport:
    """Look up what the file would create. Call `on_progress` with the growing report after each batch."""
    report = DryRunReport(owner_id=options.owner_id)
    for records in iterate_batches(options.read(file), report):
        report.look_up(records)
        if on_progress:
            on_progress(report)
    return report


MAX_NAMED = 3
MAX_LENGTH = 500
MAX_NAME_LENGTH = 40
VALUE = re.compile(r"'[^']*'|\b(?:North|East|South|West|None|NS|EW|All|Pass|XX?|[SHDC][AKQJT]|\w*[0-9]\w*)\b")
"""What differs from record to record in sentences that are equal else: cards, calls, seats, sides, numbers, quotes."""


@dataclass
class RemarkGroup:
    """Remarks of one code that say the same, but for values."""

    remarks: list[RecordRemark] = field(default_factory=list)

    @property
    def first(self) -> RecordRemark:
        return self.remarks[0]

    @property
    def count(self) -> int:
        return len(self.remarks)

    @property
    def kind(self) -> str:
        """Return "refused", or "2,023 records repaired"."""
        is_kept = self.first.code == AGAINST_NUMBER
        kind = "refused" if isinstance(self.first, RecordError) else "kept" if is_kept else "repaired"
        return kind if self.count == 1 else f"{format_count(self.count, 'record')} {kind}"

    @property
    def where(self) -> str:
        """Return "boards 3, 7, 12 and 20 more, lines 31, 75, 120 and 20 more", or "record 8" where it has no board."""
        boards = dict.fromkeys(each.board[:MAX_NAME_LENGTH] or f"{each.record}" for each in self.remarks)
        named = name_first("board" if self.first.board else "record", [*boards])
        return f"{named}, {name_first('line', [f'{each.line}' for each in self.remarks])}"

    @property
    def message(self) -> str:
        are_equal = all(each.message == self.first.message for each in self.remarks)
        return f"{self.first.message[:MAX_LENGTH]}{'' if are_equal else ' The others are alike.'}"


def name_first(noun: str, names: Sequence[str]) -> str:
    more = f" and {len(names) - MAX_NAMED:,} more" * (len(names) > MAX_NAMED)
    return f"{noun}{'s' * (len(names) > 1)} {', '.join(names[:MAX_NAMED])}{more}"


def group_remarks(remarks: Iterable[RecordRemark]) -> list[RemarkGroup]:
    """Return the remarks in groups, in the order of the records."""
    groups: dict[tuple[type, str, str], RemarkGroup] = {}
    for remark in sorted(remarks, key=lambda remark: remark.record):
        key = type(remark), remark.code, VALUE.sub("…", remark.message[:MAX_LENGTH])
        groups.setdefault(key, RemarkGroup()).remarks.append(remark)
    return [*groups.values()]


MAX_SMALL = 64 * 1024
MAX_LINES = 5_000
MAX_RECORDS = 500
"""The bytes, lines and records of a file that a request reads: a quarter of a second of a core at most. The rows of a
score table are read before the first of them is a record, and may have three bytes each."""

MAX_BOARDS = 10_000
"""The boards of a file that is imported in the admin. One request reads it whole, and a proxy waits for that."""

MAX_REMARK_LENGTH = 500
MAX_EVENTS = 10
UNREAD: dict[str, Any] = {"read": 0}
"""The preview of a file that the worker will read."""

BEGUN = {**UNREAD, "begun": True}
BROKEN_OFF = {**UNREAD, "broken_off": True}
"""The preview of one that it could not read this time. The task is tried again."""


def is_small(content: bytes) -> bool:
    """Tell whether a request may begin to read the file. An archive may hold 16 MiB, whatever its own size is."""
    return len(content) <= MAX_SMALL and count_lines(content) <= MAX_LINES and not is_archive(content)


def read_for_preview(upload_id: UUID, max_records: int | None = None) -> bool:
    """Store how many records of a file are read, and then its preview. Return whether this made the preview.

    A file with more than `max_records` stays unread, and TooManyRecords is raised.
    """
    unread = Upload.objects.filter(pk=upload_id, preview__has_key="read")
    if not unread.update(preview=BEGUN):
        return False

    def store_progress(report: DryRunReport) -> None:
        if not unread.update(preview={**BEGUN, "read": report.kept_count}):
            raise Upload.DoesNotExist  # imported or cancelled meanwhile, or read by another worker

    try:
        preview = preview_of(unread.get(), store_progress, max_records)
    except PayloadTooLarge as error:
        preview = {"refusal": str(error.detail)}
    except TooManyRecords:
        unread.update(preview=UNREAD)
        raise
    except Upload.DoesNotExist:
        return False
    except Exception:  # whatever it was, the page says that the file was not read
        unread.update(preview=BROKEN_OFF)
        raise
    return bool(unread.update(preview=preview))


def preview_of(
    upload: Upload, on_progress: Callable[[DryRunReport], None] | None = None, max_records: int | None = None
) -> dict[str, Any]:
    """Read a file and return what its page shows, as JSON of at most 200 KiB. Raise PayloadTooLarge, TooManyRecords."""

    def go_on(report: DryRunReport) -> None:
        check_size(report)
        if on_progress:
            on_progress(report)

    options = ImportOptions(owner_id=str(upload.owner_id), renumbered=upload.renumbered, max_records=max_records)
    report = dry_run_import(upload.open(), options, on_progress=go_on)
    new = sum(report.boards.values())
    themes = find_themes(report.skills)
    groups = group_remarks([*report.failed, *report.warnings])[:MAX_REMARKS]
    return {
        "new": new,
        "corrected": report.corrected_count,
        "corrections": [
            {"board": each.board[:MAX_REMARK_LENGTH], "old": each.old, "new": each.new} for each in report.corrected
        ],
        "known": len(report.boards) - new - report.corrected_count,
        "failed": len(report.failed),
        "skipped": report.skipped_count,
        "doubtful": report.doubtful,
        "points": report.points.as_json(),
        "events": [
            (", ".join(filter(None, (event or "Without an event", in_words(date), site))), count)
            for (event, date, site), count in report.events.most_common(MAX_EVENTS)
        ],
        "other_events": max(len(report.events) - MAX_EVENTS, 0),
        "themes": [(str(theme), count) for theme, count in themes.most_common(MAX_EVENTS)],
        "theme": next((str(theme.pk) for theme, count in themes.items() if count == report.kept_count), ""),
        "diagrams": [render_html(Diagram(record)) for record in report.first],
        "remarks": [{"where": group.where, "kind": group.kind, "message": group.message} for group in groups],
        "other_remarks": len(report.failed) + report.warnings_count - sum(group.count for group in groups),
    }


def find_themes(skills: Mapping[str, int]) -> Counter[Theme]:
    """Count the boards whose skill names a theme by its identifier or its English label: the narrowest word counts."""
    named = {simplify(name): theme for theme in Theme.objects.all() for name in (str(theme), theme.identifier)}
    found: Counter[Theme] = Counter()
    for skill, boards in skills.items():
        words = map(simplify, reversed(skill.split("/")))
        if theme := next((named[word] for word in words if word and word in named), None):
            found[theme] += boards
    return found


def simplify(name: str) -> str:
    """Return the letters and digits of a name: "Reverse Drury" and "reverse_drury" are the same."""
    return "".join(filter(str.isalnum, name.lower()))


def check_size(report: ReadingReport) -> None:
    """Raise PayloadTooLarge for a file with more records of boards than a request should import."""
    if report.kept_count > MAX_BOARDS:
        raise PayloadTooLarge(
            f"The file has more than {format_count(MAX_BOARDS, 'board')}. Split it into smaller files."
        )
