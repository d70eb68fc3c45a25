"""The forms as pages: they work without JavaScript, and keep what was typed whatever goes wrong."""

from http import HTTPStatus
from typing import Any, cast

from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse

from config.api.errors import ApiError, RateLimited
from config.api.views import PRIVATE
from config.site.pages import PageView
from forms import limits, robots, services
from forms.declarations import FORMS, Form
from forms.page_fields import page_fields, typed

TOO_MANY = "Too many forms were sent just now."
OUT_OF_ORDER = "Forms cannot be taken just now."
OPEN_TOO_LONG = (
    "This page had been open for too long, or was not opened here. Look it over and send it again."
)


class FormIndexPage(PageView):
    """GET /forms → 200, a page that names the forms."""

    section = "forms"

    def get(self, request: HttpRequest) -> HttpResponse:
        return self.render_page("forms/index.html", {"forms": FORMS.values()})


class FormPage(PageView):
    """GET /forms/{name} → 200, the form. POST → 303 to its thank-you page, or the form again: 400 with what is wrong,
    429 or 503 with Retry-After.

    Limited like the JSON route, and together with it. ?board={id} names the board of a report beforehand.
    """

    section = "forms"
    form: Form = cast(Form, None)  # as_view(form=…) gives it.
    cache_control = PRIVATE

    def get(self, request: HttpRequest) -> HttpResponse:
        return self.show({"boardId": request.GET.get("board", "")}, robots.stamp(self.form.name))

    def post(self, request: HttpRequest) -> HttpResponse:
        values, stamp = typed(self.form, request.POST), request.POST.get(robots.STAMP, "")
        try:
            usage = limits.count(request, self.form.name)
        except ApiError as error:
            return self.refuse(values, stamp, error)
        response = self.send(request, values, stamp)
        limits.mark(response, limits.headers(usage) if usage else {})
        return response

    def send(self, request: HttpRequest, values: dict[str, str], stamp: str) -> HttpResponse:
        age = robots.age_of(stamp, self.form.name)
        serializer = self.form.serializer(data=values)
        if not serializer.is_valid() or age is None:
            return self.show(
                values,
                self.new_stamp() if age is None else stamp,
                errors=serializer.errors,
                notice=OPEN_TOO_LONG if age is None else "",
                status=HTTPStatus.BAD_REQUEST,
            )
        services.submit(
            request=request,
            form=self.form.name,
            data=dict(serializer.data),
            is_suspected=bool(request.POST.get(robots.TRAP)) or age < robots.SHORTEST,
        )
        return HttpResponseRedirect(reverse(f"form-thanks-{self.form.name}"), status=HTTPStatus.SEE_OTHER)

    def refuse(self, values: dict[str, str], stamp: str, error: ApiError) -> HttpResponse:
        """The form with what was typed, which can be sent again as it is once Retry-After is over."""
        wait = error.headers["Retry-After"]
        problem = TOO_MANY if isinstance(error, RateLimited) else OUT_OF_ORDER
        response = self.show(
            values,
            self.new_stamp() if robots.age_of(stamp, self.form.name) is None else stamp,
            notice=f"{problem} Send this one again in {wait} second{'' if wait == '1' else 's'}.",
            status=error.status_code,
        )
        for name, value in error.headers.items():
            response[name] = value
        return response

    def new_stamp(self) -> str:
        """For a form shown again: what is in it was typed already, so whoever sends it at once is no robot."""
        return robots.stamp(self.form.name, age=robots.SHORTEST)

    def show(
        self,
        values: dict[str, str],
        stamp: str,
        *,
        errors: Any = None,
        notice: str = "",
        status: int = HTTPStatus.OK,
    ) -> HttpResponse:
        context = {
            "form": self.form,
            "fields": page_fields(self.form, values, errors or {}),
            "has_errors": bool(errors),
            "notice": notice,
            "stamp": stamp,
            "stamp_name": robots.STAMP,
            "trap": robots.TRAP,
        }
        return self.render_page("forms/form.html", context, status=status)


class ThanksPage(PageView):
    """GET /forms/{name}/thanks → 200, the page that a sent form leads to."""

    section = "forms"
    form: Form = cast(Form, None)  # as_view(form=…) gives it.
    cache_control = PRIVATE

    def get(self, request: HttpRequest) -> HttpResponse:
        return self.render_page("forms/thanks.html", {"form": self.form})
