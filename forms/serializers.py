"""What the public forms take, and what the API answers about them.

The JSON route, the OpenAPI document, the JSON Schema, the page and the CSV export of a form are made from its
serializer. The page reads a field's `style`: `autocomplete`, `rows` (of a text with several lines), `type` of the
input, and `options` (the value and the text of each choice). The document reads its `description`, where there is no
help text.
"""

from typing import Any

from rest_framework import serializers
from rest_framework.serializers import ErrorDetail, ValidationError

from accounts.fields import CountryField
from config.api import fields
from config.api.serializers import StrictSerializer
from config.values.countries import country_names
from forms.fields import PublishedBoardField, WebsiteField


class CopiedForm(StrictSerializer):
    """The base of forms whose sender may ask for a copy, for which an e-mail address is needed (forms.tasks)."""

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        if attrs.get("sendCopy") and not attrs.get("email"):
            raise ValidationError({"email": [ErrorDetail(NO_ADDRESS, code="required")]})
        return super().validate(attrs)


NO_ADDRESS = "Give the e-mail address for the copy."


def email_field(**options: Any) -> fields.EmailField:
    style = {"autocomplete": "email"}
    return fields.EmailField(label="Your e-mail address", max_length=254, style=style, **options)


def send_copy_field() -> fields.BooleanField:
    """Return the field that asks for a copy. It is the last of each form."""
    return fields.BooleanField(
        label="Send me a copy",
        required=False,
        help_text="By e-mail. At most three a day go to one address.",
        style={
            "description": "Whether to send a copy to `email`. Over a limit no copy is sent, but the form is accepted."
        },
    )


class ContactForm(CopiedForm):
    """Write to the people who run this service."""

    name = fields.StringField(
        label="Your name",
        max_length=150,
        style={"autocomplete": "name", "description": "The name of the person who writes."},
    )
    email = email_field(help_text="We answer to this address.")
    subject = fields.StringField(max_length=200, style={"description": "What the message is about."})
    message = fields.StringField(max_length=5000, style={"rows": 8, "description": "The message, as plain text."})
    sendCopy = send_copy_field()


class OrganisationForm(CopiedForm):
    """For clubs, schools and federations that want to join."""

    organisationName = fields.StringField(
        label="Name of the organisation",
        max_length=200,
        style={"autocomplete": "organization", "description": "The name of the organisation."},
    )
    country = CountryField(
        max_length=2,
        help_text="ISO 3166-1 alpha-2 code, such as NL",
        style={"autocomplete": "country", "options": country_names()},
    )
    website = WebsiteField(
        max_length=500,
        required=False,
        allow_blank=True,
        help_text="Its address, such as www.club.example",
        style={"autocomplete": "url", "type": "url"},
    )
    contactName = fields.StringField(
        label="Your name",
        max_length=150,
        style={"autocomplete": "name", "description": "The name of the person who writes for it."},
    )
    email = email_field(help_text="We answer to this address.")
    message = fields.StringField(
        max_length=5000,
        required=False,
        allow_blank=True,
        style={"rows": 8, "description": "Anything else, as plain text."},
    )
    sendCopy = send_copy_field()


class BoardReportForm(CopiedForm):
    """Tell us what is wrong with a board."""

    boardId = PublishedBoardField(
        label="Board",
        help_text="The address of the board's page, or the id at its end.",
        style={"description": "The published board that the report is about."},
    )
    problem = fields.ChoiceField(
        label="What is wrong",
        choices=[
            ("wrong_cards", "The cards"),
            ("wrong_auction", "The auction or the contract"),
            ("wrong_result", "The result"),
            ("offensive", "It is offensive"),
            ("copyright", "It is somebody else's work"),
            ("other", "Something else"),
        ],
        style={"description": "What is wrong with the board."},
    )
    message = fields.StringField(
        label="Tell us more", max_length=5000, style={"rows": 8, "description": "What exactly is wrong, as plain text."}
    )
    email = email_field(required=False, allow_blank=True, help_text="Only if you would like an answer.")
    sendCopy = send_copy_field()


class FormSerializer(serializers.Serializer):
    """A public form, and what to send to it."""

    name = serializers.CharField(help_text="The last part of its address.")
    title = serializers.CharField(help_text="A heading for people.")
    description = serializers.CharField(help_text="What the form is for.")
    url = serializers.CharField(help_text="Where to POST it.")
    schema = serializers.DictField(help_text="JSON Schema of the body.")


class SubmissionSerializer(serializers.Serializer):
    """A form that was sent and stored."""

    id = serializers.UUIDField(help_text="The id of what was sent.")
    form = serializers.CharField(help_text="The name of the form.")
    createdAt = fields.TimestampField(
        source="created_at", help_text="When it arrived. The same content within ten minutes is one submission."
    )
