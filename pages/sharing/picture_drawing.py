"""Draws a board or an evening as a PNG picture of 1200 × 630, the size that sites ask for (ogp.me).

The letters are those of Pillow's own font, which is in its wheel and has no others than ASCII. Suits are shapes of our
own. What a picture says is a PictureText or an EveningText of ASCII and suit symbols (pages.sharing).
"""

from collections.abc import Iterable, Sequence
from functools import lru_cache
from io import BytesIO

from PIL import Image, ImageDraw, ImageFont, ImageOps

from boards.drawing.suit_colours import ON_WHITE
from bridge.names import SUIT_SYMBOLS
from config.values.club import Club
from config.values.marks import Mark
from pages.sharing.evenings import EveningText, PicturedDeal
from pages.sharing.sharing import PICTURE_SIZE, ClubText, PictureText, spell

WIDTH, HEIGHT = PICTURE_SIZE
MARGIN = 48
GROUND, CARD, COMPASS, LINE = "#f6f5ef", "#ffffff", "#e6f0e9", "#7b8a83"
TEXT, QUIET, VULNERABLE = ON_WHITE["spades"], "#56635c", ON_WHITE["hearts"]
SUIT_COLOURS = dict(zip(SUIT_SYMBOLS.values(), ON_WHITE.values(), strict=True))
"""The colours of the light pages (site/table.css) and of the SVG picture."""

COLOURS = 64
"""The colours of the finished picture, edges of letters included."""

SCALE = 4
"""A suit is drawn so many times larger, and made smaller for smooth edges."""

MARK_TOP, MARK_SIZE = 546, 48
MAX_INITIALS = 3

ELLIPSIS = "..."
TITLE_SIZES = ((46, 1), (36, 2))
"""The sizes of the title, and into how many lines it may go at each. A longer one is cut."""

HANDS = {"N": (686, 140), "E": (952, 296), "S": (686, 452), "W": (470, 296)}
"""Where each hand begins. A hand is four lines high."""

HAND_SIZE, HAND_LINE = 30, 35
HAND_WIDTHS = {"N": 440, "E": 216, "S": 440, "W": 206}
BOX = (696, 298, 826, 428)
LETTERS = {"N": (761, 320), "E": (803, 363), "S": (761, 406), "W": (719, 363)}
EDGES = {"N": (696, 298, 826, 306), "E": (818, 298, 826, 428), "S": (696, 420, 826, 428), "W": (696, 298, 704, 428)}

DEAL_TOP, DEAL_HEIGHT, DEAL_GAP = 256, 84, 12
FACTS_AT = (300, 590, 880)
"""Where the facts about a deal begin."""


def draw_picture(text: PictureText) -> bytes:
    """Return the picture of a board as a PNG file."""
    image = begin(text.title, text.club)
    draw_lines(image, 150, text.facts)
    if text.contract:
        size = fitting_size(text.contract, 58, HANDS["W"][0] - 2 * MARGIN)
        write(image, (MARGIN, 330 + 58 - size), text.contract, size, stroke=1)
        draw_lines(image, 410, text.outcome)
    draw_compass(image, text)
    for seat, suits in text.hands:
        draw_hand(image, HANDS[seat], suits, HAND_WIDTHS[seat])
    return finish(image)


def draw_evening(text: EveningText) -> bytes:
    """Return the picture of an evening as a PNG file: a card for each of its deals."""
    image = begin(text.title, text.club)
    draw_lines(image, 150, [cut(fact, 30) for fact in text.facts])
    for number, deal in enumerate(text.deals):
        draw_deal(image, DEAL_TOP + number * (DEAL_HEIGHT + DEAL_GAP), deal)
    return finish(image)


def begin(title: str, club: ClubText) -> Image.Image:
    image = Image.new("RGB", (WIDTH, HEIGHT), GROUND)
    draw_club(image, club)
    draw_title(image, title)
    return image


def finish(image: Image.Image) -> bytes:
    file = BytesIO()
    image.quantize(COLOURS, Image.Quantize.FASTOCTREE, dither=Image.Dither.NONE).save(file, "PNG")
    return file.getvalue()


