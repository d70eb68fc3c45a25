from django.urls import path

from voting.pages import VotePage

urlpatterns = [path("boards/<any_uuid:pk>/vote", VotePage.as_view(), name="board-vote")]
