"""The id of the request that this thread is answering. Every log line, error body and answer has it."""

from contextvars import ContextVar

MAX_REQUEST_ID_LENGTH = 128

request_id: ContextVar[str] = ContextVar("request_id", default="")
