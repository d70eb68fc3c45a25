"""The forms as pages. They work without JavaScript, and keep what a visitor typed whatever goes wrong.

Robots are told from people without asking people to solve anything: a robot fills in a field that nobody sees (a
honeypot, or trap), or sends a page sooner than anybody can type. It gets the answer that a person gets. What it sent is
stored apart, so that staff still find a person who was taken for one.
"""

import time
from datetime import timedelta
from http import HTTPStatus
from typing import Any, cast

from django.core import signing
from django.http import HttpRequest, HttpResponse
from django.urls import reverse

from config.api.errors import ApiError, RateLimited, ServiceUnavailable
from config.api.views import PRIVATE
from config.edge.limits.posts import add_headers
from config.edge.security.client_address import client_network
from config.values.languages import preferred_language
from config.values.words import format_count
from forms import services
from forms.declarations import FORMS, Form
from forms.request_checks import LIMITS
from pages.forms.fields import find_published_board, page_fields, read_values
from pages.site.base import PageView, SeeOther

HONEYPOT = "url"
"""Name of the field of a page that nobody sees. A JSON body with it is refused, like one with any unknown field."""

PAGE_TOKEN = "opened"  # noqa: S105  (the name of a field)
"""Name of the hidden field that says, signed, when the page was opened."""

MIN_AGE = timedelta(seconds=3)
MAX_AGE = timedelta(days=1)

signer = signing.Signer(salt="forms.opened")


def make_page_token(form: str, *, age: timedelta = timedelta(0)) -> str:
    """Sign the moment at which a page of this form was opened: now, or so long ago."""
    return signer.sign(f"{form}:{time.time() - age.total_seconds():.3f}")


def read_page_age(token: str, form: str) -> timedelta | None:
    """Return how long ago the page was opened, or None when the token is missing, forged, too old or another form's."""
    try:
        name, opened_at = signer.unsign(token).split(":")
    except signing.BadSignature:
        return None
    age = timedelta(seconds=time.time() - float(opened_at))
    return age if name == form and age <= MAX_AGE else None


OPEN_TOO_LONG = "This page was open for too long, or was not opened on this site. Check the form and send it again."


class FormIndexPage(PageView):
    """GET /forms → 200, a page that lists the forms."""

    section = "forms"

    def get(self, request: HttpRequest) -> HttpResponse:
        return self.render_page("forms/index.html", {"forms": FORMS.values()})


class FormPage(PageView):
    """GET /forms/{name} → 200, the form. POST → 303 to its thank-you page, or the form again: 400 with what is wrong,
    429 or 503 with Retry-After.

    Posts count with those of the JSON route towards the same limits. ?board={id} fills in the board of a report.
    """

    section = "forms"
    form: Form = cast(Form, None)  # as_view(form=…) sets it.
    cache_control = PRIVATE

    def get(self, request: HttpRequest) -> HttpResponse:
        values = {"boardId": request.GET.get("board", "")}
        return self.show_form(values, make_page_token(self.form.name))

    def post(self, request: HttpRequest) -> HttpResponse:
        values, token = read_values(self.form, request.POST), request.POST.get(PAGE_TOKEN, "")
        try:
            usage = LIMITS.count(self.form.name, request.META)
            response = self.submit(request, values, token)
        except (RateLimited, ServiceUnavailable) as error:
            return self.show_refusal(values, token, error)
        add_headers(response, LIMITS.headers(usage))
        return response

    def submit(self, request: HttpRequest, values: dict[str, Any], token: str) -> HttpResponse:
        age = read_page_age(token, self.form.name)
        serializer = self.form.serializer(data=values)
        if not serializer.is_valid() or age is None:
            return self.show_form(
                values,
                self.token_to_retry(token),
                errors=serializer.errors,
                notice=OPEN_TOO_LONG if age is None else "",
                status=HTTPStatus.BAD_REQUEST,
            )
        services.submit(
            form=self.form.name,
            data=dict(serializer.data),
            client=client_network(request.META),
            language=preferred_language(request),
            is_suspected=bool(request.POST.get(HONEYPOT)) or age < MIN_AGE,
        )
        thanks = reverse(f"form-thanks-{self.form.name}")
        board_id = serializer.data.get("boardId")
        return SeeOther(f"{thanks}?board={board_id}" if board_id else thanks)

    def show_refusal(self, values: dict[str, Any], token: str, error: ApiError) -> HttpResponse:
        """Show the form with what was typed, so that the visitor can send it unchanged once Retry-After is over."""
        wait = format_count(int(error.headers["Retry-After"]), "second")
        is_limit = isinstance(error, RateLimited)
        problem = "Too many forms were sent just now." if is_limit else "We cannot accept forms just now."
        notice = f"{problem} Send this form again in {wait}."
        response = self.show_form(values, self.token_to_retry(token), notice=notice, status=error.status_code)
        add_headers(response, error.headers)
        return response

    def token_to_retry(self, token: str) -> str:
        """Return the token of a form that is shown again: the same, or a new one where that is worth nothing.

        The visitor has filled the form in already, so sending it quickly is not a sign of a robot.
        """
        is_good = read_page_age(token, self.form.name) is not None
        return token if is_good else make_page_token(self.form.name, age=MIN_AGE)

    def show_form(
        self, values: dict[str, Any], token: str, *, errors: Any = None, notice: str = "", status: int = HTTPStatus.OK
    ) -> HttpResponse:
        context = {
            "form": self.form,
            "fields": page_fields(self.form, values, errors or {}),
            "has_errors": bool(errors),
            "notice": notice,
            "page_token": token,
            "page_token_name": PAGE_TOKEN,
            "honeypot": HONEYPOT,
        }
        return self.render_page("forms/form.html", context, status=status)


class ThanksPage(PageView):
    """GET /forms/{name}/thanks → 200, the page that a sent form leads to. ?board={id} leads back to that board."""

    section = "forms"
    form: Form = cast(Form, None)  # as_view(form=…) sets it.
    cache_control = PRIVATE

    def get(self, request: HttpRequest) -> HttpResponse:
        board = find_published_board(request.GET.get("board", ""))
        return self.render_page("forms/thanks.html", {"form": self.form, "board": board})
