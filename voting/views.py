from uuid import UUID

from drf_spectacular.utils import extend_schema
from rest_framework import status
from rest_framework.permissions import IsAuthenticated
from rest_framework.response import Response
from rest_framework.viewsets import ViewSet

from accounts.authentication import AccountRequest
from config.api.views import ApiView
from voting import services
from voting.serializers import VOTE, OwnVotesSerializer, VoteSerializer, VotesQuery


class VotingViewSet(ApiView, ViewSet):
    """Votes on boards, for every caller with a token.

    PUT /api/voting/{boardId} {"vote": "up" | "down" | "none"} → 204; 404 for an unknown or unpublished board.
    GET /api/voting?boardIds=a,b → 200 {"votes": {boardId: "up" | "down"}}, the caller's own votes. It may be repeated.
    """

    permission_classes = (IsAuthenticated,)
    lookup_url_kwarg = "board_id"
    lookup_value_converter = "any_uuid"
    queries = {"list": (VotesQuery,)}

    @extend_schema(
        operation_id="getMyVotes",
        summary="Read your own votes",
        description="Boards that you have not voted on, or that do not exist, are left out.",
        responses=OwnVotesSerializer,
    )
    def list(self, request: AccountRequest) -> Response:
        board_ids = VotesQuery.parse(request.query_params)["boardIds"]
        votes = services.get_votes_by_board(account=request.user, board_ids=board_ids)
        return Response({"votes": {str(board_id): vote for board_id, vote in votes.items()}})

    @extend_schema(
        operation_id="setVote",
        summary="Vote on a board",
        description="The last vote counts. Only published boards can be voted on.",
        request=VoteSerializer,
        responses={204: None},
    )
    def update(self, request: AccountRequest, board_id: UUID) -> Response:
        value = VOTE.run_validation(request.data)["vote"]
        services.cast_vote(account=request.user, board_id=board_id, value=value)
        return Response(status=status.HTTP_204_NO_CONTENT)
