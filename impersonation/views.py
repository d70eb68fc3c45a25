from django.conf import settings
from django.urls import reverse
from drf_spectacular.utils import extend_schema
from rest_framework import status
from rest_framework.permissions import IsAuthenticated
from rest_framework.response import Response

from accounts.authentication import AccountRequest, BearerAuthentication
from accounts.permissions import IsStaff
from config.api.errors import AlreadyImpersonating, NotFound
from config.api.schema import refusals
from config.api.views import ApiView
from impersonation import services
from impersonation.serializers import (
    ActorSerializer,
    ImpersonationSerializer,
    StartSerializer,
    StopSerializer,
)


class StartView(ApiView):
    """POST /api/impersonation/start {accountId, reason, ticket?, ttlMinutes?} → 201. Support and admins.

    The caller then adds X-Impersonation-Id to its own token. Location is where the running one is read. 403 for
    oneself, staff and inactive accounts; 409 already_impersonating.
    """

    permission_classes = (IsAuthenticated, IsStaff)

    @extend_schema(
        request=StartSerializer, responses={201: ImpersonationSerializer, **refusals(AlreadyImpersonating)}
    )
    def post(self, request: AccountRequest) -> Response:
        serializer = StartSerializer(data=request.data)
        serializer.is_valid(raise_exception=True)
        impersonation = services.start(
            request=request._request, actor=request.user, **serializer.validated_data
        )
        where = {"Location": f"{settings.PUBLIC_BASE_URL}{reverse('impersonation-current')}"}
        body = ImpersonationSerializer(impersonation).data
        return Response(body, status=status.HTTP_201_CREATED, headers=where)


class StopView(ApiView):
    """POST /api/impersonation/stop {impersonationId} → 200 {actorId}, also when it has ended; 404 for another's.

    Outside the overlay, so that it works for its actor whatever became of the impersonation or of the actor's role.
    """

    authentication_classes = (BearerAuthentication,)
    permission_classes = (IsAuthenticated,)

    @extend_schema(request=StopSerializer, responses={200: ActorSerializer, **refusals(NotFound)})
    def post(self, request: AccountRequest) -> Response:
        serializer = StopSerializer(data=request.data)
        serializer.is_valid(raise_exception=True)
        impersonation = services.stop(
            request=request._request, actor=request.user, **serializer.validated_data
        )
        return Response(ActorSerializer(impersonation).data)


class CurrentView(ApiView):
    """GET /api/impersonation/current → 200 the caller's live impersonation, or 404."""

    permission_classes = (IsAuthenticated,)

    @extend_schema(responses={200: ImpersonationSerializer, **refusals(NotFound)})
    def get(self, request: AccountRequest) -> Response:
        return Response(ImpersonationSerializer(services.current(actor_id=request.actor_id)).data)
