"""The addresses by which a published board travels to other sites: its page, its frame, its picture and oEmbed's."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from urllib.parse import urlencode
from uuid import UUID

from django.conf import settings
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString

from boards.models import Board
from pages.presenters.boards import BoardPreview
from pages.presenters.playing import END, LAST_STEP
from pages.site.base import path_with_query

FRAME_SIZE = (640, 620)
"""Width and height of the frame that is offered, in pixels: hands and auction of most boards side by side."""

PICTURE_SIZE = (1200, 630)


@dataclass(frozen=True)
class Share:
    """A published board as one of its pages shows it: `parameters` are `show` and `step`, as far as they are given.

    The frame shows the same. A page that hides something has no picture, which would show it.
    """

    board_id: UUID
    name: str
    parameters: Mapping[str, str]

    @property
    def address(self) -> str:
        return self.absolute("board-page", self.parameters)

    @property
    def frame_address(self) -> str:
        return self.absolute("board-embed", self.parameters)

    @property
    def picture_address(self) -> str:
        return "" if self.parameters else self.absolute("board-picture", {})

    @property
    def oembed_address(self) -> str:
        query = urlencode({"url": self.address, "format": "json"})
        return f"{settings.PUBLIC_BASE_URL}{reverse('oembed')}?{query}"

    @property
    def frame(self) -> SafeString:
        return self.frame_of_size(*FRAME_SIZE)

    def frame_of_size(self, width: int, height: int) -> SafeString:
        return write_frame(self.frame_address, self.name, width, height)

    def absolute(self, route: str, parameters: Mapping[str, str]) -> str:
        path = reverse(route, args=[self.board_id])
        return settings.PUBLIC_BASE_URL + path_with_query(path, parameters)


def share_of(board: Board, visible_hands: Sequence[str] = (), step: int | None = None) -> Share:
    """Return how to share a published board as it is shown with these hands and at this step."""
    parameters = {
        "show": ",".join(visible_hands),
        "step": "" if step is None else str(step) if step < LAST_STEP else END,
    }
    given = {name: value for name, value in parameters.items() if value}
    return Share(board.pk, BoardPreview(board, (), ()).full_name, given)


def write_frame(address: str, title: str, width: int, height: int) -> SafeString:
    """Return the markup of a frame for other sites. It needs no style of theirs, and none of ours."""
    return format_html(
        '<iframe src="{}" title="{}" width="{}" height="{}" style="border:0;max-width:100%" loading="lazy"></iframe>',
        address,
        title,
        width,
        height,
    )
