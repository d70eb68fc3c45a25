"""Dates as files write them, turned into PBN's notation: 2026.03.09, or 2026.03.?? (PBN 2.1 §3.4.3)."""

import re
import unicodedata
from functools import lru_cache
from typing import NamedTuple

from bridge.dates import known_parts

MAX_DATE_LENGTH = 60
"""A longer text is not a date. The limit is in characters."""

_TIME = re.compile(r"(?<=[0-9?])(?:T[0-9].*|[\s,]+[0-9]{1,2}[:hH][0-9]{2}.*)", re.DOTALL)
_PARTS = re.compile(r"([0-9]{1,4}|\?{1,4})\s?([./ -])\s?([0-9]{1,4}|\?{1,2})(?:\s?\2\s?([0-9]{1,4}|\?{1,4}))?\.?")
_DIGITS = re.compile(r"[12][0-9]{3}|[0-9]{6}|[0-9]{8}")
_WORD = re.compile(r"[0-9]+|[^\W\d_]+")

_MONTHS = (  # English, German, French, Spanish, Italian, Dutch, Polish, Polish within a date, Swedish
    "January February March April May June July August September October November December",
    "Januar Februar März April Mai Juni Juli August September Oktober November Dezember",
    "janvier février mars avril mai juin juillet août septembre octobre novembre décembre",
    "enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre",
    "gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre",
    "januari februari maart april mei juni juli augustus september oktober november december",
    "styczeń luty marzec kwiecień maj czerwiec lipiec sierpień wrzesień październik listopad grudzień",
    "stycznia lutego marca kwietnia maja czerwca lipca sierpnia września października listopada grudnia",
    "januari februari mars april maj juni juli augusti september oktober november december",
    "jan feb mrz apr mai juin juil aug sept okt nov dez",
    "jan feb mrt apr mei jun jul ago set oct nov dec",
)
_WEEKDAYS = (
    "mon tue wed thu fri sat sun, mo di mi do fr sa so, die mit don fre sam son, lun mar mer jeu ven sam dim,"
    "mie jue vie sab dom, gio sab dom, maa din woe vri zat zon, pon wto sro czw pia sob nie, man tis ons tor lor son"
)
"""The first three letters of the days in these languages, and German's two."""

_FILLERS = "st nd rd th er de of the den der le el e"
"""What may accompany the numbers: 9th, 1er, 9 de marzo."""


def _fold(word: str) -> str:
    """Return a word without case and accents."""
    return "".join(each for each in unicodedata.normalize("NFKD", word.casefold()) if not unicodedata.combining(each))


_NUMBER_OF_MONTH = {
    _fold(month)[:length]: number
    for length in (3, 4, None)
    for months in _MONTHS
    for number, month in enumerate(months.split(), start=1)
}
del _NUMBER_OF_MONTH["jui"]  # It begins juin and juillet.
_BESIDE = {*_WEEKDAYS.replace(",", " ").split(), *_FILLERS.split()}


class ReadDate(NamedTuple):
    """A date as PBN writes it, "" where the text is none.

    `is_guess` when the file wrote its parts in an order that nobody uses. `month_first` is the order that it shows for
    the other dates of its file, None where it shows none.
    """

    text: str = ""
    is_guess: bool = False
    month_first: bool | None = None


@lru_cache(maxsize=1024)
def read_date(text: str, month_first: bool | None = None) -> ReadDate:
    """Read a date, with or without a time. `month_first` decides between 3 April and 4 March; else the day is first."""
    if len(text) > MAX_DATE_LENGTH:
        return ReadDate()
    text = _TIME.sub("", text.strip())
    if _DIGITS.fullmatch(text):
        return ReadDate(_read_digits(text))
    if parts := _PARTS.fullmatch(text):
        first, separator, middle, last = parts.groups()
        return _read_parts(first, middle, last or "", month_first=month_first, has_slashes=separator == "/")
    return ReadDate(_read_words([_fold(word) for word in _WORD.findall(text)]))


def _read_digits(text: str) -> str:
    """Read 2022, 220207, 20220207 or 07022022."""
    if len(text) == 6:
        return _write(_full_year(text[:2]), text[2:4], text[4:])
    year_first = _write(text[:4], text[4:6], text[6:]) if text[:2] in ("19", "20") or len(text) == 4 else ""
    return year_first or _write(text[4:], text[2:4], text[:2])


def _read_parts(first: str, middle: str, last: str, *, month_first: bool | None, has_slashes: bool) -> ReadDate:
    if len(first) == 4:
        turned = _write(first, last, middle)
        return ReadDate(written) if (written := _write(first, middle, last)) else ReadDate(turned, bool(turned))
    if not last:
        return ReadDate(_write(middle, first, ""))
    year = _full_year(last) if has_slashes else last
    by_day, by_month = _write(year, middle, first), _write(year, first, middle)
    if by_day and by_month:
        return ReadDate(by_month if month_first else by_day)
    if by_day:
        return ReadDate(by_day, month_first=False)
    return ReadDate(by_month, month_first=True if by_month else None)


def _read_words(words: list[str]) -> str:
    """Read 9 March 2026, March 9, 2026, 2026 March 9 or March 2026, with or without the day of the week before it."""
    position = max((position for position, word in enumerate(words) if word in _NUMBER_OF_MONTH), default=-1)
    others = [word for index, word in enumerate(words) if index != position and not word.isdecimal()]
    if position < 0 or not all(word[:3] in _BESIDE for word in others):
        return ""
    return _write_beside_month(str(_NUMBER_OF_MONTH[words[position]]), [word for word in words if word.isdecimal()])


def _write_beside_month(month: str, numbers: list[str]) -> str:
    """Write a date whose month is a word, with the numbers beside it in their order."""
    match numbers:
        case [year]:
            return _write(year, month, "")
        case [year, day] if len(year) == 4:
            return _write(year, month, day)
        case [day, year]:
            return _write(_full_year(year), month, day)
    return ""


def _full_year(text: str) -> str:
    """Return a year of two digits with its century: 26 is 2026, and 98 is 1998."""
    return f"{'19' if text >= '70' else '20'}{text}" if len(text) == 2 else text


def _write(year: str, month: str, day: str) -> str:
    """Write a date, "" for one that is none. A month or a day of zeros or question marks is not known."""
    if max(len(month), len(day)) > 2:
        return ""
    known_month, known_day = (part.zfill(2) if part.strip("?0") else "??" for part in (month, day))
    text = f"{year}.{known_month}.{known_day}"
    return text if known_parts(text) else ""
