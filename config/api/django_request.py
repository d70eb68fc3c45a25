"""Django's request within that of REST framework."""

from typing import Any

from rest_framework.request import Request


def django_request_of(request: Request) -> Any:
    """Return the Django request, on which middleware and request checks find what a view or authentication notes.

    There is no public name for it. The maintainers say that this one stays (encode/django-rest-framework, pull request
    5771).
    """
    return request._request
