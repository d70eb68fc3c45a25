from typing import Any, cast

from django.http.response import HttpResponseBase
from drf_spectacular.utils import extend_schema
from rest_framework import serializers, status
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response

from config import paths
from config.api import fields
from config.api.negotiation import django_request_of
from config.api.openapi import openapi_document
from config.api.schema_components import sends
from config.api.views import ApiView
from config.edge.limits.counters import Usage
from config.edge.limits.posts import add_headers
from config.edge.security.client_address import client_network
from config.values.languages import preferred_language
from forms import services
from forms.declarations import FORMS, Form
from forms.request_checks import LIMITS

RATE_LIMIT_HEADERS = [sends("RateLimit"), sends("RateLimit-Policy")]


class FormSerializer(serializers.Serializer):
    """A public form, and what to send to it."""

    name = serializers.CharField(help_text="The last part of its address.")
    title = serializers.CharField(help_text="A heading for people.")
    description = serializers.CharField(help_text="What the form is for.")
    url = serializers.CharField(help_text="Where to POST it.")
    schema = serializers.DictField(help_text="JSON Schema of the body.")


class SubmissionSerializer(serializers.Serializer):
    """A form that was sent and stored."""

    id = serializers.UUIDField(help_text="The id of what was sent.")
    form = serializers.CharField(help_text="The name of the form.")
    createdAt = fields.TimestampField(
        source="created_at", help_text="When it arrived. The same content within ten minutes is one submission."
    )


class FormListView(ApiView):
    """GET /api/forms → 200, the public forms with their JSON Schemas."""

    permission_classes = (AllowAny,)
    public_read = True

    @extend_schema(
        summary="List the forms",
        description="Public. Each has the JSON Schema of its body, from which a client can draw the form.",
        parameters=RATE_LIMIT_HEADERS,
        responses=FormSerializer(many=True),
    )
    def get(self, request: Request) -> Response:
        return Response([represent(form) for form in FORMS.values()])


class FormView(ApiView):
    """POST /api/forms/{name} → 201 {id, form, createdAt}; the same answer to the same content within ten minutes.

    Public, and limited per client and in total: 429 with Retry-After. Every answer has RateLimit-Policy and RateLimit
    (forms.request_checks adds them to answers to requests that were not counted). Each form has a view of its own, so
    that the OpenAPI document names its body.
    """

    permission_classes = (AllowAny,)
    form: Form = cast(Form, None)  # as_view(form=…) sets it.
    usage: Usage | None = None

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        """Count each post, also one that is refused here, so that its answer has the headers."""
        try:
            super().initial(request, *args, **kwargs)
        finally:
            if request.method == "POST":
                self.usage = LIMITS.count(self.form.name, request.META)

    def post(self, request: Request) -> Response:
        serializer = self.form.serializer(data=request.data)
        serializer.is_valid(raise_exception=True)
        submission = services.submit(
            form=self.form.name,
            data=dict(serializer.data),
            client=client_network(request.META),
            language=preferred_language(django_request_of(request)),
            is_suspected=False,  # The traps for robots are on the pages.
        )
        return Response(SubmissionSerializer(submission).data, status=status.HTTP_201_CREATED)

    def finalize_response(self, request: Request, response: Any, *args: Any, **kwargs: Any) -> HttpResponseBase:
        response = super().finalize_response(request, response, *args, **kwargs)
        add_headers(response, LIMITS.headers(self.usage))
        return response


def make_view(form: Form) -> Any:
    """Return the view of one form, documented with that form's body."""

    class View(FormView):
        __doc__ = form.description

        @extend_schema(
            summary=f"Send the form {form.name}",
            description=f"{form.description} Public, and limited per client and in total. The same content within ten"
            " minutes gets the same answer.",
            parameters=RATE_LIMIT_HEADERS,
            request=form.serializer,
            responses={201: SubmissionSerializer},
        )
        def post(self, request: Request) -> Response:
            return super().post(request)

    return View.as_view(form=form)


def represent(form: Form) -> dict[str, Any]:
    return {
        "name": form.name,
        "title": form.title,
        "description": form.description,
        "url": f"{paths.FORMS}/{form.name}",
        "schema": json_schema(form),
    }


def json_schema(form: Form) -> dict[str, Any]:
    """Return the JSON Schema (2020-12) of a form's body: the one of the OpenAPI document, so that they cannot differ.

    The document leaves out a title that only repeats the property's name, and sorts what is required. Here each
    property has its title and all are in the form's order, so that a client can draw the form from the schema alone.
    """
    document = openapi_document()
    body = document["paths"][f"{paths.FORMS}/{form.name}"]["post"]["requestBody"]
    schema = inline_references(body["content"]["application/json"]["schema"], document["components"]["schemas"])
    properties = {
        name: {"title": str(field.label), **schema["properties"][name]}
        for name, field in form.serializer().fields.items()
    }
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": form.title,
        **schema,
        "properties": properties,
        "required": [name for name in properties if name in schema["required"]],
    }


def inline_references(schema: Any, components: dict[str, Any]) -> Any:
    """Replace each reference by the component that it names, so that the schema needs no other document."""
    match schema:
        case {"$ref": str(reference), **others}:
            return inline_references({**components[reference.rpartition("/")[2]], **others}, components)
        case {"allOf": [only], **others}:
            return inline_references({**only, **others}, components)
        case dict():
            return {name: inline_references(value, components) for name, value in schema.items()}
        case list():
            return [inline_references(value, components) for value in schema]
    return schema
