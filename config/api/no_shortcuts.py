"""/admin/r/{content type}/{id} leads to an object's public page; no model names one, and malformed ids crash it."""

from typing import NoReturn

from django.http import Http404, HttpRequest
from django.urls import re_path


def nothing(request: HttpRequest) -> NoReturn:
    raise Http404


urlpatterns = [re_path("", nothing)]
