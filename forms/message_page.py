"""What the admin shows of one message, and where its links lead."""

from collections.abc import Callable
from typing import Any
from urllib.parse import quote

from django.core.exceptions import ValidationError
from django.core.validators import validate_email
from django.urls import reverse

from accounts.models import Account
from boards.models import Board
from config.values.web_addresses import WebAddressValidator
from config.values.words import format_age
from forms import reading
from forms.fields import read_board_id
from forms.models import Submission

validate_web_address = WebAddressValidator(schemes=["http", "https"])


def describe_message(submission: Submission, reader: Account) -> dict[str, Any]:
    """Return a message as one reader sees it: links to other pages of the admin need the right to view them."""
    subject, email = reading.subject_of(submission), value_of(submission, "email", validate_email)
    page: dict[str, Any] = {
        "submission": submission,
        "subject": subject,
        "form": reading.title_of(submission.form),
        "age": format_age(submission.created_at),
        "answers": reading.answers(submission),
        "email": email,
        "reply_to": write_mailto(email, subject),
        "website": value_of(submission, "website", validate_web_address),
        "next": Submission.objects.after(submission),
    }
    if (board := find_board(submission)) is None:
        return page
    page["board"] = board
    page["answers"] = [answer for answer in page["answers"] if answer.name != "boardId"]  # shown as a link
    if reader.has_perm("boards.view_board"):
        page["board_in_admin"] = reverse("admin:boards_board_change", args=[board.pk])
    if reader.has_perm("themes.view_theme"):
        themes = board.themes.all()
        page["themes"] = [(str(theme), reverse("admin:themes_theme_change", args=[theme.pk])) for theme in themes]
    return page


def value_of(submission: Submission, name: str, validate: Callable[[str], None]) -> str:
    """Return a field that leads somewhere, "" when it does not: data may be of an older version."""
    value: Any = reading.fields_of(submission).get(name)
    try:
        validate(value if isinstance(value, str) else "")
    except ValidationError:
        return ""
    return value


def write_mailto(email: str, subject: str) -> str:
    """Return a link. All that was typed is encoded, so that it is an address and a subject and no more."""
    subject = "".join(mark for mark in f"Re: {subject}" if mark.isprintable())
    return f"mailto:{quote(email, safe='@')}?subject={quote(subject, safe='')}"


def find_board(submission: Submission) -> Board | None:
    """Return the board that is reported, also when it was made a draft since, None when it is gone."""
    named = reading.fields_of(submission).get("boardId")
    board_id = read_board_id(named) if isinstance(named, str) else None
    return Board.objects.filter(pk=board_id).first() if board_id else None
