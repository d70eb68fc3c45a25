"""What may be said of a file that is imported, and the reading of it that an import and its preview share."""

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import BinaryIO, TypeVar

from accounts.identifiers import SYSTEM
from boards.files.joining import join_stored
from boards.records import check_storable
from bridge.board import BoardRecord
from bridge.formats.files import FileFormat, read_boards
from bridge.formats.outcomes import Outcome, ReadBoard
from bridge.formats.rankings import GivenRanking
from themes.models import Theme

Texted = TypeVar("Texted", BoardRecord, GivenRanking)


class TooManyRecords(Exception):
    """A file has more records than its reader wants to read now."""


@dataclass(frozen=True, kw_only=True)
class ImportOptions:
    """Whose the boards of a file become, what happens to them, and how the file is read.

    With `publish` the boards are published, those that exist as drafts too; a doubtful one stays a draft. With
    `keep_published` boards that are published stay as they are. `max_owned`, which members' own files have, is the
    most boards that the owner may have. `texts`, such as {"event": "Friday pairs"}, stand where the file has none.

    Without `file_format` the beginning of the file decides. When `strict` a record is refused that else had been
    repaired or shortened. Unless `renumbered`, dealer and vulnerability are held against the board number. With
    `max_records` the reading of a file with more of them raises TooManyRecords.
    """

    owner_id: str = SYSTEM
    themes: Collection[Theme] = ()
    publish: bool = False
    keep_published: bool = False
    max_owned: int | None = None
    texts: Mapping[str, str] = field(default_factory=dict)
    file_format: FileFormat | None = None
    strict: bool = False
    renumbered: bool = False
    max_records: int | None = None

    def read(self, file: BinaryIO) -> Iterator[Outcome]:
        """Yield what comes of the file's records. Results without deals are joined with those of the owner."""
        outcomes = read_boards(file, check_storable, self.file_format, strict=self.strict, renumbered=self.renumbered)
        counted = outcomes if self.max_records is None else stop_behind(outcomes, self.max_records)
        return add_texts(join_stored(counted, self.owner_id, self.texts), self.texts)


DEFAULT = ImportOptions()


def stop_behind(outcomes: Iterable[Outcome], most: int) -> Iterator[Outcome]:
    """Yield the outcomes. Raise TooManyRecords behind so many of them."""
    for number, outcome in enumerate(outcomes):
        if number == most:
            raise TooManyRecords
        yield outcome


def add_texts(outcomes: Iterable[Outcome], texts: Mapping[str, str]) -> Iterator[Outcome]:
    for outcome in outcomes:
        if isinstance(outcome, ReadBoard) and texts:
            yield replace(outcome, content=fill(outcome.content, texts))
        else:
            yield fill(outcome, texts) if isinstance(outcome, GivenRanking) else outcome


def fill(texted: Texted, texts: Mapping[str, str]) -> Texted:
    """Return a board or a ranking with those of the texts that it has not itself."""
    missing = {name: text for name, text in texts.items() if getattr(texted, name, text) == ""}
    return replace(texted, **missing)  # type: ignore[arg-type]  # texts
