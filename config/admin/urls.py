"""The admin's routes: Django's, with limited logins and a log out that clears the cache."""

from django.contrib import admin
from django.urls import path

from config.admin.login import login, logout, password_change

urlpatterns = [
    path("login/", login),
    path("logout/", logout),
    path("password_change/", password_change),
    path("", admin.site.urls),
]
