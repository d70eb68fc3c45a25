"""The page of the list of boards."""

from http import HTTPStatus

from django.http import HttpRequest, HttpResponse, HttpResponseRedirect

from config.values.languages import accepted_languages
from pages.presenters.ballots import ballot_of
from pages.search.gallery import build_gallery, path_with_search
from pages.search.search_form import write_query
from pages.site.base import PageView


class GalleryPage(PageView):
    """GET /boards with the parameters of GET /api/boards → 200, or 400: the form with its errors.

    With fields of pages.search.search_form → 302 to the query that they write.
    """

    section = "boards"

    def get(self, request: HttpRequest) -> HttpResponse:
        if (search := write_query(request.GET)) is not None:
            return HttpResponseRedirect(path_with_search(request.GET, search))
        gallery = build_gallery(request.GET, accepted_languages(request))
        ballot = ballot_of(request, [card.board.pk for card in gallery.cards])
        context = {"gallery": gallery, "ballot": ballot, "noindex": not gallery.is_indexed}
        status = HTTPStatus.BAD_REQUEST if gallery.form.errors else HTTPStatus.OK
        return self.render_page("boards/gallery.html", context, path=gallery.canonical_path, status=status)
