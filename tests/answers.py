"""How tests read the API's answers: the one place that knows the shape of an error."""

import json
from typing import Any


def assert_error(response: Any, status: int, code: str) -> dict[str, Any]:
    """Return the body of an error. Assert its status, its code, and what all errors have in common."""
    body = json.loads(response.content)
    assert (response.status_code, body["code"]) == (status, code), body
    assert body.keys() == {"code", "message", "meta"}
    assert body["message"]
    assert response["Content-Type"] == "application/json"
    is_impersonated = "X-Impersonated-User-Id" in response
    assert response["Cache-Control"] == ("private, no-store" if is_impersonated else "no-store")
    assert body["meta"]["requestId"] == response["X-Request-Id"] != ""
    return body


def field_errors(response: Any) -> dict[str, list[str]]:
    """Return the codes by field of a validation error: {"source.url": ["invalid"]}."""
    fields = assert_error(response, 400, "validation_error")["meta"]["fields"]
    assert all(error["message"] for errors in fields.values() for error in errors)
    return {name: [error["code"] for error in errors] for name, errors in fields.items()}


def board_without_votes(boards: list[dict[str, Any]]) -> str:
    """Return the id of the first of these boards on which nobody has voted. Some of the demonstration have votes."""
    return next(str(board["id"]) for board in boards if not any(board["votes"].values()))
