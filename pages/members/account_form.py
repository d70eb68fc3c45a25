"""The form of "My account": the fields that PATCH /api/accounts/{id} takes of the account itself, named as there."""

from functools import partial
from typing import Any, cast

from django import forms
from django.http import HttpRequest, QueryDict

from accounts.models import Account, AuctionSystem
from accounts.serializers import AccountSerializer
from config.values.countries import country_names
from pages.site.two_windows import TwoWindows


def text_field(column: str, label: str, help_text: str = "", *, autocomplete: str) -> forms.CharField:
    described: Any = Account._meta.get_field(column)
    return forms.CharField(
        label=label,
        help_text=help_text,
        max_length=described.max_length,
        required=False,
        widget=forms.TextInput({"autocomplete": autocomplete}),
    )


def check_box(label: str) -> forms.BooleanField:
    return forms.BooleanField(label=label, required=False, widget=forms.CheckboxInput({"value": "yes"}))


class AccountForm(TwoWindows, forms.Form):
    """What a member says of itself. The rules are the API's."""

    displayName = text_field(
        "display_name",
        "Name that others see",
        "Without one, pages call you “a member”, and programs see your id.",
        autocomplete="nickname",
    )
    firstName = text_field("first_name", "Given name", autocomplete="given-name")
    lastName = text_field("last_name", "Family name", autocomplete="family-name")
    isOrganisation = check_box("This account belongs to an organisation")
    organisationName = text_field(
        "organisation_name",
        "Organisation",
        "Name of the club, school or company. An organisation must have one.",
        autocomplete="organization",
    )
    country = forms.ChoiceField(required=False, widget=forms.Select({"autocomplete": "country"}))
    language = text_field("language", "Language", "A language tag such as en or pt-BR.", autocomplete="language")
    auctionSystem = forms.ModelChoiceField(
        AuctionSystem.objects.order_by("sort_order", "identifier"),
        label="Bidding system that you play",
        empty_label="",
        widget=forms.Select({"autocomplete": "off"}),
    )
    showEmailPublicly = check_box("Show my e-mail address to everybody with an account")
    avatarUrl = text_field("avatar_url", "Address of your picture", "It begins with https://.", autocomplete="photo")

    def __init__(self, account: Account, request: HttpRequest, data: QueryDict | None = None) -> None:
        self.serializer = partial(AccountSerializer, account, context={"request": request})
        stored = {**self.serializer().data, "auctionSystem": account.auction_system_id}
        super().__init__(data, initial=stored, auto_id="%s")
        countries = {"": "", **dict(country_names())}
        countries.setdefault(account.country, account.country)  # It was one once, and is kept.
        cast(forms.ChoiceField, self.fields["country"]).choices = list(countries.items())

    def clean(self) -> None:
        super().clean()
        changes = self.changes
        if "auctionSystem" in changes:
            changes["auctionSystem"] = changes["auctionSystem"].pk
        self.checked = self.serializer(data=changes, partial=True)
        if not self.checked.is_valid():
            self.show_errors(self.checked.errors)
