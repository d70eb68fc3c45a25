from django.urls import path

from accounts.signing_in import back_channel, members
from config.paths import BACK_CHANNEL_LOGOUT, SIGN_IN, SIGN_OUT, SIGNED_OUT, as_route

urlpatterns = [
    path(as_route(SIGN_IN), members.SignInPage.as_view(), name="sign-in"),
    path(f"{as_route(SIGN_IN)}/callback", members.CallbackPage.as_view(), name="sign-in-callback"),
    path(
        as_route(BACK_CHANNEL_LOGOUT),
        back_channel.BackChannelLogout.as_view(),
        name="back-channel-logout",
    ),
    path(as_route(SIGN_OUT), members.SignOut.as_view(), name="sign-out"),
    path(as_route(SIGNED_OUT), members.SignedOutPage.as_view(), name="signed-out"),
]
