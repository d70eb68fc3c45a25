"""An error as a page that a person can read."""

from http import HTTPStatus

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from config.api.errors import ApiError
from config.values.request_id import request_id


def error_page(request: HttpRequest, error: ApiError) -> HttpResponse:
    """Render the error as a page. No cache stores it."""
    context = {
        "error": error,
        "phrase": HTTPStatus(error.status_code).phrase,
        "request_id": request_id.get(),
        "wait": error.headers.get("Retry-After"),
    }
    headers = {"Cache-Control": "no-store", **error.headers}
    response = render(request, "errors/error.html", context, status=error.status_code)
    for name, value in headers.items():
        response[name] = value
    return response
