from django.urls import path

from accounts.signing_in import back_channel
from config.paths import BACK_CHANNEL_LOGOUT, as_route

urlpatterns = [
    path(
        as_route(BACK_CHANNEL_LOGOUT),
        back_channel.BackChannelLogout.as_view(),
        name="back-channel-logout",
    ),
]
