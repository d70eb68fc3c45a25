from django.urls import path

from voting.views import VotingViewSet

urlpatterns = [
    path("voting", VotingViewSet.as_view({"get": "list"}), name="voting-list"),
    path("voting/<any_uuid:board_id>", VotingViewSet.as_view({"put": "update"}), name="voting-detail"),
]
