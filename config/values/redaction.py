"""What log lines must not say: secrets, tokens, e-mail addresses, and what people wrote. docs/reliability/watching.md
has the promises."""

import re
from collections.abc import Iterator
from functools import cache, lru_cache

from django.conf import settings
from django.utils.crypto import salted_hmac

HIDDEN = "*"

UUID = r"[0-9A-Fa-f]{8}(?:-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}"
# Shorter than any key, token or session key of ours. Longer names of routes and files lose only their own segment.
PLAIN_SEGMENT = rf"(?:{UUID}(?:\.[a-z]{{1,5}})?|\*(?:\.[a-z]{{1,5}})?|[A-Za-z0-9._~|:-]{{0,31}})"
PLAIN_PATH = re.compile(rf"(?:/{PLAIN_SEGMENT})*")
PLAIN = re.compile(PLAIN_SEGMENT)
# The address of a collection by link lets anyone read it, and the code of a class lets anyone answer.
ID_OR_CODE = re.compile(rf"(/(?:collections|lessons)/){UUID}|(/class/)[^/\s]+")
KEY_ID = re.compile(r"[A-Za-z0-9._~|:=+/-]{1,64}")

SECRET_SETTING = re.compile(r"(_|^)(SECRET|PASSWORD|TOKEN|KEY)(_PREVIOUS|_FALLBACKS)?$")
MIN_SECRET = 8

# Each word is matched, with an address or not, so that it is looked through once.
EMAIL = re.compile(r"""[^\s@"'<>(),;:=\[\]{}\\/]++(@[A-Za-z0-9-]++(?:\.[A-Za-z0-9-]++)++)?""")
TOKEN = re.compile(r"eyJ[A-Za-z0-9_-]{8,}(?:\.[A-Za-z0-9_-]*)*")
BEARER = re.compile(r"(?i)\b(bearer|basic)(\s+)[A-Za-z0-9._~+/=-]{8,}")
# PostgreSQL quotes whole rows and statements there, what people wrote included, with its line breaks.
DETAIL = re.compile(r"(?s)\b(DETAIL|CONTEXT|QUERY|LINE \d+): .*?(?=\n\n(?:The above exception|During handling)|\Z)")


def clean_path(path: str) -> str:
    """Return a path without what may be a token, a key, an e-mail address or what opens a collection; "*" stands there.

    The admin writes "@" as "_40". A path never has a query here.
    """
    path = hide_collections(path)
    if "_40" not in path and PLAIN_PATH.fullmatch(path):
        return path
    segments = path.split("/")
    return "/".join(each if "_40" not in each and PLAIN.fullmatch(each) else HIDDEN for each in segments)


def hide_collections(text: str) -> str:
    """Hide the ids of collections and lessons, and the codes of classes."""
    return ID_OR_CODE.sub(rf"\1\2{HIDDEN}", text)


@lru_cache(1024)
def name_in_logs(account_id: str | None) -> str | None:
    """Return an account's id, or a pseudonym for one that is an e-mail address. The admin's page of the account has it.

    Nobody without SECRET_KEY finds the address by trying some.
    """
    if not account_id or "@" not in account_id:
        return account_id
    return f"#{salted_hmac('name in logs', account_id, algorithm='sha256').hexdigest()[:16]}"


def clean_key_id(kid: object) -> str | None:
    """Return the `kid` of a token as it may be logged: strangers write what they like there."""
    if kid is None:
        return None
    return kid if isinstance(kid, str) and KEY_ID.fullmatch(kid) and not TOKEN.match(kid) else HIDDEN


def scrub(text: str) -> str:
    """Remove e-mail addresses, tokens, the details of database errors and our own secrets from a text of others."""
    text = hide_collections(text)
    if "@" in text:
        text = EMAIL.sub(lambda word: "*@*" if word[1] else word[0], text)
    if "eyJ" in text:
        text = TOKEN.sub(HIDDEN, text)
    if ": " in text:
        text = DETAIL.sub(rf"\1: {HIDDEN}", text)
    text = BEARER.sub(rf"\1\2{HIDDEN}", text)
    for secret in own_secrets():
        text = text.replace(secret, HIDDEN)
    return text


def own_secrets() -> Iterator[str]:
    """Yield the secrets of the settings, but none that is so short that common words would be lost."""
    values = [getattr(settings, name) for name in names_of_secrets()]
    values += [database.get("PASSWORD") for database in settings.DATABASES.values()]
    for value in values:
        for secret in value if isinstance(value, list | tuple) else [value]:
            if isinstance(secret, str) and len(secret) >= MIN_SECRET:
                yield secret


@cache
def names_of_secrets() -> list[str]:
    """Return the names of the settings that hold a secret, whoever added them."""
    return [name for name in dir(settings) if SECRET_SETTING.search(name)]
