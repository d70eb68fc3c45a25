from typing import Any

from rest_framework.renderers import BaseRenderer


class PbnRenderer(BaseRenderer):
    """Text that is a PBN file already."""

    media_type = "application/x-pbn"
    format = "pbn"
    charset = "utf-8"

    def render(
        self, data: str | None, accepted_media_type: str | None = None, renderer_context: Any = None
    ) -> bytes:
        return b"" if data is None else data.encode(self.charset)
