"""The mark of a club runs and fetches nothing, in a page and opened as one of its own."""

from typing import Any

import pytest
from playwright.sync_api import Browser
from pytest_django.live_server_helper import LiveServer

from config.values.club import Club
from config.values.marks import make_mark
from tests.config.values.test_club import LINK, SVG
from tests.system.browser.other_site import OtherSite

RUN = "new Image().src = '{0}/ran'; document.documentElement.id = 'ran'"
LINK_TO_SCRIPT = f'<a href="javascript:{RUN}"><text>a</text></a>'
ATTACKS = (
    f"<script>{RUN}</script>",
    "<script href='{0}/a.js'/>",
    f'<x:script xmlns:x="http://www.w3.org/2000/svg">{RUN}</x:script>',
    f'<g onload="{RUN}"/>',
    f'<image href="data:image/png,x" onerror="{RUN}"/>',
    f'<animate attributeName="x" dur="1ms" onbegin="{RUN}"/>',
    f'<set attributeName="onload" to="{RUN}"/>',
    f'<foreignObject><body xmlns="http://www.w3.org/1999/xhtml"><script>{RUN}</script></body></foreignObject>',
    '<foreignObject><iframe xmlns="http://www.w3.org/1999/xhtml" src="{0}/a.html"/></foreignObject>',
    '<foreignObject><embed xmlns="http://www.w3.org/1999/xhtml" src="{0}/a.html"/></foreignObject>',
    f'<use {LINK} xlink:href="{{0}}/a.svg#b"/>',
    '<use href="data:image/svg+xml,x#b"/>',
    '<image href="{0}/a.png"/>',
    '<rect width="9" height="9" fill="url({0}/a.svg#a)"/>',
    "<rect width='9' height='9' style=\"fill: URL( '{0}/a.svg#a')\"/>",
    "<style>@import '{0}/a.css';</style>",
    "<style>svg {{ background: url({0}/b.png) }}</style>",
    "<style>svg {{ background: u<![CDATA[rl(]]>{0}/c.png) }}</style>",
    "<style>@font-face {{ font-family: a; src: url({0}/a.woff) }} text {{ font-family: a }}</style><text>a</text>",
)


@pytest.mark.django_db(transaction=True)
def test_a_hostile_mark_runs_and_fetches_nothing(
    browser: Browser, live_server: LiveServer, other_site: OtherSite, settings: Any
) -> None:
    context = browser.new_context(base_url=live_server.url)
    page = context.new_page()
    answered: list[str] = []
    context.on("response", lambda response: answered.append(response.url))
    for attack in ATTACKS:
        hostile = (attack + LINK_TO_SCRIPT).format(other_site.url)
        heads = ("", f'<?xml-stylesheet href="{other_site.url}/a.css"?>', "<!DOCTYPE svg [<!ENTITY a 'b'>]>")
        for head in heads[: 3 if attack == ATTACKS[0] else 1]:
            mark = make_mark((head + SVG(' width="90" height="90"', hostile)).encode())
            settings.CLUB = Club(mark=mark)
            page.goto("/boards")
            page.goto(mark.path)
            page.locator("a").dispatch_event("click")
            page.wait_for_timeout(50)
            assert page.locator("#ran").count() == 0, hostile
    assert [url for url in answered if not url.startswith(live_server.url)] == []
    assert any("/club/mark.svg" in url for url in answered)
    context.close()
