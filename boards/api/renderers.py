"""Renderers of the files that only boards have. deals.views has the others."""

from deals.views import FileRenderer


class LinRenderer(FileRenderer):
    media_type = "application/x-lin"
    format = "lin"


class SvgRenderer(FileRenderer):
    media_type = "image/svg+xml"
    format = "svg"
