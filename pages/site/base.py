"""What all pages for people have in common, and what pages with lists share."""

from collections.abc import Callable, Mapping, Sequence
from http import HTTPStatus
from typing import Any, ClassVar
from urllib.parse import urlencode, urlsplit

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.utils.cache import patch_vary_headers
from django.views import View
from django.views.decorators.csrf import csrf_exempt
from rest_framework.exceptions import ValidationError

from accounts.models import Account
from config import paths
from config.api.conditional import make_conditional
from config.api.errors import ApiError, MethodNotAllowed, PermissionRefused, ValidationFailed, field_errors
from config.api.pagination import MAX_PAGE, NaturalField, Page
from config.api.serializers import QuerySerializer
from config.api.views import PRIVATE, PUBLIC_PAGE
from config.edge.error_page import answer_error
from config.edge.limits.read_limit import count_change
from config.edge.reader import can_sign_in, frame_of, has_session, reader_of
from config.values.web_addresses import own_path


class PageView(View):
    """The base of all pages: an ETag and cache headers like the API's reads, and an error as a page.

    Under /api an error is JSON, as everywhere there. Pages know no tokens. Whoever sends no session gets what all get.
    An answer to whoever sends one is private, and no cache keeps it.
    """

    section: ClassVar[str] = ""
    noindex: bool = False
    """Whether the page asks search engines to leave it out."""
    is_unlisted: bool = False
    """Whether a header asks for the same, which is for answers without a head of their own."""
    is_anonymous: ClassVar[bool] = False
    """Whether `post` does for anybody what it does for its caller. It needs no token, and is for this site's pages."""
    vary: ClassVar[Sequence[str]] = ("Accept-Language",)
    cache_control: str = PUBLIC_PAGE

    @classmethod
    def as_view(cls, **initkwargs: Any) -> Callable[..., HttpResponseBase]:
        """Skip the CSRF check for a page without `post`, so that a wrong method is a 405 and not a failed check.

        A page with a form whose `post` is anonymous needs no token either, and stays the same for everybody.
        """
        view = super().as_view(**initkwargs)
        return csrf_exempt(view) if cls.is_anonymous or not hasattr(cls, "post") else view

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        is_own = has_session(request)
        if is_own:
            request.META.pop("HTTP_IF_NONE_MATCH", None)  # It names a public copy, from before signing in.
        try:
            if request.method == "POST":
                self.check_post(request)
            response = super().dispatch(request, *args, **kwargs)
        except (ApiError, ValidationError) as error:
            return self.refuse(explain(error))
        if self.vary:
            patch_vary_headers(response, self.vary)
        if self.is_unlisted:
            response["X-Robots-Tag"] = "noindex"
        if is_own:
            response["Cache-Control"] = PRIVATE
            del response["ETag"]
        response.setdefault("Cache-Control", self.cache_control)
        is_cacheable = response.status_code == HTTPStatus.OK and response["Cache-Control"] != PRIVATE
        return make_conditional(request, response) if isinstance(response, HttpResponse) and is_cacheable else response

    def refuse(self, error: ApiError) -> HttpResponse:
        return answer_error(self.request, error)

    def check_post(self, request: HttpRequest) -> None:
        """Count what the reader changes. Signing out and the end of an impersonation are never refused for too much."""
        if self.is_anonymous:
            refuse_other_sites(request)
        reader = reader_of(request)
        if reader is not None and not paths.is_under(request.path_info, paths.SIGN_OUT, paths.IMPERSONATION):
            count_change(request, reader.pk)

    def hide(self) -> None:
        """Let no cache keep the answer, and no search engine."""
        self.cache_control, self.noindex, self.is_unlisted = PRIVATE, True, True

    @property
    def reader(self) -> Account | None:
        """Return the account that is signed in, or None."""
        return reader_of(self.request)

    def http_method_not_allowed(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        response = answer_error(request, MethodNotAllowed())
        response["Allow"] = ", ".join(verb.upper() for verb in self.http_method_names if hasattr(self, verb))
        return response

    def render_page(
        self, template: str, context: dict[str, Any], *, path: str = "", status: int = HTTPStatus.OK
    ) -> HttpResponse:
        """Render a template. `path` is that of the canonical address, by default the request's own."""
        shared = {
            "section": self.section,
            "noindex": self.noindex,
            "canonical": settings.PUBLIC_BASE_URL + (path or self.request.path),
            **frame_of(self.request),
        }
        return render(self.request, template, {**shared, **context}, status=status)


class SeeOther(HttpResponseRedirect):
    """Lead a browser to a page after it has sent a form."""

    status_code = HTTPStatus.SEE_OTHER


class MemberPage(PageView):
    """The base of pages for whoever is signed in. Everybody else is led to sign in, and then back."""

    cache_control = PRIVATE
    noindex = True

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        if reader_of(request) is None:
            return lead_to_sign_in(request)
        return super().dispatch(request, *args, **kwargs)

    @property
    def member(self) -> Account:
        """Return the account that is signed in."""
        return reader_of(self.request)


def lead_to_sign_in(request: HttpRequest) -> HttpResponseRedirect:
    """Lead a stranger to sign in, and then back here. After a post, to the page that has the form."""
    if not can_sign_in():
        raise Http404
    is_read = request.method in ("GET", "HEAD")
    back = request.get_full_path() if is_read else path_of_referer(request)
    redirect = HttpResponseRedirect if is_read else SeeOther
    response = redirect(path_with_query(paths.SIGN_IN, {"next": back}))
    response["Cache-Control"] = PRIVATE
    return response


def path_of_referer(request: HttpRequest) -> str:
    """Return the path and query of the page of this site that a form was sent from, or "/"."""
    try:
        address = urlsplit(request.headers.get("Referer", ""))
    except ValueError:  # "http://[" is not an address
        return "/"
    is_own = address.netloc in (request.get_host(), urlsplit(settings.PUBLIC_BASE_URL).netloc)
    return own_path(address._replace(scheme="", netloc="", fragment="").geturl(), "/") if is_own else "/"


def refuse_other_sites(request: HttpRequest) -> None:
    """Raise PermissionRefused for a post from a page of another site, so that no site has its visitors send it.

    Browsers say where a post comes from (Fetch Metadata), and old ones its origin at least. Programs say neither.
    """
    site = request.headers.get("Sec-Fetch-Site")
    if site is None and (origin := request.headers.get("Origin")):
        own = (settings.PUBLIC_BASE_URL, f"{request.scheme}://{request.get_host()}")
        site = "same-origin" if origin in own else "cross-site"
    if site not in (None, "same-origin", "none"):
        raise PermissionRefused("This form can only be sent from this site. Open the page here and send it again.")


def explain(error: ApiError | ValidationError) -> ApiError:
    """Return an error that a page can show: for wrong parameters, what is wrong with each, "show: Name hands …"."""
    if isinstance(error, ApiError):
        return error
    fields = field_errors(error.detail)
    text = " ".join(f"{name}: {reason['message']}" for name, reasons in fields.items() for reason in reasons)
    return ValidationFailed(text, meta={"fields": fields})


class PageNumberQuery(QuerySerializer):
    page = NaturalField(default=1, min_value=1, max_value=MAX_PAGE)


def page_context(page: Page, path: str, **parameters: str) -> dict[str, Any]:
    """Return the page, its own path, and those of the pages beside it. The first one has no number."""

    def path_of(number: int) -> str:
        return path_with_query(path, {**parameters, "page": str(number) if number > 1 else ""})

    addresses = {relation: path_of(number) for relation, number in page.neighbours.items()}
    return {"page": page, "pages": addresses, "path": path_of(page.page)}


def path_with_query(path: str, parameters: Mapping[str, str]) -> str:
    """Return the address of a page with these parameters, but for blank ones."""
    query = urlencode({name: value for name, value in parameters.items() if value})
    return f"{path}?{query}" if query else path
