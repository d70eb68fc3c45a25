from rest_framework.permissions import SAFE_METHODS, BasePermission
from rest_framework.request import Request
from rest_framework.views import APIView


class IsSignedInToChange(BasePermission):
    """Let everybody read collections that are not private. boards.collections.services asks who owns one."""

    message = "Sign in to make and to change collections."

    def has_permission(self, request: Request, view: APIView) -> bool:
        return request.method in SAFE_METHODS or request.user.is_authenticated
