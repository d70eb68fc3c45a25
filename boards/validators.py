from django.core.exceptions import ValidationError

from deals.bridge.errors import BridgeError
from deals.bridge.texts import check_line


def fits_in_a_line(text: str) -> None:
    """Of a PBN file: deals.bridge.texts has the rule."""
    try:
        check_line("This", text)
    except BridgeError as error:
        raise ValidationError(error.message, code=error.code) from error
