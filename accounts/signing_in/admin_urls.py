"""The admin's routes: Django's, with limited logins, the identity provider, and a log out that clears the cache."""

from django.contrib import admin
from django.urls import path

from accounts.signing_in import passwords
from accounts.signing_in.admin import begin, finish
from config.paths import ADMIN, PROVIDER_LOGIN

PROVIDER = PROVIDER_LOGIN.removeprefix(f"{ADMIN}/")

urlpatterns = [
    path(f"{PROVIDER}/", begin),
    path(f"{PROVIDER}/callback/", finish),
    path("login/", passwords.login),
    path("logout/", passwords.logout),
    path("password_change/", passwords.password_change),
    path("", admin.site.urls),
]
