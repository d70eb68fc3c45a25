from rest_framework.permissions import SAFE_METHODS, BasePermission
from rest_framework.request import Request
from rest_framework.views import APIView

from themes.models import Theme


class IsOwnerOrStaffToChange(BasePermission):
    message = "Only the owner of a theme and staff may change it."

    def has_permission(self, request: Request, view: APIView) -> bool:
        return request.method in SAFE_METHODS or request.user.is_authenticated

    def has_object_permission(self, request: Request, view: APIView, theme: Theme) -> bool:
        return request.method in SAFE_METHODS or theme.owner_id == request.user.pk or request.user.is_staff