def draw_club(image: Image.Image, club: ClubText) -> None:
    """Draw what is the club's: a band at the top, and its name at the foot after its mark where that is a PNG.

    Pillow draws no SVG. Marks are made for the dark band of the pages, so a mark has a piece of it.
    """
    ImageDraw.Draw(image).rectangle((0, 0, WIDTH, 12), fill=club.accent)
    left = MARGIN
    if club.mark and club.mark.kind == "png":
        right, bottom = MARGIN + MARK_SIZE, MARK_TOP + MARK_SIZE
        ImageDraw.Draw(image).rounded_rectangle((MARGIN, MARK_TOP, right, bottom), 10, fill=club.band)
        paste_mark(image, club.mark, (MARGIN + 6, MARK_TOP + 6, right - 6, bottom - 6))
        left = right + 14
    size = fitting_size(club.name, 28, HANDS["S"][0] - MARGIN - left)
    write(image, (left, 556 + (28 - size) // 2), club.name, size, colour=club.accent, stroke=1)


def paste_mark(image: Image.Image, mark: Mark, box: tuple[int, int, int, int]) -> None:
    """Draw a mark that is a PNG into the middle of a box, as large as it fits."""
    left, top, right, bottom = box
    drawn = ImageOps.contain(Image.open(BytesIO(mark.content)).convert("RGBA"), (right - left, bottom - top))
    place = (left + (right - left - drawn.width) // 2, top + (bottom - top - drawn.height) // 2)
    image.paste(drawn, place, drawn)


def draw_icon(club: Club, size: int) -> bytes:
    """Return a square PNG of this size: the mark on the band's colour, else the first letters of the club's name.

    A mark that is an SVG stands beside it in the manifest. A name that the font lacks becomes a spade.
    """
    image = Image.new("RGB", (size, size), club.band)
    letters = "".join(word[0] for word in spell(club.name).split())[:MAX_INITIALS].upper()
    if club.mark and club.mark.kind == "png":
        edge = size // 8
        paste_mark(image, club.mark, (edge, edge, size - edge, size - edge))
    elif letters:
        drawn = font(fitting_size(letters, size // 2, size * 5 // 8))
        ImageDraw.Draw(image).text((size // 2, size // 2), letters, CARD, drawn, anchor="mm", stroke_width=size // 100)
    else:
        image.paste(CARD, (size // 4, size // 4), suit("♠", size // 2))
    file = BytesIO()
    image.save(file, "PNG", optimize=True)
    return file.getvalue()


def draw_deal(image: Image.Image, top: int, deal: PicturedDeal) -> None:
    """Draw the card of a deal: its number, and each fact below its name."""
    box = (MARGIN, top, WIDTH - MARGIN, top + DEAL_HEIGHT)
    ImageDraw.Draw(image).rounded_rectangle(box, 8, fill=CARD, outline=LINE)
    write(image, (MARGIN + 24, top + 22), deal.name, 32, stroke=1)
    for x, (name, fact) in zip(FACTS_AT, deal.facts, strict=False):
        write(image, (x, top + 12), name, 20, colour=QUIET)
        write(image, (x, top + 38), fact, fitting_size(fact, 32, 260))


def draw_title(image: Image.Image, title: str) -> None:
    for size, most in TITLE_SIZES:
        lines = fold(title, size)
        if len(lines) <= most:
            break
    else:
        lines = [*lines[: most - 1], cut(lines[most - 1] + ELLIPSIS, size)]
    for number, line in enumerate(lines):
        write(image, (MARGIN, 36 + number * 46), line, size, stroke=1)


def fold(text: str, size: int) -> list[str]:
    """Return the text in lines that fit beside the margins."""
    lines: list[str] = []
    for word in text.split():
        longer = f"{lines[-1]} {word}" if lines else word
        if lines and width_of(longer, size) <= WIDTH - 2 * MARGIN:
            lines[-1] = longer
        else:
            lines.append(cut(word, size))
    return lines


def cut(text: str, size: int) -> str:
    """Return the text, or as much of its beginning as fits into a line."""
    while width_of(text, size) > WIDTH - 2 * MARGIN:
        text = text.removesuffix(ELLIPSIS)[:-1] + ELLIPSIS
    return text


def draw_lines(image: Image.Image, top: int, lines: Iterable[str]) -> None:
    for number, line in enumerate(lines):
        write(image, (MARGIN, top + number * 42), line, 30)


def draw_hand(image: Image.Image, place: tuple[int, int], suits: Sequence[tuple[str, str]], width: int) -> None:
    """Draw four suits. Long ones are written smaller, so that a hand of thirteen spades has its place."""
    x, y = place
    for row, (symbol, ranks) in enumerate(suits):
        write(image, (x, y + row * HAND_LINE), symbol, HAND_SIZE)
        size = fitting_size(ranks, HAND_SIZE, width - 40)
        write(image, (x + 40, y + row * HAND_LINE + (HAND_SIZE - size) // 2), ranks or "-", size)


def draw_compass(image: Image.Image, text: PictureText) -> None:
    """Draw the table: a border for each side that is vulnerable, and a disc for the dealer."""
    draw = ImageDraw.Draw(image)
    draw.rounded_rectangle(BOX, 6, fill=COMPASS, outline=LINE)
    for seat in text.vulnerable:
        draw.rectangle(EDGES[seat], fill=VULNERABLE)
    for seat, (x, y) in LETTERS.items():
        if seat == text.dealer:
            image.paste(TEXT, (x - 16, y - 16), disc(33))
        colour = CARD if seat == text.dealer else TEXT
        draw.text((x, y), seat, colour, font(24), anchor="mm", stroke_width=0.6, stroke_fill=colour)


def write(
    image: Image.Image, place: tuple[float, float], text: str, size: int, *, colour: str = TEXT, stroke: float = 0
) -> None:
    """Write a text whose suit symbols are drawn in their colours."""
    draw = ImageDraw.Draw(image)
    x, y = place
    for part in parts_of(text):
        if part in SUIT_COLOURS:
            image.paste(SUIT_COLOURS[part], (round(x), round(y + size * 0.16)), suit(part, suit_size(size)))
        else:
            draw.text((x, y), part, colour, font(size), stroke_width=stroke, stroke_fill=colour)
        x += width_of(part, size)


def parts_of(text: str) -> list[str]:
    for symbol in SUIT_COLOURS:
        text = text.replace(symbol, f"\0{symbol}\0")
    return [part for part in text.split("\0") if part]


def width_of(text: str, size: int) -> float:
    return sum(suit_size(size) * 1.1 if part in SUIT_COLOURS else font(size).getlength(part) for part in parts_of(text))


def fitting_size(text: str, size: int, width: int) -> int:
    """Return this size of letters, or the largest one below at which the text is no wider."""
    while width_of(text, size) > width:
        size -= 1
    return size


def suit_size(size: int) -> int:
    return round(size * 0.86)


@lru_cache(maxsize=64)
def font(size: int) -> ImageFont.FreeTypeFont:
    loaded = ImageFont.load_default(size)
    assert isinstance(loaded, ImageFont.FreeTypeFont)  # the wheel has FreeType
    return loaded


@lru_cache(maxsize=64)
def suit(symbol: str, size: int) -> Image.Image:
    """Return the shape of a suit as a mask of this width and height."""
    full = size * SCALE
    mask = Image.new("L", (full, full), 0)
    draw = ImageDraw.Draw(mask)

    def disc_at(x: float, y: float, radius: float) -> None:
        corners = [(x - radius) * full, (y - radius) * full, (x + radius) * full, (y + radius) * full]
        draw.ellipse(corners, fill=255)

    def shape(*points: tuple[float, float]) -> None:
        draw.polygon([(x * full, y * full) for x, y in points], fill=255)

    if symbol == "♦":
        shape((0.5, 0.02), (0.86, 0.5), (0.5, 0.98), (0.14, 0.5))
    elif symbol == "♥":
        disc_at(0.285, 0.31, 0.225)
        disc_at(0.715, 0.31, 0.225)
        shape((0.095, 0.43), (0.5, 0.96), (0.905, 0.43), (0.715, 0.2), (0.5, 0.34), (0.285, 0.2))
    elif symbol == "♠":
        disc_at(0.285, 0.6, 0.225)
        disc_at(0.715, 0.6, 0.225)
        shape((0.095, 0.48), (0.5, 0.02), (0.905, 0.48), (0.715, 0.72), (0.5, 0.6), (0.285, 0.72))
        shape((0.5, 0.5), (0.7, 0.98), (0.3, 0.98))
    else:
        disc_at(0.5, 0.25, 0.22)
        disc_at(0.26, 0.59, 0.22)
        disc_at(0.74, 0.59, 0.22)
        shape((0.4, 0.35), (0.6, 0.35), (0.62, 0.65), (0.38, 0.65))
        shape((0.5, 0.45), (0.7, 0.98), (0.3, 0.98))
    return mask.resize((size, size), Image.Resampling.LANCZOS)


@lru_cache(maxsize=2)
def disc(size: int) -> Image.Image:
    mask = Image.new("L", (size * SCALE, size * SCALE), 0)
    ImageDraw.Draw(mask).ellipse((0, 0, size * SCALE - 1, size * SCALE - 1), fill=255)
    return mask.resize((size, size), Image.Resampling.LANCZOS)
