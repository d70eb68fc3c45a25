"""A member writes what all tables of a deal at an event say: /boards/{id}/story."""

from typing import Any

from django import forms
from django.http import QueryDict

from boards.models import Board
from boards.services.reviews import is_told_by_staff
from boards.services.stories import STORY, tables_of
from pages.members.editing import AskedForm, EditPage
from pages.presenters.boards import OwnBoard
from pages.site.two_windows import LineField, LinesField


class StoryForm(AskedForm):
    """What is said of a deal. It stands in each of its tables, and is that of the one from which one came."""

    wire_names = {"dealTitle": "deal_title", "dealCommentary": "deal_commentary"}

    class Meta:
        model = Board
        fields = STORY
        field_classes = {"deal_title": LineField, "deal_commentary": LinesField}
        labels = {"deal_title": "Title", "deal_commentary": "About this deal"}
        widgets = {"deal_commentary": forms.Textarea({"rows": 10})}


class StoryPage(EditPage):
    """GET /boards/{id}/story → 200, the form; 404 for a board of somebody else. POST → 303 to the board.

    400, 409 and 403 as of EditPage. 403 also where staff look at what members write, and readers see a table already.
    """

    template = "members/boards/story.html"

    def form_of(self, board: Board, data: QueryDict | None = None) -> StoryForm:
        return StoryForm(data, instance=board)

    def more(self, own: OwnBoard) -> dict[str, Any]:
        tables = tables_of(own.board)
        return {"tables": len(tables), "is_told_by_staff": is_told_by_staff(own.board, tables)}
