"""A request that an example is recorded of, and how it is sent."""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any, cast
from urllib.parse import urlencode

import pytest
from django.conf import settings
from django.core.files.uploadedfile import SimpleUploadedFile
from django.http import HttpResponse
from django.test.client import BOUNDARY, MULTIPART_CONTENT, Client, encode_multipart

from accounts.tokens import development
from config import paths

JSON = "application/json"
FORM = "multipart/form-data"
REQUEST_ID = "3f0f5e7e-9a0f-4f0e-8d7e-6b1d5a3f2c10"


@dataclass(frozen=True)
class Call:
    """A request of an operation. `prepare` changes the world for it alone."""

    summary: str = ""
    caller: str = ""
    path: Mapping[str, str] = field(default_factory=dict)
    query: Mapping[str, str] = field(default_factory=dict)
    headers: Mapping[str, str] = field(default_factory=dict)
    body: Any = None
    media_type: str = JSON
    prepare: Callable[[pytest.MonkeyPatch], None] = lambda patch: None

    @property
    def name(self) -> str:
        """Return the key of the example in the document."""
        return "_".join("".join(c for c in word if c.isalnum()) for word in self.summary.lower().split())

    @property
    def sent_body(self) -> tuple[bytes, str]:
        """Return the body as it is sent, and its Content-Type."""
        if self.body is None:
            return b"", ""
        if isinstance(self.body, bytes):
            return self.body, self.media_type
        if isinstance(self.body, str):
            return self.body.encode(), self.media_type
        if self.media_type == FORM:
            file = SimpleUploadedFile("boards.pbn", self.body["file"].encode(), "application/x-pbn")
            fields = {name: str(value).lower() for name, value in self.body.items()}
            return encode_multipart(BOUNDARY, {**fields, "file": file}), MULTIPART_CONTENT
        return json.dumps(self.body).encode(), self.media_type

    def send(self, method: str, template: str, client: Client) -> HttpResponse:
        path = template.format(**self.path) + (f"?{urlencode(self.query)}" if self.query else "")
        body, content_type = self.sent_body
        return cast(HttpResponse, client.generic(method, path, body, content_type, headers=self.all_headers(template)))

    def all_headers(self, template: str) -> dict[str, str]:
        """Return the headers of this request, those of its caller among them. A header that is "" is left out."""
        headers = {"X-Request-Id": REQUEST_ID}
        if paths.is_under(template, paths.DEALS):
            headers["X-API-Key"] = settings.API_KEY
        if self.caller:
            token = development.issue_token(self.caller, timedelta(hours=1))
            headers["Authorization"] = f"Bearer {token}"
        return {name: value for name, value in {**headers, **self.headers}.items() if value}


class Operation:
    """The requests of an operation: the accepted ones, and by error code what is different in the refused ones."""

    def __init__(self, *accepted: Call, **refused: Mapping[str, Any]) -> None:
        self.accepted, self.refused = accepted, refused
