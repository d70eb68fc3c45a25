"""The admin's routes: Django's, with limited logins, the identity provider, and a log out that clears the cache."""

from django.contrib import admin
from django.urls import path

from accounts.signing_in import admin as logging_in
from config.paths import ADMIN, PROVIDER_LOGIN

PROVIDER = PROVIDER_LOGIN.removeprefix(f"{ADMIN}/")

urlpatterns = [
    path(f"{PROVIDER}/", logging_in.begin),
    path(f"{PROVIDER}/callback/", logging_in.finish),
    path("login/", logging_in.login),
    path("logout/", logging_in.logout),
    path("password_change/", logging_in.password_change),
    path("", admin.site.urls),
]
