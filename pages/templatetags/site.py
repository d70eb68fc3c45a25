"""Template tags of the frame that all pages of the site have."""

from functools import lru_cache

from django import template
from django.conf import settings
from django.template.loader import render_to_string
from django.utils.safestring import SafeString

from pages.site.guides import Guide, guides

register = template.Library()


@register.simple_tag
@lru_cache(maxsize=64)
def fixed_part(template_name: str, section: str = "") -> SafeString:
    """Render a part of the frame once for each section of the site, and keep it.

    Only for a template that shows nothing but addresses of pages and static files and the club, which a process never
    changes.
    """
    return render_to_string(template_name, {"section": section, "club": settings.CLUB})


@register.simple_tag
def all_guides() -> list[Guide]:
    """Return the guides to the API, in their order."""
    return list(guides().values())
