"""The routes of logging in to the admin with the identity provider, below config.paths.PROVIDER_LOGIN."""

from django.urls import path

from accounts import provider_login

urlpatterns = [
    path("", provider_login.begin),
    path("callback/", provider_login.finish),
]
