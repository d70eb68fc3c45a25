from typing import Any

from django.db.models import QuerySet
from drf_spectacular.utils import extend_schema, extend_schema_view
from rest_framework.decorators import action
from rest_framework.mixins import ListModelMixin, RetrieveModelMixin
from rest_framework.permissions import AllowAny, IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.viewsets import GenericViewSet

from accounts.fields import AuctionSystemSerializer
from accounts.models import Account, AuctionSystem
from accounts.permissions import IsSelfOrStaffToChange, NobodyChangesTheSystem, OnlyAdminsChangeStaff
from accounts.serializers import AccountSerializer, OwnAccountSerializer
from config.api.errors import InvalidToken, LastAdmin, PermissionRefused
from config.api.schema import refusals
from config.api.views import ApiView, PatchMixin


@extend_schema_view(
    retrieve=extend_schema(
        operation_id="getAccount",
        summary="Read an account",
        description='For everybody with a token. `email` is "" unless it is public or your own, or you are staff.',
    ),
    partial_update=extend_schema(
        operation_id="updateAccount",
        summary="Change an account",
        description="For the account itself and for staff, each with their own fields. The error names a field that"
        " you may not write.",
        responses={200: AccountSerializer, **refusals(PermissionRefused, LastAdmin)},
    ),
)
class AccountViewSet(PatchMixin, RetrieveModelMixin, ApiView, GenericViewSet):
    """People and organisations.

    GET /api/accounts/me → 200 the caller's own (the impersonated one's under an impersonation), with its permissions.
    GET /api/accounts/{id} → 200; whoever has a token; `email` is "" unless public, one's own, or staff asks.
    PATCH /api/accounts/{id} → 200; the account itself and staff, each their own set of fields. Honours If-Match.
    409 last_admin for a change that would leave no active admin.
    """

    queryset = Account.objects.none()
    serializer_class = AccountSerializer
    permission_classes = (IsAuthenticated, IsSelfOrStaffToChange, NobodyChangesTheSystem, OnlyAdminsChangeStaff)
    lookup_value_converter = "account_id"

    def get_queryset(self) -> QuerySet[Account]:
        accounts = Account.objects.all()
        return accounts.select_for_update(of=("self",)) if self.action == "partial_update" else accounts

    def versions_of(self, instance: Account) -> list[Any]:
        """Accept the ETag of `me` too, which is what a caller has read of its own account as often."""
        versions = super().versions_of(instance)
        if instance == self.request.user:
            versions.append(OwnAccountSerializer(instance, context=self.get_serializer_context()).data)
        return versions

    def perform_update(self, serializer: Any) -> None:
        """Refuse a change of one's own account that was switched off or erased since the token was verified."""
        if serializer.instance.pk == self.request.user.pk and not serializer.instance.is_active:
            raise InvalidToken("This account is not active.")
        super().perform_update(serializer)

    @extend_schema(
        operation_id="getMyAccount",
        summary="Read your own account",
        description="During an impersonation: the impersonated account. `permissions` lists what you may do now.",
        responses=OwnAccountSerializer,
    )
    @action(detail=False, methods=["get"], serializer_class=OwnAccountSerializer)
    def me(self, request: Request) -> Response:
        return Response(self.get_serializer(request.user).data)


@extend_schema_view(
    list=extend_schema(
        operation_id="listAuctionSystems",
        summary="List auction systems",
        description="Public. All auction systems, by sortOrder and identifier.",
    )
)
class AuctionSystemViewSet(ListModelMixin, ApiView, GenericViewSet):
    """GET /api/auction-systems → 200, all of them as an array, by sortOrder and identifier. Public."""

    queryset = AuctionSystem.objects.none()
    serializer_class = AuctionSystemSerializer
    permission_classes = (AllowAny,)
    pagination_class = None
    public_read = True

    def get_queryset(self) -> QuerySet[AuctionSystem]:
        return AuctionSystem.objects.order_by("sort_order", "identifier")
