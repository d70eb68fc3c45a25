"""Renderers of answers that are files. The file is complete before it reaches the renderer."""

from typing import Any

from rest_framework.renderers import BaseRenderer


class FileRenderer(BaseRenderer):
    """Encode a text that is a complete file, or answer with an empty body when there is none."""

    charset = "utf-8"

    def render(self, data: str | None, accepted_media_type: str | None = None, renderer_context: Any = None) -> bytes:
        return b"" if data is None else data.encode(self.charset)


class PbnRenderer(FileRenderer):
    media_type = "application/x-pbn"
    format = "pbn"
