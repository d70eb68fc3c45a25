"""The condition that a text means: the query parameter q."""

from datetime import UTC, date, datetime

from search.conditions import EVERY_BOARD, Condition, OneOf, leaves_of
from search.language.meaning import Reading
from search.language.parsing import QueryError
from search.language.suggesting import suggestions
from search.language.understanding import Understood, understand
from themes.labels import LabelCache, get_label_cache, get_revision

MAX_VALUES = 1_000
"""The values that are compared in all, those of each hand that may be meant counted: what a search costs at most."""


class SearchText:
    """A text of the search language in one request. It is made once and handed on, and all of it means the same day.

    It is understood once, and again only where themes or systems have other names meanwhile.
    """

    def __init__(self, text: str, today: date | None = None) -> None:
        self.text = text
        self.today = today or datetime.now(UTC).date()
        self._understood: tuple[LabelCache, Understood] | None = None
        self._condition: tuple[LabelCache, str | None, Condition] | None = None

    def understood(self, labels: LabelCache) -> Understood:
        """Return what is understood with these labels. Raise QueryError for broken brackets, quotes and operators."""
        if self._understood is None or self._understood[0] is not labels:
            self._understood = labels, understand(self.text, labels, self.today)
        return self._understood[1]

    def understood_if_query(self, labels: LabelCache) -> Understood | None:
        """Return the same, None for a text that is not a query."""
        try:
            return self.understood(labels)
        except QueryError:
            return None

    def condition(self, labels: LabelCache, account_id: str | None) -> Condition:
        """Return what the text asks of boards, "me" in it for this account.

        A name that these labels do not have is looked up in those that the database has now. Raise QueryError, which
        says at which word the text is wrong, and what may be meant.
        """
        if self._condition is None or self._condition[:2] != (labels, account_id):
            self._condition = labels, account_id, self._read_anyhow(labels, account_id)
        return self._condition[2]

    def _read_anyhow(self, labels: LabelCache, account_id: str | None) -> Condition:
        try:
            return self.read(labels, account_id)
        except QueryError as error:
            if error.code != "unknown_name":
                raise correct(error, self.text, labels, account_id, self.today) from None
        labels = get_label_cache(get_revision())
        try:
            return self.read(labels, account_id)
        except QueryError as error:
            raise correct(error, self.text, labels, account_id, self.today) from None

    def read(self, labels: LabelCache, account_id: str | None) -> Condition:
        """Return what the text asks with just these labels. Raise QueryError.

        Who may see a draft or a hidden board is not decided here: join the condition with one that says so.
        """
        try:
            tree = self.understood(labels).tree
            condition = EVERY_BOARD if tree is None else Reading(labels, account_id).read(tree)
        except QueryError as error:
            raise error.written_in(self.text) from None
        if count_values(condition) > MAX_VALUES:
            message = f"This asks for too much at once: for more than {MAX_VALUES:,} cards, shapes and other values."
            raise QueryError("too_many_conditions", message, 0, "")
        return condition


def correct(error: QueryError, text: str, labels: LabelCache, account_id: str | None, today: date) -> QueryError:
    """Return the error with the first suggestion that is a query, if there is one."""
    for suggestion in suggestions(text, error):
        try:
            parse_query(suggestion, labels, account_id, today)
        except QueryError:
            continue
        return error.suggesting(suggestion)
    return error


def parse_query(text: str, labels: LabelCache, account_id: str | None, today: date) -> Condition:
    """Return the condition that a text means with these labels. Raise QueryError when it is not a query."""
    return SearchText(text, today).read(labels, account_id)


def count_values(condition: Condition) -> int:
    return sum(len(leaf.values) if isinstance(leaf, OneOf) else 1 for leaf in leaves_of(condition))
