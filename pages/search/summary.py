"""The page /boards/summary: how many boards found have which contract, result and so on, as a table with bars."""

import math
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple
from uuid import UUID

from django.contrib.auth.models import AnonymousUser
from django.http import HttpRequest, HttpResponse, QueryDict
from django.urls import reverse
from rest_framework.exceptions import ValidationError

from boards.catalogue.summaries import DIMENSIONS, Dimension, Summary, Value, summarize
from boards.models import Event
from bridge.names import SEAT_NAMES, SUIT_SYMBOLS, TEXT_STYLE
from config.api.errors import ValidationFailed
from config.edge.limits.dear_reads import keep_permit
from config.values.labels import Label, best_label
from config.values.languages import accepted_languages
from config.values.words import format_count
from pages.search.gallery import filters_of
from pages.site.base import PageView, explain, path_with_query
from themes.labels import LabelCache, get_label_cache, get_revision

MAX_ROWS = 100
"""The rows of the table, the most frequent. The API has more."""

FIRST_NUMBER = re.compile(r"-?[0-9]+")
SYMBOLS = {letter: symbol + TEXT_STYLE for letter, symbol in SUIT_SYMBOLS.items()}
NO_TRUMPS = "no trump suit"
WORDS: Mapping[str, Mapping[Any, str]] = {
    "makes": {"yes": "Yes", "no": "No"},
    "made": {"yes": "Made", "no": "Down"},
    "declarer": SEAT_NAMES,
    "level": {0: "Passed out"},
    "opening": {None: "none, or not known"},
    "trumps": {None: NO_TRUMPS},
    "split": {None: NO_TRUMPS},
    "event": {None: "no event"},
}


class Question(NamedTuple):
    """A question that the page answers, the boards that it is about, and what counts them."""

    text: str
    q: str
    by: Sequence[str]

    @property
    def path(self) -> str:
        return path_with_query(reverse("summary"), {"q": self.q, **dict(zip(("by", "and"), self.by, strict=False))})


QUESTIONS = (
    Question(
        "How often does game make with a 4-4, a 5-3 or another fit?", "contract=4H,4S,5C,5D,5H,5S", ("split", "made")
    ),
    Question("What is opened with 15 to 17 points?", "opener(hcp=15..17)", ("opening",)),
    Question("Which leads cost a trick, with all cards seen?", "leadcost>=1", ("lead",)),
    Question("With how many points do North-South make 3NT?", "contract=3N declarer=ns", ("nsHcp", "made")),
    Question("How often is a contract made with eight, nine or ten trumps?", "level>=1", ("trumps", "made")),
    Question("What becomes of doubled contracts?", "is:doubled", ("result",)),
    Question("Which slams are bid, and made?", "level>=6", ("contract", "made")),
)


class SummaryPage(PageView):
    """GET /boards/summary with the filters of GET /api/boards, `by` and `and` → 200, or 400 with the form's errors."""

    section = "boards"
    noindex = True

    def get(self, request: HttpRequest) -> HttpResponse:
        filters = filters_of(request.GET)
        by = [name for name in (request.GET.get("by", "contract"), request.GET.get("and", "")) if name]
        first, further, *_ = *by, "", ""
        counted = {**filters, "by": ",".join(by)}
        query = QueryDict(mutable=True)
        query.update(counted)
        context: dict[str, Any] = {
            "questions": QUESTIONS,
            "dimensions": DIMENSIONS.values(),
            "by": first,
            "further": further,
            "filters": filters,
            "list_path": path_with_query(reverse("gallery"), filters),
        }
        try:
            with keep_permit():
                summary = summarize(query, self.reader or AnonymousUser())
        except (ValidationError, ValidationFailed) as error:
            fields = explain(error).meta["fields"]
            context["errors"] = [reason["message"] for reasons in fields.values() for reason in reasons]
            return self.render_page("search/summary.html", context, status=400)
        labels, languages = get_label_cache(get_revision()), accepted_languages(request)
        context |= {
            "headings": [dimension.label for dimension in summary.dimensions],
            "groups": group_rows(summary, Labelling(summary, labels, languages)),
            "counts_contracts": DIMENSIONS["contract"] in summary.dimensions,
            "counts_themes": DIMENSIONS["theme"] in summary.dimensions,
            "question": next((each.text for each in QUESTIONS if filters == {"q": each.q} and [*each.by] == by), ""),
            "total": format_count(summary.total, "board"),
            "omitted": max(0, len(summary.counts) - MAX_ROWS),
            "json_path": path_with_query(reverse("board-summary"), counted),
        }
        return self.render_page("search/summary.html", context)


