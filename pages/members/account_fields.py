"""The fields of "My account": those that PATCH /api/accounts/{id} takes of the account itself, in the words of a page.

The page holds the value that each field had when it was opened. What comes back as it was is left alone, whatever has
become of it meanwhile. What was changed here and elsewhere is shown again, so that neither change is lost unseen.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, Self

from django.http import QueryDict
from rest_framework import serializers

from accounts.models import AuctionSystem
from accounts.serializers import AccountSerializer
from config.values.countries import country_names
from pages.site.page_fields import PageField, message, overtaken_by

YES = "yes"
"""What a ticked box sends. One that is not ticked sends nothing."""


class Words(NamedTuple):
    label: str
    hint: str = ""
    autocomplete: str = "off"


WORDS = {
    "displayName": Words(
        "Name that others see",
        "Without one, pages call you “a member”, and programs see your id.",
        "nickname",
    ),
    "firstName": Words("Given name", autocomplete="given-name"),
    "lastName": Words("Family name", autocomplete="family-name"),
    "isOrganisation": Words("This account belongs to an organisation"),
    "organisationName": Words(
        "Organisation",
        "Name of the club, school or company. An organisation must have one.",
        "organization",
    ),
    "country": Words("Country", autocomplete="country"),
    "language": Words("Language", "A language tag such as en or pt-BR.", "language"),
    "auctionSystem": Words("Bidding system that you play"),
    "showEmailPublicly": Words("Show my e-mail address to everybody with an account"),
    "avatarUrl": Words("Address of your picture", "It begins with https://.", "photo"),
}
"""The fields in the order of the page."""


class PageSerializer(AccountSerializer):
    """The fields and rules of the API, with the words and the options of the page."""

    def get_fields(self) -> dict[str, serializers.Field]:
        declared = super().get_fields()
        options = {"country": country_names(), "auctionSystem": auction_systems()}
        for name, words in WORDS.items():
            field = declared[name]
            field.label, field.help_text = words.label, words.hint
            field.required = name == "auctionSystem"  # the others may be blank
            field.style = {"autocomplete": words.autocomplete, "options": options.get(name, ())}
        return {name: declared[name] for name in WORDS}

    @property
    def stored(self) -> dict[str, str]:
        """Return what each field of the account has, as the text that a page sends."""
        return {name: as_text(getattr(self.instance, field.source or name)) for name, field in self.fields.items()}


def auction_systems() -> list[tuple[str, str]]:
    return [(system.pk, str(system)) for system in AuctionSystem.objects.order_by("sort_order", "identifier")]


def as_text(value: Any) -> str:
    if isinstance(value, bool):
        return YES if value else ""
    return value.pk if isinstance(value, AuctionSystem) else str(value)


@dataclass(frozen=True)
class Answers:
    """What a form says: what each field has now, and what it had when the page was opened."""

    typed: Mapping[str, str]
    opened: Mapping[str, str]

    @classmethod
    def read(cls, post: QueryDict, serializer: PageSerializer) -> Self:
        """Read the form. A field that it does not have is as it is stored. A box that is not ticked sends nothing."""
        opened = {name: post.get(f"was-{name}", value) for name, value in serializer.stored.items()}
        typed = {}
        for name, value in opened.items():
            is_box = isinstance(serializer.fields[name], serializers.BooleanField)
            is_clear = is_box and f"was-{name}" in post
            typed[name] = post.get(name, "" if is_clear else value)
        return cls(typed, opened)

    def changed(self) -> list[str]:
        return [name for name, value in self.typed.items() if value != self.opened[name]]

    def overtaken(self, stored: Mapping[str, str]) -> list[str]:
        """Return the changed fields that something else has changed meanwhile, to another value."""
        return [name for name in self.changed() if stored[name] not in (self.opened[name], self.typed[name])]

    def data(self, serializer: PageSerializer) -> dict[str, Any]:
        """Return the changed fields as the serializer takes them."""
        boxes = serializers.BooleanField
        return {
            name: self.typed[name] == YES if isinstance(serializer.fields[name], boxes) else self.typed[name]
            for name in self.changed()
        }


@dataclass(frozen=True)
class AccountField(PageField):
    """A field of the page. `opened` is what it had when the page was opened, or what has overtaken that."""

    opened: str = ""

    @property
    def options(self) -> Sequence[tuple[str, str]]:
        """Return the options, with the value itself where it is none of them, so that it is kept."""
        options = super().options
        is_known = not (options and self.value) or self.value in dict(options)
        return options if is_known else [*options, (self.value, self.value)]


def page_fields(
    serializer: PageSerializer, answers: Answers, errors: Mapping[str, Any], overtaken: Sequence[str] = ()
) -> list[AccountField]:
    """Return the fields with what was typed, what is wrong with it, and what else was changed meanwhile."""
    stored = serializer.stored
    return [
        AccountField(
            name=name,
            value=answers.typed[name],
            errors=[message(error, str(field.label)) for error in errors.get(name, ())]
            + [overtaken_by(str(field.label), stored[name]) for _ in range(name in overtaken)],
            field=field,
            opened=stored[name] if name in overtaken else answers.opened[name],
        )
        for name, field in serializer.fields.items()
    ]
