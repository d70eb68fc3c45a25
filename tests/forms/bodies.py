"""A valid body for each form, as JSON and pages send it."""

from datetime import timedelta
from typing import Any

from forms.declarations import FORMS
from pages.forms import views
from tests import factories

CONTACT = {"name": "Ann", "email": "ann@example.org", "subject": "Hello", "message": "Is there a club in Delft?"}
ORGANISATION = {
    "organisationName": "Bridge Club Delft", "country": "NL", "contactName": "Ann", "email": "ann@example.org",
}  # fmt: skip


def board_report(**changes: Any) -> dict[str, Any]:
    return {"boardId": str(factories.board().pk), "problem": "wrong_cards", "message": "Two aces.", **changes}


def bodies() -> dict[str, dict[str, Any]]:
    return {"contact": CONTACT, "organisation": ORGANISATION, "board-report": board_report()}


def page_token(form: str, seconds: float = 60) -> dict[str, str]:
    """Return the field that a page adds which was opened so long ago."""
    assert form in FORMS
    return {views.PAGE_TOKEN: views.make_page_token(form, age=timedelta(seconds=seconds))}
