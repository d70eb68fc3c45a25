from django.db.models import QuerySet
from drf_spectacular.utils import extend_schema, extend_schema_view
from rest_framework.mixins import ListModelMixin, RetrieveModelMixin
from rest_framework.viewsets import GenericViewSet

from config.api.views import ApiView, PatchMixin
from themes.models import Theme
from themes.permissions import IsOwnerOrStaffToChange
from themes.serializers import ThemeQuery, ThemeSerializer


@extend_schema_view(list=extend_schema(parameters=[ThemeQuery]))
class ThemeViewSet(PatchMixin, ListModelMixin, RetrieveModelMixin, ApiView, GenericViewSet):
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
    lookup_value_converter = "uuid"
    public_read = True

    def get_queryset(self) -> QuerySet[Theme]:
        themes = Theme.objects.ordered_by_type()
        if self.action == "list":
            return themes.of_types(ThemeQuery.parse(self.request.query_params).get("types", []))
        return themes.select_for_update(of=("self",)) if self.action == "partial_update" else themes
