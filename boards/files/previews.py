"""What an import of an uploaded file would do, as its page shows it. Decision 0036 says who reads which file."""

from collections import Counter
from collections.abc import Callable, Mapping
from typing import Any, cast
from uuid import UUID

from boards.drawing.html_diagrams import render_html
from boards.files.dry_run import DryRunReport, dry_run_import
from boards.files.options import ImportOptions
from boards.files.remarks import group_remarks
from boards.files.reports import ReadingReport
from boards.models import Upload
from bridge.dates import in_words
from bridge.diagram import Diagram
from bridge.formats.archives import is_archive
from config.api.errors import PayloadTooLarge
from config.values.words import format_count
from themes.models import Theme

MAX_SMALL = 64 * 1024
"""The bytes of a file that a request reads: a few hundred records, a quarter of a second of a core."""

MAX_BOARDS = 10_000
"""The boards of a file that is imported in the admin. One request reads it whole, and a proxy waits for that."""

MAX_REMARKS = 200
MAX_REMARK_LENGTH = 500
MAX_EVENTS = 10
UNREAD: dict[str, Any] = {"read": 0}
"""The preview of a file that the worker will read."""

BEGUN = {**UNREAD, "begun": True}
BROKEN_OFF = {**UNREAD, "broken_off": True}
"""The preview of one that it could not read this time. The task is tried again."""


class FileGone(Exception):
    """The file was imported or cancelled while the worker read it, or another worker has read it."""


def is_small(content: bytes) -> bool:
    """Tell whether a request may read the file. An archive may hold 16 MiB, whatever its own size is."""
    return len(content) <= MAX_SMALL and not is_archive(content)


def read_for_preview(upload_id: UUID) -> bool:
    """Store how many records of a file are read, and then its preview. Return whether this made the preview."""
    unread = Upload.objects.filter(pk=upload_id, preview__has_key="read")
    if not unread.update(preview=BEGUN):
        return False

    def store_progress(report: DryRunReport) -> None:
        if not unread.update(preview={**BEGUN, "read": report.kept_count}):
            raise FileGone

    try:
        preview = preview_of(unread.get(), store_progress)
    except PayloadTooLarge as error:
        preview = {"refusal": str(error.detail)}
    except (FileGone, Upload.DoesNotExist):
        return False
    except Exception:  # whatever it was, the page says that the file was not read
        unread.update(preview=BROKEN_OFF)
        raise
    return bool(unread.update(preview=preview))


def preview_of(upload: Upload, on_progress: Callable[[DryRunReport], None] | None = None) -> dict[str, Any]:
    """Read a file and return what its page shows, as JSON of at most 200 KiB. Raise PayloadTooLarge."""

    def go_on(report: DryRunReport) -> None:
        check_size(report)
        if on_progress:
            on_progress(report)

    options = ImportOptions(owner_id=owner_of(upload), renumbered=upload.renumbered)
    report = dry_run_import(upload.open(), options, on_progress=go_on)
    new = sum(report.boards.values())
    themes = find_themes(report.skills)
    groups = group_remarks([*report.failed, *report.warnings])[:MAX_REMARKS]
    return {
        "new": new,
        "corrected": len(report.corrected),
        "corrections": [
            {"board": each.board[:MAX_REMARK_LENGTH], "old": each.old, "new": each.new}
            for each in report.corrected[:MAX_REMARKS]
        ],
        "known": len(report.boards) - new - len(report.corrected),
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


def owner_of(upload: Upload) -> str:
    """Return the owner's id, which to the stubs may be None, since the column has a default."""
    return cast(str, upload.owner_id)
