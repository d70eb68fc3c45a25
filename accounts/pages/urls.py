from django.urls import path

from accounts.pages import devices, views
from config.paths import ACCOUNT, as_route

urlpatterns = [
    path(as_route(ACCOUNT), views.AccountPage.as_view(), name="account"),
    path(f"{as_route(ACCOUNT)}/data.json", views.DataDownload.as_view(), name="account-data"),
    path(f"{as_route(ACCOUNT)}/delete", views.DeletePage.as_view(), name="account-delete"),
    path(f"{as_route(ACCOUNT)}/deleted", views.DeletedPage.as_view(), name="account-deleted"),
    path(f"{as_route(ACCOUNT)}/devices", devices.DevicesPage.as_view(), name="devices"),
]
