from typing import Any, cast

from django.http.response import HttpResponseBase
from drf_spectacular.utils import extend_schema
from rest_framework import status
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response

from config.api.views import ApiView
from config.edge.counters import Usage
from forms import limits, robots, services
from forms.declarations import FORMS, Form
from forms.json_schema import json_schema
from forms.serializers import FormSerializer, SubmissionSerializer


class FormListView(ApiView):
    """GET /api/forms → 200, the public forms with their JSON Schemas."""

    permission_classes = (AllowAny,)
    public_read = True

    @extend_schema(responses=FormSerializer(many=True))
    def get(self, request: Request) -> Response:
        return Response([represent(form) for form in FORMS.values()])


class FormView(ApiView):
    """POST /api/forms/{name} → 201 {id, form, createdAt}; the same answer to the same content within ten minutes.

    Public, limited per client and in all: 429 with Retry-After. RateLimit-Policy and RateLimit are on every answer
    (forms.guards gives them to those that were not counted).
    One view a form, so that the schema names each with its own body.
    """

    permission_classes = (AllowAny,)
    form: Form = cast(Form, None)  # as_view(form=…) gives it.
    usage: Usage | None = None

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        """Counted whatever else is wrong with the request, so that the answer to each post bears the headers."""
        try:
            super().initial(request, *args, **kwargs)
        finally:
            if request.method == "POST":
                self.usage = limits.count(request._request, self.form.name)

    def post(self, request: Request) -> Response:
        body, is_suspected = robots.without_trap(request.data)
        serializer = self.form.serializer(data=body)
        serializer.is_valid(raise_exception=True)
        submission = services.submit(
            request=request._request,
            form=self.form.name,
            data=dict(serializer.data),
            is_suspected=is_suspected,
        )
        return Response(SubmissionSerializer(submission).data, status=status.HTTP_201_CREATED)

    def finalize_response(
        self, request: Request, response: Any, *args: Any, **kwargs: Any
    ) -> HttpResponseBase:
        response = super().finalize_response(request, response, *args, **kwargs)
        limits.mark(response, limits.headers(self.usage) if self.usage else {})
        return response


def represent(form: Form) -> dict[str, Any]:
    return {
        "name": form.name,
        "title": form.title,
        "description": form.description,
        "url": f"/api/forms/{form.name}",
        "schema": json_schema(form),
    }


def view_of(form: Form) -> Any:
    """The view of one form, documented with that form's body."""

    class View(FormView):
        __doc__ = form.description

        @extend_schema(request=form.serializer, responses={201: SubmissionSerializer})
        def post(self, request: Request) -> Response:
            return super().post(request)

    return View.as_view(form=form)
