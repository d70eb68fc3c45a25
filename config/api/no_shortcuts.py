"""/admin/r/{content type}/{id} leads to an object's public page; no model names one, and malformed ids crash it."""

from django.http import Http404, HttpRequest
from django.urls import re_path


def nothing(request: HttpRequest) -> None:
    raise Http404


urlpatterns = [re_path("", nothing)]
