"""The admin's routes: Django's, with limited logins."""

from django.contrib import admin
from django.urls import path

from config.admin.login import login, password_change

urlpatterns = [
    path("login/", login),
    path("password_change/", password_change),
    path("", admin.site.urls),
]
