"""Fields that take what people have at hand: a board's address instead of its id, a website without its https://."""

import re
from contextlib import suppress
from typing import Any
from uuid import UUID

from drf_spectacular.utils import extend_schema_field

from boards.models import Board
from config.api import fields
from config.values.web_addresses import WebAddressValidator, write_ascii

BOARD_ADDRESS = re.compile(rf"(?:[^?#\s]*/)?boards/(?P<id>{fields.CANONICAL_UUID.pattern})(?:[./?#]\S*)?")
"""The address of a board's page, file or practice, on whatever host: the site may have several names."""

WITHOUT_SCHEME = re.compile(r"(?=[^/?#:@\s][^/?#:@\s.]*+\.[^/?#:@\s])[^/?#:@\s]++(?::[0-9]++)?(?:[/?#]|$)")
"""A host with a dot in it, and what may follow. A colon is a port: "javascript:…" and "mailto:…" are schemes."""

validate_website = WebAddressValidator(
    schemes=["http", "https"], message="Give the address of a website, such as www.club.example."
)


def read_board_id(text: str) -> UUID | None:
    """Return the id in the address of a board, or the text itself as an id. Return None when it is neither."""
    text = text.strip()
    if fields.CANONICAL_UUID.fullmatch(text):
        return UUID(text)
    address = BOARD_ADDRESS.fullmatch(text)
    return UUID(address["id"]) if address else None


@extend_schema_field({"type": "string", "minLength": 1})
class PublishedBoardField(fields.UUIDField):
    """A published board, by its id or its address. The id is stored."""

    default_error_messages = {
        "invalid": "Give the address of a board's page, or the id at its end.",
        "does_not_exist": "There is no published board with this address or id.",
    }

    def to_internal_value(self, data: Any) -> UUID:
        board_id = read_board_id(data) if isinstance(data, str) else None
        if board_id is None:
            self.fail("invalid")
        if not Board.objects.published().filter(pk=board_id).exists():
            self.fail("does_not_exist")
        return board_id


class WebsiteField(fields.StringField):
    """An address of the web. Where its beginning was left out, as in www.club.example, https:// is added.

    Letters of any alphabet are stored as RFC 3986 writes them: people copy what a browser shows.
    """

    def to_internal_value(self, data: Any) -> str:
        address = super().to_internal_value(data)
        if WITHOUT_SCHEME.match(address):
            address = f"https://{address}"
        if not address.isascii() and len(address) <= WebAddressValidator.max_length:
            with suppress(ValueError):  # the validator says that it is none
                address = write_ascii(address)
        validate_website(address)
        return address
