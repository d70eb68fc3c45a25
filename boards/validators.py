from django.core.exceptions import ValidationError

from bridge.errors import BridgeError
from bridge.texts import check_line


def validate_pbn_line(text: str) -> None:
    """Refuse a text that does not fit into one tag of a PBN file. The rule is in bridge.texts."""
    try:
        check_line("This", text)
    except BridgeError as error:
        raise ValidationError(error.message, code=error.code) from error
