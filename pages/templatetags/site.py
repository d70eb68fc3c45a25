"""Template tags of the frame that all pages of the site have."""

from functools import lru_cache

from django import template
from django.conf import settings
from django.template.loader import render_to_string
from django.utils.safestring import SafeString

from config.values.club import Club
from pages.site.guides import Guide, guides

register = template.Library()


@register.simple_tag
def fixed_part(template_name: str, section: str = "") -> SafeString:
    """Return a part of the frame, which is rendered once for each section of the site and kept.

    Only for a template that shows nothing but addresses of pages and static files and the club.
    """
    return _render_fixed_part(template_name, section, settings.CLUB)


@lru_cache(maxsize=64)
def _render_fixed_part(template_name: str, section: str, club: Club) -> SafeString:
    return render_to_string(template_name, {"section": section, "club": club})


@register.simple_tag
def all_guides() -> list[Guide]:
    """Return the guides to the API, in their order."""
    return list(guides().values())
