"""What PBN games say of their session: event, date and site, also in the title lines of BridgeComposer.

Each value that is read otherwise than it stands there, or not at all, is a notice of the game's tags.
"""

import re
from dataclasses import dataclass, field
from functools import lru_cache

from bridge.errors import NotationError
from bridge.formats.dates import MAX_DATE_LENGTH, read_date
from bridge.formats.pbn.tokens import Tag, Tags
from bridge.formats.pbn.values import parse_board_number
from bridge.formats.raw_records import RawRecord, count_lines, decode_text
from bridge.texts import MAX_LINE_LENGTH

_TITLE = re.compile(rb"(?:\A|(?<=[\r\n]))%HRTitle(Event|Date|Site)(?![A-Za-z])[ \t]*+([^\r\n]*+)")
_UNKNOWN = " ?.0-/"
"""What dates without a date are made of: "????.??.??", "0"."""

_NO_NAME = re.compile(
    r"""[A-Z]:[\\/].+ | \\\\\w[^\\]*+\\.+ | /[^/]+/.+  # a path
    | \{?[0-9A-F]{8}-(?:[0-9A-F]{4}-){3}[0-9A-F]{12}\}? | (?=[A-F]*+[0-9])[0-9A-F]{16,} | [0-9]{6,}""",
    re.VERBOSE | re.IGNORECASE,
)


@dataclass(slots=True)
class Session:
    """What a file's games so far leave to the next: the titles, the order of its dates, and what was said of events."""

    strict: bool
    titles: dict[str, Tag] = field(default_factory=dict)
    month_first: bool | None = None
    said: str = ""
    sound: tuple[str, str] = ("", "")
    """The last event and date that are read as they stand, since most games of a file have the same."""

    def read_titles(self, game: RawRecord) -> None:
        """Keep the titles of %HRTitleEvent, %HRTitleDate and %HRTitleSite for this game and those behind it."""
        if b"%HRTitle" not in game.data:
            return
        number, counted = game.line, 0
        for line in _TITLE.finditer(game.data):
            name, title = line[1].decode(), decode_text(line[2]).strip().removeprefix('"').removesuffix('"').strip()
            number, counted = number + count_lines(game.data[counted : line.start()]), line.start()
            is_kept = len(title) <= MAX_LINE_LENGTH and title != "0" and not (name == "Event" and is_no_name(title))
            self.titles[name] = Tag(name, title if is_kept else "", number)

    def read_values(self, tags: Tags, line: int) -> None:
        """Read event, date and board number of a game that begins in this line, and fill what is blank from titles."""
        event, written, number = tags.value("Event"), tags.value("Date"), tags.value("Board")
        if (event, written) != self.sound or self.titles:
            self.read_session(event, tags, line)
            if not tags.notices and (tags.value("Event"), tags.value("Date")) == (event, written):
                self.sound = event, written
        if number and not parse_board_number(number):
            self.note("board_number_unread", f"No board number can be read in {number[:20]!r}.", "Board", tags, line)

    def read_session(self, event: str, tags: Tags, line: int) -> None:
        if is_no_name(event[: MAX_LINE_LENGTH + 1]):
            self.drop_event(event, tags, line)
        for name, title in self.titles.items():
            if title.value and not tags.value(name).strip(_UNKNOWN):
                tags.by_name[name] = Tag(name, title.value, title.line)
        if written := tags.value("Date"):
            self.read_date(written, tags, line)

    def drop_event(self, event: str, tags: Tags, line: int) -> None:
        """Leave out an event's name that is none. It is said once for all games that have it one after the other."""
        if self.strict or event != self.said:
            message = "The event is called by the path of a file or an identifier, not by a name. It was left out."
            self.note("text_dropped", message, "Event", tags, line)
        self.said = event
        del tags.by_name["Event"]

    def read_date(self, written: str, tags: Tags, line: int) -> None:
        read = read_date(written[: MAX_DATE_LENGTH + 1], self.month_first)
        if self.month_first is None:
            self.month_first = read.month_first
        if read.text:
            tags.by_name["Date"].value = read.text
        if read.is_guess:
            self.note("date_guessed", f"The date {written[:20]!r} was read as {read.text}.", "Date", tags, line)
        elif not read.text and written.strip(_UNKNOWN):
            message = f"The date {written[:20]!r} cannot be read. It was kept as a text. Write it as 2026.03.09."
            self.note("date_unread", message, "Date", tags, line)

    def note(self, code: str, message: str, name: str, tags: Tags, line: int) -> None:
        tags.notices.append(NotationError(code, message, tags.by_name[name].line or line, name))


@lru_cache(maxsize=1024)
def is_no_name(event: str) -> bool:
    """Tell whether an event's name is the path of a file or an identifier. A date without dots may be a name."""
    return _NO_NAME.fullmatch(event) is not None and not read_date(event).text
