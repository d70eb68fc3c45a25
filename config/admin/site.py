"""The admin's site: Django's, with one answer to parameters that no page of the admin would send."""

import logging
from collections.abc import Callable
from functools import wraps
from typing import Any, TypeVar

from django.conf import settings
from django.contrib import admin
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.template.response import SimpleTemplateResponse, TemplateResponse
from django.utils.module_loading import import_string

from config.api.errors import ApiError, BadRequest, log_refusal
from config.database.transactions import retried_transaction
from config.values.request_id import request_id

View = Callable[..., HttpResponseBase]
V = TypeVar("V", bound=Callable[..., HttpResponseBase])

SAFE_METHODS = ("GET", "HEAD", "OPTIONS", "TRACE")

# No page has a link with dozens of parameters, and of each repeated one Django makes another condition of the query.
MAX_PARAMETERS = 60

UNREADABLE = "This request cannot be read"
ADVICE = "The address or the form has a value that is not valid here. Go back, correct it and try again."

logger = logging.getLogger(__name__)


class MalformedRequest(BadRequest):
    """An address or a form that no page of the admin sends. config.admin.options raises it where Django takes any.

    Only this is the client's fault: whatever else a view raises is a bug of ours, and a 500.
    """

    default_detail = ADVICE


class BridgeBoardsAdminSite(admin.AdminSite):
    """The value of `admin.site`: config.admin.apps names this class."""

    index_title = "Administration"

    def each_context(self, request: HttpRequest) -> dict[str, Any]:
        """Return Django's context with the name of the club on every page."""
        return {**super().each_context(request), "site_header": settings.CLUB.name, "site_title": settings.CLUB.name}

    def index(self, request: HttpRequest, extra_context: Any = None) -> TemplateResponse:
        """GET /admin/ → 200, what waits, as far as the person who asks may see it, and the lists of everything."""
        waiting = [line for name in settings.WAITING for line in import_string(name)(request)]
        return super().index(request, {**(extra_context or {}), "waiting": waiting})

    def admin_view(self, view: View, cacheable: bool = False) -> View:
        return super().admin_view(refuse_malformed_parameters(view), cacheable)


def commits_in_parts(view: V) -> V:
    """Mark a view that makes transactions itself: it changes thousands of rows, and must not lock them all at once."""
    view.commits_in_parts = True  # type: ignore[attr-defined]  # a mark for render_now
    return view


def refuse_malformed_parameters(view: View) -> View:
    """Wrap a view so that it answers 400 when it raises MalformedRequest. Log where, in case a page does send it."""

    @wraps(view)
    def wrapper(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        if sum(len(values) for _, values in request.GET.lists()) > MAX_PARAMETERS:
            return refusal_page(request, BadRequest("The address has too many parameters."), title=UNREADABLE)
        try:
            return render_now(request, view, *args, **kwargs)
        except MalformedRequest as error:
            logger.warning("A page of the admin could not read its parameters.", exc_info=True)
            return refusal_page(request, error, title=UNREADABLE)

    return wrapper


def render_now(request: HttpRequest, view: View, *args: Any, **kwargs: Any) -> HttpResponseBase:
    """Return the view's answer, rendered. Make a request that may change something one transaction.

    A view that `commits_in_parts` makes its own. So an exception in the view or its template stores nothing. The body
    is read before the transaction, since nobody's slow connection may hold a lock.
    """
    if request.method in SAFE_METHODS:
        return render_response(view(request, *args, **kwargs))
    _ = request.POST
    if getattr(view, "commits_in_parts", False):
        return render_response(view(request, *args, **kwargs))
    return retried_transaction(lambda: render_response(view(request, *args, **kwargs)))()


def render_response(response: HttpResponseBase) -> HttpResponseBase:
    return response.render() if isinstance(response, SimpleTemplateResponse) else response


def refusal_page(request: HttpRequest, error: ApiError, *, title: str) -> HttpResponseBase:
    context = {
        **admin.site.each_context(request),
        "title": title,
        "error": error,
        "request_id": request_id.get(),
        "wait": error.headers.get("Retry-After"),
    }
    response = TemplateResponse(
        request, "admin/refusal.html", context, status=error.status_code, headers=dict(error.headers)
    )
    return log_refusal(error, response)
