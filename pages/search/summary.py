"""The page /boards/summary: how many boards found have which contract, result and so on, as a table with bars."""

from collections.abc import Iterator, Sequence
from typing import Any

from django.contrib.auth.models import AnonymousUser
from django.http import HttpRequest, HttpResponse, QueryDict
from django.urls import reverse
from rest_framework.exceptions import ValidationError

from boards.catalogue.summaries import DIMENSIONS, MAX_DIMENSIONS, Summary, Value, summarize
from bridge.names import SEAT_NAMES, SUIT_SYMBOLS, TEXT_STYLE
from config.api.errors import ValidationFailed, field_errors
from config.edge.limits.exports import dear_read
from config.values.labels import Label, best_label
from config.values.languages import accepted_languages
from config.values.words import format_count
from pages.search.gallery import filters_of
from pages.site.base import PageView, path_with_query
from themes.labels import LabelCache, get_label_cache, get_revision

MAX_ROWS = 100
"""The rows of the table, the most frequent. The API has more."""

SYMBOLS = {letter: symbol + TEXT_STYLE for letter, symbol in SUIT_SYMBOLS.items()}
WORDS = {"makes": {"yes": "Yes", "no": "No"}, "declarer": SEAT_NAMES}


class SummaryPage(PageView):
    """GET /boards/summary with the filters of GET /api/boards, `by` and `and` → 200, or 400 with the form's errors."""

    section = "boards"
    noindex = True

    def get(self, request: HttpRequest) -> HttpResponse:
        filters = filters_of(request.GET)
        by = [name for name in (request.GET.get("by", "contract"), request.GET.get("and", "")) if name]
        query = QueryDict(mutable=True)
        query.update({**filters, "by": ",".join(by)})
        context: dict[str, Any] = {
            "dimensions": DIMENSIONS.values(),
            "by": by[0] if by else "",
            "further": by[1] if len(by) == MAX_DIMENSIONS else "",
            "filters": filters,
            "list_path": path_with_query(reverse("gallery"), filters),
        }
        try:
            with dear_read(request):
                summary = summarize(query, self.reader or AnonymousUser())
        except (ValidationError, ValidationFailed) as error:
            detail = field_errors(error.detail) if isinstance(error, ValidationError) else error.meta["fields"]
            context["errors"] = [reason["message"] for reasons in detail.values() for reason in reasons]
            return self.render_page("boards/summary.html", context, status=400)
        labels, languages = get_label_cache(get_revision()), accepted_languages(request)
        context |= {
            "headings": [dimension.label for dimension in summary.dimensions],
            "rows": [*list_rows(summary, labels, languages)],
            "counts_contracts": DIMENSIONS["contract"] in summary.dimensions,
            "total": format_count(summary.total, "board"),
            "omitted": max(0, len(summary.counts) - MAX_ROWS),
            "json_path": path_with_query(reverse("board-summary"), {**filters, "by": ",".join(by)}),
        }
        return self.render_page("boards/summary.html", context)


def list_rows(
    summary: Summary, labels: LabelCache, languages: Sequence[str]
) -> Iterator[tuple[list[Label], int, str, str]]:
    """Yield rows of the table: values, boards, their part of all boards found and of the longest bar, in percent."""
    counts = summary.counts[:MAX_ROWS]
    most = max((boards for _, boards in counts), default=1)
    names = [dimension.name for dimension in summary.dimensions]
    for values, boards in counts:
        shown = [label_value(*pair, labels, languages) for pair in zip(names, values, strict=True)]
        yield shown, boards, f"{100 * boards / summary.total:.1f} %", f"{100 * boards / most:.1f}%"


def label_value(name: str, value: Value, labels: LabelCache, languages: Sequence[str]) -> Label:
    """Return a value as players read it."""
    if value is None:
        return Label("not known")
    if name == "theme":
        theme = next((each for pk, each in labels.themes.items() if str(pk) == str(value)), None)
        return best_label(theme.labels, languages, theme.identifier) if theme else Label(str(value))  # deleted since
    if name == "result":
        return Label("made" if value == 0 else f"{value:+d}".replace("-", "−"))
    if name == "level" and value == 0:
        return Label("Passed out")
    if name in ("contract", "lead", "denomination") and value != "Pass":
        return Label("".join(SYMBOLS.get(letter, letter) for letter in str(value)))
    return Label(WORDS.get(name, {}).get(str(value), str(value)))
