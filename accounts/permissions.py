"""Who may do what with an account: one class for each sentence of the policy."""

from rest_framework.permissions import SAFE_METHODS, BasePermission
from rest_framework.request import Request
from rest_framework.views import APIView

from accounts.identifiers import SYSTEM
from accounts.models import Account


class IsStaff(BasePermission):
    message = "Only support staff and admins may do that."

    def has_permission(self, request: Request, view: APIView) -> bool:
        return request.user.is_staff


class IsSelfOrStaffToChange(BasePermission):
    message = "Only the account itself and staff may change an account."

    def has_object_permission(self, request: Request, view: APIView, account: Account) -> bool:
        return request.method in SAFE_METHODS or account == request.user or request.user.is_staff


class NobodyChangesTheSystem(BasePermission):
    message = "Nobody may change the account that owns the reference data."

    def has_object_permission(self, request: Request, view: APIView, account: Account) -> bool:
        return request.method in SAFE_METHODS or account.pk != SYSTEM


class OnlyAdminsChangeStaff(BasePermission):
    message = "Only admins may change the account of another member of staff."

    def has_object_permission(self, request: Request, view: APIView, account: Account) -> bool:
        others = account.is_staff and account != request.user
        return request.method in SAFE_METHODS or not others or request.user.is_superuser
