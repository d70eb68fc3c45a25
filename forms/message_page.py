"""What the admin shows of one message, and where its links lead."""

from collections.abc import Callable
from functools import cached_property
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


class MessagePage:
    """A message as one reader sees it: links to other pages of the admin need the right to view them."""

    def __init__(self, submission: Submission, reader: Account) -> None:
        self.submission = submission
        self.reader = reader
        self.subject = reading.subject_of(submission)
        self.form = reading.title_of(submission.form)
        self.age = format_age(submission.created_at)

    @property
    def answers(self) -> list[reading.Answer]:
        """Return the fields but the board's, which is shown as a link."""
        shown = reading.answers(self.submission)
        return [answer for answer in shown if not (answer.name == "boardId" and self.board)]

    @property
    def email(self) -> str:
        """Return the address to answer to, "" when none was given."""
        return self.value_of("email", validate_email)

    @property
    def website(self) -> str:
        return self.value_of("website", validate_web_address)

    @property
    def reply_to(self) -> str:
        """Return a mailto: link. All that was typed is encoded, so that it is an address and a subject and no more."""
        subject = "".join(mark for mark in f"Re: {self.subject}" if mark.isprintable())
        return f"mailto:{quote(self.email, safe='@')}?subject={quote(subject, safe='')}"

    def value_of(self, name: str, validate: Callable[[str], None]) -> str:
        """Return a field that leads somewhere, "" when it does not: data may be of an older version."""
        value = reading.fields_of(self.submission).get(name)
        if not isinstance(value, str):
            return ""
        try:
            validate(value)
        except ValidationError:
            return ""
        return value

    @cached_property
    def board(self) -> Board | None:
        """Return the board that is reported, also when it was made a draft since, None when it is gone."""
        named = reading.fields_of(self.submission).get("boardId")
        board_id = read_board_id(named) if isinstance(named, str) else None
        return Board.objects.filter(pk=board_id).first() if board_id else None

    @property
    def board_in_admin(self) -> str:
        if self.board is None or not self.reader.has_perm("boards.view_board"):
            return ""
        return reverse("admin:boards_board_change", args=[self.board.pk])

    @property
    def themes(self) -> list[tuple[str, str]]:
        """Return the name and the page in the admin of each theme of the reported board."""
        if self.board is None or not self.reader.has_perm("themes.view_theme"):
            return []
        return [
            (str(theme), reverse("admin:themes_theme_change", args=[theme.pk])) for theme in self.board.themes.all()
        ]

    @cached_property
    def next(self) -> Submission | None:
        return Submission.objects.after(self.submission)
