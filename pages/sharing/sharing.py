"""How a published board travels to other sites: the addresses of page, frame and picture, and what the latter says.

pages.sharing.evenings has the same of an event.
"""

import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple
from uuid import UUID

from django.conf import settings
from django.http import Http404
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.text import capfirst

from boards.models import Board
from boards.models.names import event_name_of, full_name_of, heading_of, name_of
from boards.records import diagram_of
from bridge.names import SUIT_SYMBOLS, vulnerability_in_words
from config.database.rows import find_by_key
from config.values.marks import Mark
from pages.presenters.boards import BoardPreview
from pages.presenters.playing import END, LAST_STEP
from pages.site.base import path_with_query

FRAME_SIZE = (640, 620)
"""Width and height of the frame that is offered, in pixels: hands and auction of most boards side by side."""

PICTURE_SIZE = (1200, 630)


@dataclass(frozen=True)
class Share:
    """What is shared: a board, the tables of its deal, or an event, by the paths of its page, frame and picture.

    Page and frame show the same: `parameters` say which part of it. One that hides something has no picture, which
    would show it.
    """

    name: str
    page: str
    framed: str
    picture: str
    parameters: Mapping[str, str]

    @property
    def address(self) -> str:
        return absolute(self.page, self.parameters)

    @property
    def picture_address(self) -> str:
        return absolute(self.picture) if self.picture else ""

    @property
    def oembed_address(self) -> str:
        return absolute(reverse("oembed"), {"url": self.address, "format": "json"})

    def frame(self, width: int = FRAME_SIZE[0], height: int = FRAME_SIZE[1]) -> SafeString:
        return write_frame(absolute(self.framed, self.parameters), self.name, width, height)


def absolute(path: str, parameters: Mapping[str, str] | None = None) -> str:
    return settings.PUBLIC_BASE_URL + path_with_query(path, parameters or {})


def find_published(pk: UUID, *related: str) -> Board:
    """Return a published board with related rows. Raise Http404 for a draft, whoever asks, and for no board."""
    board = find_by_key(Board, pk, *related)
    if board is None or board.published_at is None:
        raise Http404
    return board


def share_of(board: Board, visible_hands: Sequence[str] = (), step: int | None = None) -> Share:
    """Return how to share a published board as it is shown with these hands and at this step."""
    parameters = {
        "show": ",".join(visible_hands),
        "step": "" if step is None else str(step) if step < LAST_STEP else END,
    }
    given = {name: value for name, value in parameters.items() if value}
    page, framed, picture = paths_of(board, "board-page", "board-embed", "board-picture")
    return Share(BoardPreview(board).full_name, page, framed, "" if given else picture, given)


def share_of_traveller(board: Board) -> Share:
    """Return how to share the tables of a published board's deal, among which its own is marked."""
    page, framed, picture = paths_of(board, "board-page", "traveller-embed", "board-picture")
    name = full_name_of(board, with_table=False) or "Untitled board"
    return Share(f"{name}: all tables", f"{page}#traveller", framed, picture, {})


def paths_of(board: Board, *routes: str) -> list[str]:
    return [reverse(route, args=[board.pk]) for route in routes]


def write_frame(address: str, title: str, width: int, height: int) -> SafeString:
    """Return the markup of a frame for other sites. It needs no style of theirs, and none of ours."""
    frame = (
        '<iframe src="{}" title="{}" width="{}" height="{}" style="border:0;max-width:100%" loading="lazy"></iframe>'
    )
    return format_html(frame, address, title, width, height)


MAX_LETTERS = 200
"""The letters of a title that are measured and drawn. Some characters are spelled with several."""

SPELLED = str.maketrans(
    dict.fromkeys("–—−‐‑", "-")
    | dict.fromkeys("‘’", "'")
    | dict.fromkeys("“”«»", '"')
    | dict.fromkeys("\ufe0e\ufe0f", "")  # say how a suit symbol is to look
    | {"…": "...", "×": "x", "ß": "ss", "æ": "ae", "Æ": "AE", "œ": "oe", "Œ": "OE"}
    | dict(zip("øØłŁđĐ", "oOlLdD", strict=True))
)
"""How letters that the font lacks are spelled. Accents are left out."""


class ClubText(NamedTuple):
    """What a picture has of the club: its name, "" where the font lacks its letters, its colours and its mark."""

    name: str
    accent: str
    band: str
    mark: Mark | None


def text_of_club() -> ClubText:
    return ClubText(spell(settings.CLUB.name), settings.CLUB.accent, settings.CLUB.band, settings.CLUB.mark)


class PictureText(NamedTuple):
    """What a picture says: all that decides on its pixels."""

    title: str
    facts: tuple[str, ...]
    hands: tuple[tuple[str, tuple[tuple[str, str], ...]], ...]
    """Each seat's letter, and each suit's symbol with its ranks."""

    dealer: str
    vulnerable: str
    """The letters of the seats that are vulnerable."""

    contract: str
    outcome: tuple[str, ...]
    club: ClubText


def text_of(board: Board) -> PictureText:
    diagram = diagram_of(board)
    names = (name_of(board), " of ".join(filter(None, (heading_of(board), event_name_of(board)))))
    title = next(filter(None, map(spell, names)), diagram.heading or "A bridge board")
    facts = (
        diagram.heading if diagram.heading != title else "",
        f"Dealer {diagram.record.dealer.full_name}",
        capfirst(vulnerability_in_words(diagram.record.vulnerability)),
    )
    lead = f"Lead {diagram.lead.symbol}{diagram.lead.ranks}" if diagram.lead else ""
    hands = diagram.hands.values()
    return PictureText(
        title=title,
        facts=tuple(filter(None, facts)),
        hands=tuple((hand.seat.value, tuple((suit.symbol, suit.ranks) for suit in hand.suits)) for hand in hands),
        dealer=diagram.record.dealer.value,
        vulnerable="".join(hand.seat.value for hand in hands if hand.is_vulnerable),
        contract="".join(diagram.contract),
        outcome=tuple(capfirst(line) for line in (lead, *diagram.result.split(", ")) if line),
        club=text_of_club(),
    )


def spell(text: str) -> str:
    """Return a text in ASCII and suit symbols, without accents; "" if it has letters that the font lacks."""
    decomposed = unicodedata.normalize("NFKD", text.translate(SPELLED))
    letters = "".join(each for each in decomposed if not unicodedata.combining(each))
    is_drawn = all(" " <= each <= "~" or each in SUIT_SYMBOLS.values() for each in letters)
    return letters.strip()[:MAX_LETTERS] if is_drawn else ""
