from collections.abc import Callable
from typing import Any

from django.http.response import HttpResponseBase
from drf_spectacular.utils import extend_schema
from rest_framework import status
from rest_framework.decorators import action
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.viewsets import ViewSet

from config import paths
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
from forms.serializers import FormSerializer, SubmissionSerializer

RATE_LIMIT_HEADERS = [sends("RateLimit"), sends("RateLimit-Policy")]


class FormViewSet(ApiView, ViewSet):
    """The public forms. Each has an action of its own, made from its declaration: the document names its body.

    GET /api/forms → 200, the public forms with their JSON Schemas.
    POST /api/forms/{name} → 201 {id, form, createdAt}; the same answer to the same content within ten minutes.

    Posts are limited per client and in total: 429 with Retry-After. Every answer has RateLimit-Policy and RateLimit
    (forms.request_checks adds them to answers to requests that were not counted).
    """

    permission_classes = (AllowAny,)
    public_read = True
    form: Form | None = None
    """The form of the action. None for the list."""
    usage: Usage | None = None

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        """Count each post, also one that is refused here, so that its answer has the headers."""
        try:
            super().initial(request, *args, **kwargs)
        finally:
            if self.form and request.method == "POST":
                self.usage = LIMITS.count(self.form.name, request.META)

    @extend_schema(
        operation_id="listForms",
        summary="List the forms",
        description="Public. Each has the JSON Schema of its body, from which a client can draw the form.",
        parameters=RATE_LIMIT_HEADERS,
        responses=FormSerializer(many=True),
    )
    def list(self, request: Request) -> Response:
        return Response([represent(form) for form in FORMS.values()])

    def submit(self, request: Request, form: Form) -> Response:
        serializer = form.serializer(data=request.data)
        serializer.is_valid(raise_exception=True)
        submission = services.submit(
            form=form.name,
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


def action_of(form: Form) -> Callable[..., Response]:
    """Return the action that takes one form, documented with that form's body."""

    def send(self: FormViewSet, request: Request) -> Response:
        return self.submit(request, form)

    send.__name__ = f"send_{form.name.replace('-', '_')}"
    described = extend_schema(
        operation_id=f"send{form.name.title().replace('-', '')}Form",
        summary=f"Send the form {form.name}",
        description=f"{form.description} Public, and limited per client and in total. The same content within ten"
        " minutes gets the same answer.",
        parameters=RATE_LIMIT_HEADERS,
        request=form.serializer,
        responses={201: SubmissionSerializer},
    )
    routed = action(
        detail=False, methods=["post"], url_path=form.name, url_name=form.name, form=form, public_read=False
    )
    return described(routed(send))


for each in map(action_of, FORMS.values()):
    setattr(FormViewSet, each.__name__, each)


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
