"""GET /boards/{id}.png: the picture of a board, which other sites show of a link to it, and what it says.

A picture costs 25 ms to draw. The latest are kept in the process by all that they say, so that a changed board has
another one. One is drawn at a time, and few wait for that: pictures take one core at most, and never all threads. What
a reader's pictures cost counts as reads, too (config.edge.limits.read_limit).
"""

import unicodedata
from functools import lru_cache
from http import HTTPStatus
from threading import BoundedSemaphore, Lock
from typing import NamedTuple
from uuid import UUID

from django.conf import settings
from django.db import DEFAULT_DB_ALIAS
from django.http import Http404, HttpRequest, HttpResponse

from boards.models import Board
from boards.models.names import event_name_of, heading_of, name_of
from boards.records import diagram_of
from bridge.names import SUIT_SYMBOLS, vulnerability_in_words
from config.api.conditional import etag_of, make_conditional
from config.api.errors import TooManyRunning
from config.database import reading
from config.database.rows import find_by_key
from pages.site.base import PageView

SITE = "Bridge Boards"
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
    site: str


def text_of(board: Board) -> PictureText:
    diagram = diagram_of(board)
    names = (name_of(board), " of ".join(filter(None, (heading_of(board), event_name_of(board)))))
    title = next(filter(None, map(spell, names)), diagram.heading or "A bridge board")
    facts = (
        diagram.heading if diagram.heading != title else "",
        f"Dealer {diagram.record.dealer.full_name}",
        capitalise(vulnerability_in_words(diagram.record.vulnerability)),
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
        outcome=tuple(capitalise(line) for line in (lead, *diagram.result.split(", ")) if line),
        site=SITE,
    )


def spell(text: str) -> str:
    """Return a text in ASCII and suit symbols, without accents; "" if it has letters that the font lacks."""
    decomposed = unicodedata.normalize("NFKD", text.translate(SPELLED))
    letters = "".join(each for each in decomposed if not unicodedata.combining(each))
    return letters.strip()[:MAX_LETTERS] if all(is_drawn(each) for each in letters) else ""


def is_drawn(letter: str) -> bool:
    return " " <= letter <= "~" or letter in SUIT_SYMBOLS.values()


def capitalise(text: str) -> str:
    return text[:1].upper() + text[1:]


KEPT = 200
"""The pictures that a process keeps: 30 kB each."""

MAX_WAITING = 6
"""The pictures that are drawn or wait for it, each in one of the eight threads of a process."""

PATIENCE = 0.5
"""The seconds for which one more waits: a page of links asks for many pictures at once, and twenty take so long."""

places = BoundedSemaphore(MAX_WAITING)
drawing = Lock()


class BoardPicture(PageView):
    """GET /boards/{id}.png → 200, the board as a picture for links to it, or 404. A draft has none."""

    vary = ()

    def get(self, request: HttpRequest, pk: UUID) -> HttpResponse:
        board = find_by_key(Board, pk, "deal")
        if board is None or board.published_at is None:
            raise Http404
        text = text_of(board)
        etag = etag_of(repr((settings.VERSION, text)).encode())  # a release may draw it another way
        response = make_conditional(request, HttpResponse(content_type="image/png", headers={"ETag": etag}))
        if response.status_code == HTTPStatus.OK:
            response.content = picture(text)
        return response


@lru_cache(maxsize=KEPT)
def picture(text: PictureText) -> bytes:
    """Return the picture as a PNG file. Raise TooManyRunning when too many wait for theirs."""
    from pages.sharing.picture_drawing import draw_picture  # here, since Pillow takes 11 MiB and 70 ms

    if not places.acquire(timeout=PATIENCE):
        reading.alias = DEFAULT_DB_ALIAS  # no replica has failed, and the primary need not be asked
        raise TooManyRunning("Many pictures are being drawn. Look again in a few seconds.")
    try:
        with drawing:
            return draw_picture(text)
    finally:
        places.release()
