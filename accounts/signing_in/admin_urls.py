"""The routes of logging in to the admin with the identity provider, below config.paths.PROVIDER_LOGIN."""

from django.urls import path

from accounts.signing_in import admin

urlpatterns = [
    path("", admin.begin),
    path("callback/", admin.finish),
]
