"""A collection in a frame on another site."""

from uuid import UUID

from django.contrib.auth.models import AnonymousUser
from django.http import HttpRequest, HttpResponse
from django.urls import reverse

from boards.collections.reading import read_contents
from boards.models.names import full_name_of
from pages.collections.finding import find_collection, hide
from pages.sharing.embed import FramedPage


class CollectionEmbed(FramedPage):
    """GET /collections/{id}/embed → 200: the names of its boards with their notes, or 404.

    A frame shows what a stranger may read, whoever is signed in: nothing private stands in another site's page.
    """

    def get(self, request: HttpRequest, pk: UUID) -> HttpResponse:
        stranger = AnonymousUser()
        collection = find_collection(pk, stranger)
        contents = read_contents(collection, stranger)
        context = {
            "collection": collection,
            "boards": [(entry, full_name_of(entry.board) or "Untitled board") for entry in contents.boards],
        }
        path = reverse("collection-page", args=[pk])
        return hide(collection, self.render_page("boards/collections/embed.html", context, path=path))
