"""JSON that every store can keep and every reader can read back: the one reader, the one writer and their rules."""

import json
from collections.abc import Mapping
from typing import Any

import orjson

MAX_DEPTH = 32
# RFC 8259 §6: integers in this range mean the same in every JSON reader. PostgreSQL's jsonb also writes a
# float beyond it as an integer, which would come back longer than 64 bits.
MAX_NUMBER = 2**53 - 1
# Python refuses to read more than 4,300 digits with an error of its own.
MAX_DIGITS = 17

# The admin's forms, which have no body, also show these sentences and those of `check_value`.
TOO_DEEP = f"Objects and arrays nest deeper than {MAX_DEPTH} levels. Use fewer levels."
TOO_LARGE = "A number is larger than 2^53 - 1. Give a smaller one, or write it as a text."


class JsonError(ValueError):
    """A text that is not strict JSON, or a value that some store or reader could not give back.

    `str(error)` is a sentence for the client that sent it.
    """


def parse_json(text: bytes) -> Any:
    """Parse UTF-8 JSON. Raise JsonError for anything else, for a repeated key and for what `check_value` refuses."""
    try:
        value = json.loads(
            text.decode(), object_pairs_hook=unique_keys, parse_int=_parse_integer, parse_constant=_refuse_constant
        )
    except UnicodeDecodeError:
        raise JsonError("The body is not UTF-8.") from None
    except RecursionError:
        raise JsonError(TOO_DEEP) from None
    except json.JSONDecodeError as error:
        where = f"line {error.lineno}, column {error.colno}"
        raise JsonError(f"The body is not JSON: {error.msg} ({where}).") from None
    check_value(value)
    return value


def dump_json(value: Any) -> bytes:
    """Return compact UTF-8 JSON. Every answer is written by this function, so that equal data has equal ETags."""
    return orjson.dumps(value, option=orjson.OPT_NON_STR_KEYS)


def check_value(value: Any, depth: int = 1) -> None:
    """Raise JsonError for NUL, half of a surrogate pair, a number beyond ±(2^53 - 1), or nesting deeper than 32."""
    if isinstance(value, str):
        _check_text(value)
    elif isinstance(value, int | float):
        if not abs(value) <= MAX_NUMBER:  # written like this, it refuses NaN too
            raise JsonError(TOO_LARGE)
    elif isinstance(value, Mapping | list):
        if depth > MAX_DEPTH:
            raise JsonError(TOO_DEEP)
        for item in (*value, *value.values()) if isinstance(value, Mapping) else value:
            check_value(item, depth + 1)


def _check_text(text: str) -> None:
    if "\x00" in text:
        raise JsonError("A text has a NUL character. Remove it.")
    if any("\ud800" <= character <= "\udfff" for character in text if character > "\ud7ff"):
        raise JsonError("A text has half of a surrogate pair. Remove it, or give both halves.")


def unique_keys(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Return the object of these pairs. Raise JsonError when a key stands twice. Made for `object_pairs_hook`."""
    result = dict(pairs)
    if len(result) < len(pairs):
        raise JsonError("An object has the same key twice. Give each key once.")
    return result


def _parse_integer(digits: str) -> int:
    if len(digits) > MAX_DIGITS:
        raise JsonError(TOO_LARGE)
    return int(digits)


def _refuse_constant(name: str) -> None:
    raise JsonError(f"{name} is not JSON.")
