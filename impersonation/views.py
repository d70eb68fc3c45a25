from django.conf import settings
from django.urls import reverse
from drf_spectacular.utils import extend_schema
from rest_framework import status
from rest_framework.decorators import action
from rest_framework.permissions import IsAuthenticated
from rest_framework.response import Response
from rest_framework.viewsets import ViewSet

from accounts.authentication import AccountRequest, BearerAuthentication
from accounts.permissions import IsStaff
from config.api.errors import AlreadyImpersonating, NotFound, PermissionRefused
from config.api.negotiation import django_request_of
from config.api.schema import refusals
from config.api.schema_components import sends
from config.api.views import ApiView
from impersonation import services
from impersonation.audit import AuditContext
from impersonation.serializers import ActorSerializer, ImpersonationSerializer, StartSerializer, StopSerializer


class ImpersonationViewSet(ApiView, ViewSet):
    """Impersonation, by support and admins, of the accounts of members.

    GET /api/impersonation/current → 200, the caller's running impersonation, or 404.
    POST /api/impersonation/start {accountId, reason, ticket?, ttlMinutes?} → 201. Support and admins. The caller then
    sends X-Impersonation-Id with its own token. Location is the address of the running impersonation, whose ETag the
    answer has. 403 for the caller's own account, staff and inactive accounts; 409 already_impersonating.
    POST /api/impersonation/stop {impersonationId} → 200 {actorId}, also when it has ended; 404 for another actor's. It
    ignores X-Impersonation-Id, so that the actor can stop an impersonation that is no longer valid, and one that was
    started before the actor lost its role.
    """

    permission_classes = (IsAuthenticated,)

    @extend_schema(
        operation_id="getCurrentImpersonation",
        summary="Read your running impersonation",
        description="It is a 404 when none is running.",
        responses={200: ImpersonationSerializer, **refusals(NotFound)},
    )
    @action(detail=False)
    def current(self, request: AccountRequest) -> Response:
        return Response(ImpersonationSerializer(services.get_current(actor_id=request.actor_id)).data)

    @extend_schema(
        operation_id="startImpersonation",
        summary="Start an impersonation",
        description="For support and admins. Then send impersonationId as X-Impersonation-Id, with your own token. Your"
        " own account, staff and inactive accounts cannot be impersonated.",
        parameters=[sends("Location", 201)],
        request=StartSerializer,
        responses={201: ImpersonationSerializer, **refusals(PermissionRefused, AlreadyImpersonating)},
    )
    @action(
        detail=False,
        methods=["post"],
        permission_classes=(IsAuthenticated, IsStaff),
        etag_methods=ApiView.etag_methods | {"POST"},
    )
    def start(self, request: AccountRequest) -> Response:
        serializer = StartSerializer(data=request.data)
        serializer.is_valid(raise_exception=True)
        context = AuditContext.of_request(django_request_of(request), status.HTTP_201_CREATED)
        impersonation = services.start(actor=request.user, context=context, **serializer.validated_data)
        headers = {"Location": f"{settings.PUBLIC_BASE_URL}{reverse('impersonation-current')}"}
        body = ImpersonationSerializer(impersonation).data
        return Response(body, status=status.HTTP_201_CREATED, headers=headers)

    @extend_schema(
        operation_id="stopImpersonation",
        summary="Stop an impersonation",
        description="It may have ended already. X-Impersonation-Id is ignored here.",
        request=StopSerializer,
        responses={200: ActorSerializer, **refusals(NotFound)},
    )
    @action(detail=False, methods=["post"], authentication_classes=(BearerAuthentication,))
    def stop(self, request: AccountRequest) -> Response:
        serializer = StopSerializer(data=request.data)
        serializer.is_valid(raise_exception=True)
        context = AuditContext.of_request(django_request_of(request), status.HTTP_200_OK)
        impersonation = services.stop(actor=request.user, context=context, **serializer.validated_data)
        return Response(ActorSerializer(impersonation).data)