class Row(NamedTuple):
    """A row of the table: a value, its boards, their part of those of the group, and the length of the bar."""

    label: Label
    boards: int
    share: str
    width: str


class Group(NamedTuple):
    """The rows that have a value of the first of two dimensions, and how many boards have it. One dimension is one."""

    label: Label | None
    boards: str
    rows: list[Row]


class Labelling:
    """Writes values as players read them. Events are read from the database, those that are shown."""

    def __init__(self, summary: Summary, labels: LabelCache, languages: Sequence[str]) -> None:
        self.labels, self.languages = labels, languages
        self.events: Mapping[str, Event] = {}
        names = [dimension.name for dimension in summary.dimensions]
        if "event" in names:
            place = names.index("event")
            slugs = {str(values[place]) for values, _ in summary.counts[:MAX_ROWS]}
            self.events = Event.objects.in_bulk(slugs)

    def label(self, name: str, value: Value) -> Label:
        if value in (words := WORDS.get(name, {})):
            return Label(words[value])
        if value is None:
            return Label("not known")
        if name == "theme":
            theme = self.labels.themes.get(UUID(str(value)))
            return best_label(theme.labels, self.languages, theme.identifier) if theme else Label(str(value))  # deleted
        if name == "event":
            return Label(str(self.events.get(str(value), value)))
        if name == "result":
            return Label("made" if value == 0 else f"{value:+d}".replace("-", "−"))
        if name in ("contract", "lead", "denomination", "opening") and value != "Pass":
            return Label("".join(SYMBOLS.get(letter, letter) for letter in str(value)))
        return Label(str(value))


def group_rows(summary: Summary, labelling: Labelling) -> list[Group]:
    """Return the most frequent counts as groups of rows. The parts of a group add up to 100 % if all are shown."""
    first, last = summary.dimensions[0], summary.dimensions[-1]
    totals: Counter[Value] = Counter()
    shown: dict[Value, dict[Value, int]] = {}
    for place, (values, boards) in enumerate(summary.counts):
        key = None if first is last else values[0]
        totals[key] += boards
        if place < MAX_ROWS:
            shown.setdefault(key, {})[values[-1]] = boards
    if first is last:
        totals[None] = summary.total  # fewer than those of all themes
    most = max((boards / totals[key] for key, counts in shown.items() for boards in counts.values()), default=1)
    return [
        Group(
            None if first is last else labelling.label(first.name, key),
            format_count(totals[key], "board"),
            [
                make_row(labelling.label(last.name, value), shown[key][value], totals[key], most)
                for value in in_order(shown[key], last)
            ],
        )
        for key in in_order({key: totals[key] for key in shown}, first)
    ]


def make_row(label: Label, boards: int, total: int, most: float) -> Row:
    part = 100 * boards / total
    return Row(label, boards, f"{part:.1f} %", f"{part / most:.1f}%")


def in_order(counts: Mapping[Value, int], dimension: Dimension) -> list[Value]:
    """Return values by their scale, with what is not known last, or those with the most boards first."""
    if not dimension.is_scale:
        return sorted(counts, key=lambda value: -counts[value])
    starts = {value: FIRST_NUMBER.match(str(value)) for value in counts}
    return sorted(counts, key=lambda value: int(start[0]) if (start := starts[value]) else math.inf)
