from rest_framework.permissions import BasePermission
from rest_framework.request import Request
from rest_framework.views import APIView

from deals.authentication import SERVICE


class HasApiKey(BasePermission):
    message = "Deals are for services with the API key."

    def has_permission(self, request: Request, view: APIView) -> bool:
        return request.auth == SERVICE
