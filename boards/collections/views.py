from collections.abc import Callable, Sequence
from typing import Any
from uuid import UUID

from django.http import QueryDict
from drf_spectacular.utils import extend_schema, extend_schema_view
from rest_framework import status
from rest_framework.permissions import SAFE_METHODS, BasePermission
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView
from rest_framework.viewsets import GenericViewSet, ViewSet

from accounts.authentication import AccountRequest, missing_token
from accounts.models import Account
from boards.collections import services
from boards.collections.reading import (
    CollectionList,
    collections_of,
    public_collections,
    read_collections,
    read_contents,
)
from boards.collections.serializers import (
    CollectionChangesSerializer,
    CollectionPageSerializer,
    CollectionQuery,
    CollectionSerializer,
    CollectionSummarySerializer,
    NewCollectionSerializer,
    PutBoardSerializer,
    WholeBoardsQuery,
)
from boards.collections.services import CollectionEntry, Texts
from boards.models import MAX_BOARDS, MAX_COLLECTIONS, Collection
from boards.querysets import CollectionQuerySet
from boards.searching.parameters import ME
from config.api.conditional import check_if_match
from config.api.errors import LimitReached, PermissionRefused
from config.api.pagination import CursorPageQuery, cursor_list
from config.api.schema import refusals
from config.api.schema_components import sends
from config.api.views import (
    PRIVATE,
    ApiView,
    DeleteMixin,
    PatchMixin,
    compares_if_match,
    require_body,
    stored_response,
)
from config.database.transactions import retried_transaction


class IsSignedInToChange(BasePermission):
    """Let everybody read collections that are not private. boards.collections.services asks who owns one."""

    message = "Sign in to make and to change collections."

    def has_permission(self, request: Request, view: APIView) -> bool:
        return request.method in SAFE_METHODS or request.user.is_authenticated


@extend_schema_view(
    list=extend_schema(
        operation_id="listCollections",
        summary="List collections",
        description="Public. The public collections, newest first. With `owner`, those of one account; with"
        " `owner=me`, all of your own, including private ones and those by link.",
        parameters=[sends("Link", 200)],
        responses=CollectionPageSerializer,
    ),
    create=extend_schema(
        operation_id="createCollection",
        summary="Make a collection",
        description="If you made the same collection within the last ten minutes, the answer is a 200 with that one."
        f" An account can have {MAX_COLLECTIONS} collections, and a collection {MAX_BOARDS} boards.",
        parameters=[sends("Location", 200, 201)],
        request=NewCollectionSerializer,
        responses={201: CollectionSerializer, 200: CollectionSerializer, **refusals(LimitReached, PermissionRefused)},
    ),
    retrieve=extend_schema(
        operation_id="getCollection",
        summary="Read a collection",
        description="Public for public collections and those by link. Only its owner can read a private one."
        " `boards=full` adds the boards themselves; to change the collection, send the ETag of an answer"
        " without them.",
        responses=CollectionSerializer,
    ),
    partial_update=extend_schema(
        operation_id="updateCollection",
        summary="Change a collection",
        description="For its owner. `boards` replaces all boards and their notes, except hidden ones, which move to"
        " the end. Fields that you do not send stay unchanged. Where members do not publish, a public"
        " collection can only be made private or by link, and boards can be taken out.",
        request=CollectionChangesSerializer,
        responses={200: CollectionSerializer, **refusals(PermissionRefused, LimitReached)},
    ),
    destroy=extend_schema(
        operation_id="deleteCollection",
        summary="Delete a collection",
        description="For its owner. Its boards stay.",
        responses={204: None, **refusals(PermissionRefused)},
    ),
)
class CollectionViewSet(PatchMixin, DeleteMixin, ApiView, GenericViewSet):
    """Collections of boards. Everybody may read public ones, and whoever has the id those by link.

    GET /api/collections?page&pageSize&owner → 200, newest first. With after=… of pagination.nextCursor instead of a
    page.
    POST /api/collections {title, description?, language?, visibility?, boards? | fromSearch?} → 201 with Location, or
    200 with the collection that was made by the same request before. 409 limit_reached.
    GET /api/collections/{id} → 200 with its boards in order; with ?boards=full each has all of the board.
    PATCH → 200 and DELETE → 204, for the owner; both honour If-Match. 403 for others who may read it, 404 for those who
    may not.
    """

    queryset = Collection.objects.none()
    serializer_class = CollectionChangesSerializer
    permission_classes = (IsSignedInToChange,)
    lookup_value_converter = "any_uuid"
    public_read = True
    queries = {"list": (CursorPageQuery, CollectionQuery), "retrieve": (WholeBoardsQuery,)}
    etag_methods = ApiView.etag_methods | {"POST"}

    request: AccountRequest  # of a caller with a token, but for reading

    def get_queryset(self) -> CollectionQuerySet:
        return Collection.objects.readable_by(self.request.user).select_related("owner")

    def get_object(self) -> Collection:
        """Return the collection, locked for a request that changes it."""
        if self.action in ("partial_update", "destroy"):
            return services.lock_own(account=self.request.user, collection_id=self.kwargs["pk"])
        return super().get_object()

    def represent(self, instance: Collection, *, with_boards: bool = False) -> dict[str, Any]:
        return represent_collection(self.request, instance, with_boards=with_boards)

    def list(self, request: Request) -> Response:
        query = request.query_params
        listed = self.find_list(query)
        found = read_collections(listed, CursorPageQuery.parse_for(query, listed.letter), request.user)
        context = self.get_serializer_context()
        collections = CollectionSummarySerializer(found.collections, many=True, context=context).data
        pagination, link = cursor_list(found.page, found.next_cursor, request.path, query, CollectionQuery)
        return Response({"collections": collections, "pagination": pagination}, headers={"Link": link})

    def find_list(self, query: QueryDict) -> CollectionList:
        """Return the list that the query asks for. Raise NotAuthenticated where nobody is `me`."""
        owner = CollectionQuery.parse(query).get("owner")
        if owner == ME and not self.request.user.is_authenticated:
            raise missing_token("owner=me needs a bearer token: send Authorization: Bearer <ACCESS_TOKEN>.")
        return collections_of(self.request.user) if owner == ME else public_collections(owner)

    def retrieve(self, request: Request, pk: UUID) -> Response:
        """Answer with the collection. No cache may keep one by link: its owner may take it back."""
        with_boards = bool(WholeBoardsQuery.parse(request.query_params).get("boards"))
        collection = self.get_object()
        headers = {} if collection.is_public else {"Cache-Control": PRIVATE}
        return Response(self.represent(collection, with_boards=with_boards), headers=headers)

    def create(self, request: AccountRequest) -> Response:
        new = self.get_serializer(data=request.data)
        new.is_valid(raise_exception=True)
        places = new.validated_data.pop("places", ())
        return self.make(request.user, Texts(**new.validated_data), places)

    @retried_transaction
    def make(self, owner: Account, texts: Texts, places: Sequence[CollectionEntry]) -> Response:
        """Make the collection, and read the answer in the same transaction, before anybody can change it."""
        collection, created = services.create_collection(owner=owner, texts=texts, places=places)
        body = self.represent(collection)
        return stored_response(body, created=created, route="collection-detail", key=collection.pk)

    def get_serializer_class(self) -> type:
        return NewCollectionSerializer if self.action == "create" else CollectionChangesSerializer

    def perform_update(self, serializer: Any) -> None:
        services.change_collection(collection=serializer.instance, owner=self.request.user, **serializer.validated_data)

    def perform_destroy(self, instance: Collection) -> None:
        services.delete_collection(instance)


