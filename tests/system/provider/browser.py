"""The authorization-code flow with PKCE (RFC 7636), with the browser's part written out."""

import base64
import hashlib
import json
import re
import secrets
from collections.abc import Mapping
from html import unescape
from typing import Any
from urllib.error import HTTPError
from urllib.parse import parse_qs, urlencode, urljoin, urlsplit
from urllib.request import HTTPCookieProcessor, HTTPRedirectHandler, ProxyHandler, build_opener

REDIRECT_URI = "https://web.example/signed-in"


class NoRedirect(HTTPRedirectHandler):
    def redirect_request(self, *args: Any) -> None:
        return None


class Browser:
    """A browser with cookies. It follows pages until it is sent to the web application, which does not exist."""

    def __init__(self) -> None:
        self.opener = build_opener(NoRedirect, ProxyHandler({}), HTTPCookieProcessor())

    def open(self, url: str, form: Mapping[str, str] | None = None) -> tuple[str, str]:
        """Return the page, and where it redirects to. One of the two is ""."""
        try:
            with self.opener.open(url, urlencode(form).encode() if form else None) as response:
                return response.read().decode(), ""
        except HTTPError as redirect:
            with redirect:
                if redirect.code not in (302, 303):
                    raise AssertionError(f"{redirect.code}: {redirect.read().decode()}") from redirect
                return "", urljoin(url, redirect.headers["Location"])

    def sign_in(self, url: str, account: str, callback: str = REDIRECT_URI) -> dict[str, list[str]]:
        """Fill in the provider's pages. Return the query that the web application gets at its callback."""
        return parse_qs(urlsplit(self.fill_in(url, account, callback)).query)

    def fill_in(self, url: str, account: str, callback: str) -> str:
        """Fill in the provider's pages. Return the address of the callback to which it redirects in the end."""
        page, target = self.open(url)
        while not target.startswith(callback):
            if target:
                page, target = self.open(target)
            else:
                action, prompt = re.findall(r'action="([^"]+)".*?name="prompt" value="(\w+)"', page, re.S)[0]
                filled_in = {"prompt": prompt, "login": account, "password": "any"}
                page, target = self.open(unescape(action), filled_in)
        return target


def sign_in(issuer: str, account: str, *, client: str, resource: str = "") -> dict[str, str]:
    """Return the provider's tokens: `access_token`, for the resource if one is named, and `id_token`."""
    browser = Browser()
    page, _ = browser.open(f"{issuer}/.well-known/openid-configuration")
    endpoints = json.loads(page)
    verifier, state = secrets.token_urlsafe(32), secrets.token_urlsafe(8)
    challenge = base64.urlsafe_b64encode(hashlib.sha256(verifier.encode()).digest()).rstrip(b"=").decode()
    common = {"client_id": client, "redirect_uri": REDIRECT_URI, **({"resource": resource} if resource else {})}
    code_request = {"response_type": "code", "state": state, "code_challenge_method": "S256"}
    query = urlencode({**common, **code_request, "scope": "openid boards", "code_challenge": challenge})
    answer = browser.sign_in(f"{endpoints['authorization_endpoint']}?{query}", account)
    assert answer["state"] == [state]
    token_request = {"grant_type": "authorization_code", "code": answer["code"][0], "code_verifier": verifier}
    tokens, _ = browser.open(endpoints["token_endpoint"], {**common, **token_request})
    return json.loads(tokens)
