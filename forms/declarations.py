"""The public forms, each declared once: the route, its JSON Schema, the OpenAPI entry and the check come from here."""

from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.core.validators import URLValidator

from accounts.serializers import CountryField
from boards.models import Board
from config.api import fields
from config.api.serializers import StrictSerializer


class PublishedBoardField(fields.UUIDField):
    default_error_messages = {"does_not_exist": "There is no published board with this id."}

    def to_internal_value(self, data: Any) -> UUID:
        board_id = super().to_internal_value(data)
        if not Board.objects.published().filter(pk=board_id).exists():
            self.fail("does_not_exist")
        return board_id


class ContactForm(StrictSerializer):
    """Write to the people who run this service."""

    name = fields.StringField(max_length=150)
    email = fields.EmailField(max_length=254)
    subject = fields.StringField(max_length=200)
    message = fields.StringField(max_length=5000)


class OrganisationForm(StrictSerializer):
    """A club, school or federation asks to join."""

    organisationName = fields.StringField(max_length=200)
    country = CountryField(max_length=2, help_text="ISO 3166-1 alpha-2: NL")
    website = fields.StringField(
        max_length=500, required=False, allow_blank=True, validators=[URLValidator(schemes=["http", "https"])]
    )
    contactName = fields.StringField(max_length=150)
    email = fields.EmailField(max_length=254)
    message = fields.StringField(max_length=5000, required=False, allow_blank=True)


class BoardReportForm(StrictSerializer):
    """Something is wrong with a board."""

    boardId = PublishedBoardField()
    problem = fields.ChoiceField(
        choices=["wrong_cards", "wrong_auction", "wrong_result", "offensive", "copyright", "other"]
    )
    message = fields.StringField(max_length=5000)
    email = fields.EmailField(max_length=254, required=False, allow_blank=True)


@dataclass(frozen=True, slots=True)
class Form:
    name: str
    title: str
    serializer: type[StrictSerializer]

    @property
    def description(self) -> str:
        return self.serializer.__doc__ or ""


FORMS = {
    form.name: form
    for form in (
        Form("contact", "Contact", ContactForm),
        Form("organisation", "Join as an organisation", OrganisationForm),
        Form("board-report", "Report a problem with a board", BoardReportForm),
    )
}
