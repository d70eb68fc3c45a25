"""What `python -m bench.clicks` counts."""

import pytest
from playwright.sync_api import Page

from bench.clicks.staff import NotPossible, Staff

PAGE = """
<div id="container"><div id="content">
  <table id="result_list"><tbody>
    <tr><td><input type="checkbox" class="action-select"></td><td><a href="#/1/change/">One</a></td></tr>
    <tr><td><input type="checkbox" class="action-select"></td><td><a href="#/2/change/">Two</a></td></tr>
  </tbody></table>
  <input type="checkbox" id="action-toggle">
  <input id="searchbar">
  <select name="action"><option>---</option><option>Publish selected boards</option></select>
  <button name="index">Go</button>
</div></div>
"""


@pytest.fixture
def staff(page: Page) -> Staff:
    page.set_content(PAGE)
    return Staff(page, "")


def test_a_choice_costs_two_clicks_and_each_field_is_counted_for_itself(staff: Staff) -> None:
    staff.search("a rather long title")
    assert (staff.clicks, staff.fields) == (1, 1)
    staff.tick(2)
    assert staff.clicks == 3
    staff.tick()
    staff.run("^Publish")
    assert (staff.clicks, staff.fields) == (7, 1)
    staff.open_row("Two")
    assert staff.page.url.endswith("#/2/change/")
    assert (staff.clicks, staff.fields) == (8, 1)


def test_what_the_page_does_not_offer_is_not_possible_and_costs_nothing(staff: Staff) -> None:
    with pytest.raises(NotPossible, match="Unpublish"):
        staff.run("^Unpublish")
    assert not staff.offers(staff.link("upload a file"))
    staff.confirm("yes")
    assert (staff.clicks, staff.fields) == (0, 0)
