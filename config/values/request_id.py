"""The id of the request that this thread is answering. Every log line, error body and answer has it."""

from contextvars import ContextVar

request_id: ContextVar[str] = ContextVar("request_id", default="")
