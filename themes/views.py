from django.db.models import QuerySet
from drf_spectacular.utils import extend_schema, extend_schema_view
from rest_framework.mixins import RetrieveModelMixin
from rest_framework.permissions import SAFE_METHODS, BasePermission
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView
from rest_framework.viewsets import GenericViewSet

from config.api.errors import PermissionRefused
from config.api.schema import refusals
from config.api.views import ApiView, PatchMixin
from themes.models import Theme
from themes.serializers import ThemeQuery, ThemeSerializer, list_themes


class IsOwnerOrStaffToChange(BasePermission):
    message = "Only the owner of a theme and staff may change it."

    def has_permission(self, request: Request, view: APIView) -> bool:
        return request.method in SAFE_METHODS or request.user.is_authenticated

    def has_object_permission(self, request: Request, view: APIView, theme: Theme) -> bool:
        return request.method in SAFE_METHODS or theme.owner_id == request.user.pk or request.user.is_staff


@extend_schema_view(
    list=extend_schema(
        operation_id="listThemes",
        summary="List themes",
        description="Public. All themes, or those of some types, by type, identifier and id.",
        responses=ThemeSerializer(many=True),
    ),
    retrieve=extend_schema(
        operation_id="getTheme",
        summary="Read a theme",
        description="Public. Its type, its identifier, and its name and description in each language.",
    ),
    partial_update=extend_schema(
        operation_id="updateTheme",
        summary="Change a theme",
        description="For its owner and for staff. An identifier is unique within its type. Only staff may change"
        " userId. labels and description are replaced as a whole.",
        responses={200: ThemeSerializer, **refusals(PermissionRefused)},
    ),
)
class ThemeViewSet(PatchMixin, RetrieveModelMixin, ApiView, GenericViewSet):
    """Themes: what boards are about.

    GET /api/themes?types=a,b → 200, an array ordered by type, identifier and id. Public.
    GET /api/themes/{id} → 200. Public.
    PATCH /api/themes/{id} → 200; the owner and staff. 400 for an identifier that another theme of the type has. Honours
    If-Match.
    """

    queryset = Theme.objects.none()
    serializer_class = ThemeSerializer
    permission_classes = (IsOwnerOrStaffToChange,)
    pagination_class = None
    lookup_value_converter = "any_uuid"
    public_read = True
    queries = {"list": (ThemeQuery,)}

    def get_queryset(self) -> QuerySet[Theme]:
        themes = Theme.objects.all()
        return themes.select_for_update(of=("self",)) if self.action == "partial_update" else themes

    def list(self, request: Request) -> Response:
        return Response(list_themes(request.query_params))
