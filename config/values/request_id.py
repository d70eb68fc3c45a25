"""The id of the request that this thread is answering: in every log line, error body and answer."""

from contextvars import ContextVar

request_id: ContextVar[str] = ContextVar("request_id", default="")
