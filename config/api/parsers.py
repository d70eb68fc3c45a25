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
                parse_float=_float,
                parse_constant=_constant,
            )
        except UnicodeDecodeError:
            raise BadRequest("The body is not UTF-8.") from None
        except RecursionError:
            raise BadRequest(f"The body nests deeper than {MAX_DEPTH} levels.") from None
        except json.JSONDecodeError as error:
            where = f"line {error.lineno}, column {error.colno}"
            raise BadRequest(f"The body is not JSON: {error.msg} ({where}).") from None
        _check(data, depth=1)
        return data


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    result = dict(pairs)
    if len(result) < len(pairs):
        raise BadRequest("An object in the body has the same key twice.")
    return result


def _integer(digits: str) -> int:
    if len(digits) > 17 or abs(int(digits)) > MAX_NUMBER:
        raise BadRequest("A number in the body is larger than 2^53 - 1.")
    return int(digits)


def _float(digits: str) -> float:
    number = float(digits)
    if abs(number) > MAX_NUMBER:
        raise BadRequest("A number in the body is larger than 2^53 - 1.")
    return number


def _constant(name: str) -> None:
    raise BadRequest(f"{name} is not JSON.")


def _check(value: Any, depth: int) -> None:
    if isinstance(value, str):
        _check_text(value)
        return
    if not isinstance(value, Mapping | list):
        return
    if depth > MAX_DEPTH:
        raise BadRequest(f"The body nests deeper than {MAX_DEPTH} levels.")
    if isinstance(value, Mapping):
        for key in value:
            _check_text(key)
        value = list(value.values())
    for item in value:
        _check(item, depth + 1)


def _check_text(text: str) -> None:
    if "\x00" in text:
        raise BadRequest("A string in the body has a NUL character.")
    if any("\ud800" <= character <= "\udfff" for character in text if character > "\ud7ff"):
        raise BadRequest("A string in the body has half of a surrogate pair.")