def represent_collection(request: AccountRequest, collection: Collection, *, with_boards: bool = False) -> Any:
    """Return what GET answers this caller for a collection."""
    contents = read_contents(collection, request.user, with_boards=with_boards)
    return CollectionSerializer(contents, context={"request": request, "whole": contents.whole}).data


class CollectionBoardViewSet(ApiView, ViewSet):
    """The boards of a collection one at a time, for its owner.

    PUT /api/collections/{id}/boards/{boardId} {note?, seat?, step?, position?} → 204; 409 limit_reached.
    DELETE → 204. 404 for a board that the caller may not see, or that is not in the collection.
    Both honour If-Match with the ETag of the collection.
    """

    permission_classes = (IsSignedInToChange,)
    lookup_url_kwarg = "board_id"
    lookup_value_converter = "any_uuid"

    @extend_schema(
        operation_id="addBoardToCollection",
        summary="Add a board to a collection, or move it",
        description="For the owner of the collection. Any board that you may see. An empty object adds it at the end."
        " If-Match takes the ETag of the collection.",
        request=PutBoardSerializer,
        responses={204: None, **refusals(PermissionRefused, LimitReached)},
    )
    @compares_if_match
    def update(self, request: AccountRequest, pk: UUID, board_id: UUID) -> Response:
        require_body(request)
        place = PutBoardSerializer(data=request.data)
        place.is_valid(raise_exception=True)
        return self.change(request, services.put_board, pk, board_id=board_id, **place.validated_data)

    @extend_schema(
        operation_id="removeBoardFromCollection",
        summary="Take a board out of a collection",
        description="For the owner of the collection. The board itself stays. If-Match takes the ETag of the"
        " collection.",
        responses={204: None, **refusals(PermissionRefused)},
    )
    @compares_if_match
    def destroy(self, request: AccountRequest, pk: UUID, board_id: UUID) -> Response:
        return self.change(request, services.remove_board, pk, board_id=board_id)

    @retried_transaction
    def change(self, request: AccountRequest, service: Callable[..., None], pk: UUID, **values: Any) -> Response:
        """Compare If-Match with the collection, which stays locked while a service changes it."""
        if "If-Match" in request.headers:
            collection = services.lock_own(account=request.user, collection_id=pk)
            check_if_match(request, represent_collection(request, collection))
        service(account=request.user, collection_id=pk, **values)
        return Response(status=status.HTTP_204_NO_CONTENT)
