from django.urls import path

from boards.members.editing import EditPage
from boards.members.own_boards import OwnBoardsPage
from boards.members.uploads import PreviewPage, UploadPage
from config.paths import ACCOUNT, MEMBER_UPLOAD, as_route

urlpatterns = [
    path(as_route(f"{ACCOUNT}/boards"), OwnBoardsPage.as_view(), name="own-boards"),
    path(as_route(MEMBER_UPLOAD), UploadPage.as_view(), name="own-upload"),
    path(as_route(f"{MEMBER_UPLOAD}/<any_uuid:upload_id>"), PreviewPage.as_view(), name="own-preview"),
    path("boards/<any_uuid:pk>/edit", EditPage.as_view(), name="board-edit"),
]
