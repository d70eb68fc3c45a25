"""What may stand in a path."""

from django.urls.converters import UUIDConverter


class AnyCaseUuidConverter(UUIDConverter):
    """`<any_uuid:pk>` in a route: a uuid in either case (RFC 9562 §4). The service itself writes lower case.

    Django's own `uuid` knows lower case alone, and overriding it ends with Django 6.
    """

    regex = "[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}"
