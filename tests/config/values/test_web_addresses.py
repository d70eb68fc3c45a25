"""Which addresses of the web are taken."""

from collections.abc import Callable
from contextlib import suppress

from django.core.exceptions import ValidationError

from accounts.models import Account
from config.values.web_addresses import WebAddressValidator, write_ascii
from deals.models import Deal, WebhookEndpoint
from forms.admin import validate_web_address
from forms.fields import validate_website

VALIDATORS: dict[str, Callable[[str], None]] = {
    "avatar": Account._meta.get_field("avatar_url").run_validators,
    "source": Deal._meta.get_field("source_url").run_validators,
    "webhook": WebhookEndpoint._meta.get_field("url").run_validators,
    "website": validate_website,
    "message": validate_web_address,
}
ALLOWED = set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~:/?#[]@!$&'()*+,;=")


def taken_by(validate: Callable[[str], None], address: str) -> bool:
    with suppress(ValidationError):
        validate(address)
        return True
    return False


def test_every_field_takes_the_characters_of_rfc_3986_and_no_others() -> None:
    for name, validate in VALIDATORS.items():
        for code in (*range(0x180), 0x202E, 0x2028, 0xFF0F, 0x1F0A1):
            mark = chr(code)
            if name == "webhook" and mark == "#":  # webhooks have no fragment
                continue
            assert taken_by(validate, f"https://club.example/a?b={mark}c") == (mark in ALLOWED), (name, mark)
        for part, is_taken in (("%20%C3%a9", True), ("%2", False), ("%", False), ("%zz", False)):
            assert taken_by(validate, f"https://club.example/{part}") == is_taken, (name, part)


def test_letters_of_any_alphabet_are_written_as_addresses_have_them() -> None:
    for typed, written in (
        ("https://bücher.example:80/é?q=ß#ñ", "https://xn--bcher-kva.example:80/%C3%A9?q=%C3%9F#%C3%B1"),
        ("https://例え.example", "https://xn--r8jz45g.example"),
        ("https://club.example/%20é", "https://club.example/%20%C3%A9"),
    ):
        assert write_ascii(typed) == written
        assert taken_by(WebAddressValidator(["https"]), written)
