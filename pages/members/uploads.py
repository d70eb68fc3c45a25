"""A member uploads a file, looks at what it would bring, and imports it: /account/boards/upload."""

from http import HTTPStatus
from math import ceil
from uuid import UUID

from django.conf import settings
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.decorators import method_decorator
from django.views.decorators.csrf import csrf_exempt, csrf_protect

from boards.files.options import ImportOptions
from boards.files.uploading import (
    GONE,
    MAX_UPLOADS,
    boards_left,
    describe_import,
    import_upload,
    read_preview,
    receive,
    take,
    uploads_of,
)
from boards.forms import FileForm, ImportForm
from boards.models import Board, Upload
from boards.services.reviews import NOT_HERE, Publishing, publishing
from config.api.errors import PayloadTooLarge, PermissionRefused
from config.edge.limits import counters, exports
from config.edge.limits.counters import Limit, Usage, parse_rate
from config.edge.security.security_log import log_change
from config.values.words import format_count
from pages.members.own_boards import list_path, make_change
from pages.members.own_evenings import evenings_of
from pages.site.base import MemberPage, SeeOther


@method_decorator(csrf_exempt, name="dispatch")
class UploadPage(MemberPage):
    """GET /account/boards/upload → 200, the form. POST a file → 303 to its preview; 400, 413, 429 with the reason.

    Nothing of a body is parsed before the session is known: so the token is checked here, and not by the middleware.
    """

    section = "own-boards"

    def get(self, request: HttpRequest) -> HttpResponse:
        return self.show(FileForm())

    @method_decorator(csrf_protect)
    def post(self, request: HttpRequest) -> HttpResponse:
        form = FileForm(request.POST, request.FILES)
        if not form.is_valid():
            return self.show(form, HTTPStatus.BAD_REQUEST)
        if settings.MEMBER_UPLOAD_RATE:
            limit = Limit(f"account:{self.member.pk}", *parse_rate(settings.MEMBER_UPLOAD_RATE))
            usage = counters.count("member.uploads", limit)
            if usage.exceeded:
                return self.show_limit(form, usage)
        upload = receive(uploader=self.member, owner=self.member, **form.read())
        return SeeOther(reverse("own-preview", args=[upload.pk]))

    def show_limit(self, form: FileForm, usage: Usage) -> HttpResponse:
        in_hours = usage.wait > 2 * 3600
        wait = format_count(ceil(usage.wait / (3600 if in_hours else 60)), "hour" if in_hours else "minute")
        files = format_count(usage.limit.times, "file")
        form.add_error("file", f"You have uploaded {files}, the limit for now. Send it again in {wait}.")
        response = self.show(form, HTTPStatus.TOO_MANY_REQUESTS)
        response["Retry-After"] = str(usage.wait)
        return response

    def show(self, form: FileForm, status: int = HTTPStatus.OK) -> HttpResponse:
        context = {
            "form": form,
            "max_uploads": MAX_UPLOADS,
            "left": boards_left(self.member.pk, settings.MEMBER_BOARDS),
            "max_boards": settings.MEMBER_BOARDS,
            "rate": settings.MEMBER_UPLOAD_RATE and parse_rate(settings.MEMBER_UPLOAD_RATE),
            "publishing": publishing(),
        }
        return self.render_page("members/uploads/upload.html", context, status=status)


class PreviewPage(MemberPage):
    """GET /account/boards/upload/{id} → 200, what the import of a file would do. 303 to the list when it has gone.

    A file with too many boards for one import → 413, with the ways on.
    POST with `cancel` forgets the file, `draft` imports it as drafts, `publish` also publishes them or asks staff to →
    303 to its evening in the list, to the whole list for a file of several; 400 with what is wrong in the form, or
    when the member may not have so many boards.
    """

    section = "own-boards"

    def get(self, request: HttpRequest, upload_id: UUID) -> HttpResponse:
        return self.answer(upload_id, ImportForm())

    def post(self, request: HttpRequest, upload_id: UUID) -> HttpResponse:
        if "cancel" in request.POST:
            if self.own_upload(upload_id):
                take(uploader=self.member, upload_id=upload_id)
            return SeeOther(list_path())
        return self.answer(upload_id, ImportForm(request.POST))

    def answer(self, upload_id: UUID, form: ImportForm) -> HttpResponse:
        upload = self.own_upload(upload_id)
        try:
            if upload and form.is_valid():
                return self.import_file(upload.pk, form)
            preview = read_preview(upload) if upload else None
        except Upload.DoesNotExist:  # it has gone since
            preview = None
        except PayloadTooLarge as error:
            refused = {"upload": upload, "refusal": error.detail, "is_read": True}
            return self.render_page("members/uploads/preview.html", refused, status=error.status_code)
        if upload is None or preview is None:
            messages.warning(self.request, GONE)
            return SeeOther(list_path())
        left = boards_left(self.member.pk, settings.MEMBER_BOARDS)
        form.initial["theme"] = preview.get("theme")
        context = {
            **preview,
            "form": form,
            "upload": upload,
            "is_read": "new" in preview,
            "left": left,
            "is_too_much": preview.get("new", 0) > left,
            "publishing": publishing(),
        }
        status = HTTPStatus.BAD_REQUEST if form.errors else HTTPStatus.OK
        return self.render_page("members/uploads/preview.html", context, status=status)

    def own_upload(self, upload_id: UUID) -> Upload | None:
        """Return a file that the member uploaded here. One for somebody else came in through the admin."""
        return uploads_of(self.member).filter(owner=self.member, pk=upload_id).defer("content").first()

    def import_file(self, upload_id: UUID, form: ImportForm) -> HttpResponse:
        publishes, mode = "publish" in self.request.POST, publishing()
        if publishes and mode is Publishing.OFF:
            raise PermissionRefused(NOT_HERE)
        at_once = publishes and mode is Publishing.OPEN
        options = ImportOptions(
            themes=form.themes,
            texts=form.texts,
            publish=at_once,  # with the file's rankings
            keep_published=mode is not Publishing.OPEN,
            max_owned=settings.MEMBER_BOARDS,
        )
        with exports.member_permit():
            upload, report = import_upload(uploader=self.member, upload_id=upload_id, options=options)
            log_change("boards_uploaded", boards=report.boards, owner=upload.owner_id)
            messages.success(self.request, describe_import(upload, report, "published" if at_once else "as drafts"))
            if at_once:
                published = len(report.board_ids.keys() - report.doubtful_ids)
                log_change("own_boards_changed", change="publish", boards=published)
            if publishes and not at_once:  # but not what somebody has to look at before
                sound = Board.objects.filter(pk__in=report.board_ids.keys() - report.doubtful_ids)
                messages.success(self.request, make_change("publish", self.member, sound))
        keys = evenings_of(Board.objects.filter(owner=self.member, pk__in=report.board_ids))
        return SeeOther(list_path(evening=keys.pop() if len(keys) == 1 else ""))
