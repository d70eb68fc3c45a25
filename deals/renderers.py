"""Answers that are files: bridge files and pictures, complete before they reach the renderer."""

from typing import Any

from rest_framework.renderers import BaseRenderer


class FileRenderer(BaseRenderer):
    """Encode a text that is a complete file; no text is an empty answer."""

    charset = "utf-8"

    def render(
        self, data: str | None, accepted_media_type: str | None = None, renderer_context: Any = None
    ) -> bytes:
        return b"" if data is None else data.encode(self.charset)


class PbnRenderer(FileRenderer):
    media_type = "application/x-pbn"
    format = "pbn"


class LinRenderer(FileRenderer):
    media_type = "application/x-lin"
    format = "lin"


class SvgRenderer(FileRenderer):
    media_type = "image/svg+xml"
    format = "svg"
