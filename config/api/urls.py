from django.urls import path

from config.api.openapi import DocsView, OpenApiView

urlpatterns = [
    path("docs", DocsView.as_view(), name="docs"),
    path("openapi.json", OpenApiView.as_view(), name="openapi"),
]
