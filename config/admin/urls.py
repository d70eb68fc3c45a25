"""The admin's routes: Django's, with limited logins and without shortcuts to public pages."""

from typing import NoReturn

from django.contrib import admin
from django.http import Http404, HttpRequest
from django.urls import path, re_path

from config.admin.login import login, password_change


def no_shortcut(request: HttpRequest) -> NoReturn:
    """Answer 404. Django looks for an object's public page here. No model has one, and malformed ids crash it."""
    raise Http404


urlpatterns = [
    path("login/", login),
    path("password_change/", password_change),
    re_path("^r/", no_shortcut),
    path("", admin.site.urls),
]
