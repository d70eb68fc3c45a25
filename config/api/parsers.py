"""JSON in, strictly: what PostgreSQL, SQLite and the renderer could not all keep is refused before it is stored."""

import json
from collections.abc import Mapping
from typing import IO, Any

from rest_framework.parsers import BaseParser

from config.api.errors import BadRequest

MAX_DEPTH = 32
# RFC 8259 §6: integers in this range mean the same in every JSON reader. PostgreSQL's jsonb also writes a
# float beyond it as an integer, which would come back longer than 64 bits.
MAX_NUMBER = 2**53 - 1


class StrictJSONParser(BaseParser):
    """Raises BadRequest for: not UTF-8, not JSON, duplicate keys, NUL, lone surrogates, NaN or Infinity, numbers
    beyond ±(2^53 − 1), nesting deeper than 32."""

    media_type = "application/json"

    def parse(self, stream: IO[bytes], media_type: str | None = None, parser_context: Any = None) -> Any:
        try:
            text = stream.read().decode("utf-8")
            data = json.loads(
                text,
                object_pairs_hook=_object,
                parse_int=_integer,
                parse_constant=_constant,
            )
        except UnicodeDecodeError:
            raise BadRequest("The body is not UTF-8.") from None
        except RecursionError:
            raise BadRequest(f"The body nests deeper than {MAX_DEPTH} levels.") from None
        except json.JSONDecodeError as error:
            where = f"line {error.lineno}, column {error.colno}"
            raise BadRequest(f"The body is not JSON: {error.msg} ({where}).") from None
        check_value(data)
        return data


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    result = dict(pairs)
    if len(result) < len(pairs):
        raise BadRequest("An object in the body has the same key twice.")
    return result


def _integer(digits: str) -> int:
    if len(digits) > 17:  # Python itself refuses to read more than 4,300 digits, with another error
        raise BadRequest("A number in the body is larger than 2^53 - 1.")
    return int(digits)


def _constant(name: str) -> None:
    raise BadRequest(f"{name} is not JSON.")


def check_value(value: Any, depth: int = 1) -> None:
    """BadRequest for text, numbers or nesting that not every database and reader could give back."""
    if isinstance(value, str):
        _check_text(value)
    elif isinstance(value, int | float):
        _check_number(value)
    elif isinstance(value, Mapping | list):
        if depth > MAX_DEPTH:
            raise BadRequest(f"The body nests deeper than {MAX_DEPTH} levels.")
        for item in (*value, *value.values()) if isinstance(value, Mapping) else value:
            check_value(item, depth + 1)


def _check_number(number: float) -> None:
    if not abs(number) <= MAX_NUMBER:  # so written, NaN is refused too
        raise BadRequest("A number in the body is larger than 2^53 - 1.")


def _check_text(text: str) -> None:
    if "\x00" in text:
        raise BadRequest("A string in the body has a NUL character.")
    if any("\ud800" <= character <= "\udfff" for character in text if character > "\ud7ff"):
        raise BadRequest("A string in the body has half of a surrogate pair.")
