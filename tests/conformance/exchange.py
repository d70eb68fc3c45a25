"""What a test's client sent and got, and how it is taken from Django's test client without changing either."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from django.http import HttpResponse, StreamingHttpResponse
from django.test.client import FakePayload


@dataclass(frozen=True)
class Exchange:
    """A request and its answer. Names of request headers are in lower case. A body that a test streams is None."""

    method: str
    path: str
    query: str
    sent_headers: Mapping[str, str]
    sent_body: bytes | None
    status: int
    headers: Mapping[str, str]
    body: bytes

    def __str__(self) -> str:
        query = f"?{self.query}" if self.query else ""
        return f"{self.method} {self.path}{query} → {self.status}"


def copy_body(environ: dict[str, Any]) -> bytes | None:
    """Return the body of a request that is not sent yet, and put an unread one in its place.

    Return None for a stream of the test's own, which only the service may read.
    """
    payload = environ.get("wsgi.input")
    if payload is None:
        return b""
    if not isinstance(payload, FakePayload):
        return None
    body = payload.read()
    environ["wsgi.input"] = FakePayload(body)
    return body


def observe(
    environ: Mapping[str, Any], sent_body: bytes | None, response: Any, hold: Callable[[Exchange], None]
) -> None:
    """Hold the exchange: now, or once the test has read the whole of a streamed answer."""
    sent_headers = {
        name.removeprefix("HTTP_").replace("_", "-").lower(): str(value)
        for name, value in environ.items()
        if name.startswith("HTTP_") or name in ("CONTENT_TYPE", "CONTENT_LENGTH")
    }

    def finish(body: bytes) -> None:
        hold(
            Exchange(
                method=str(environ["REQUEST_METHOD"]).upper(),
                path=str(environ["PATH_INFO"]).encode("latin-1", "replace").decode("utf-8", "replace"),
                query=str(environ.get("QUERY_STRING", "")),
                sent_headers=sent_headers,
                sent_body=sent_body,
                status=response.status_code,
                headers=dict(response.items()),
                body=body,
            )
        )

    if isinstance(response, StreamingHttpResponse):
        response.streaming_content = observed_stream(response.streaming_content, finish)
    elif isinstance(response, HttpResponse):
        finish(response.content)


def observed_stream(chunks: Iterable[bytes], finish: Callable[[bytes], None]) -> Iterator[bytes]:
    """Yield the chunks as they come, and call `finish` with all of them at the end."""
    seen: list[bytes] = []
    for chunk in chunks:
        seen.append(chunk)
        yield chunk
    finish(b"".join(seen))
