"""Fifteen tasks of a club's staff. Each begins at the admin's start page and takes the shortest way that it shows."""

from collections.abc import Callable

from bench.clicks.staff import NotPossible, Staff

Task = Callable[[Staff, str], None]
"""A task of a member of staff. The text is the path of last night's file."""

ACCOUNT, PASSWORD = "boss", "correct horse battery"
EVENING = 24
DRAFTS = "#changelist-filter :is(a[href*='published=no'], a[href*='published_at__isempty=1'])"
"""The filter that leaves drafts alone."""


def log_in(staff: Staff, file: str) -> None:
    staff.type(staff.page.locator("#id_username"), ACCOUNT)
    staff.type(staff.page.locator("#id_password"), PASSWORD)
    staff.click(staff.page.locator("input[type=submit]"))
    staff.see("log out")


def add_a_theme(staff: Staff, file: str) -> None:
    page = staff.page
    staff.click(page.locator("tr.model-theme a.addlink"))
    kind = page.locator("#id_type")
    if kind.evaluate("it => it.tagName") == "SELECT":
        staff.choose(kind, "(?i)^convention")
    else:
        staff.type(kind, "convention")
    staff.type(page.locator("#id_identifier"), "gambling_3nt")
    staff.type(page.locator("input[name=labels-language]"), "en")
    staff.type(page.locator("input[name=labels-text]"), "Gambling three notrump")
    staff.save()


def correct_a_label(staff: Staff, file: str) -> None:
    page = staff.page
    staff.open_list("theme")
    staff.search("weak_two")
    staff.open_row()
    languages = [each.input_value() for each in page.locator("input[name=labels-language]").all()]
    staff.type(page.locator("input[name=labels-text]").nth(languages.index("nl")), "Zwakke twee-opening")
    staff.save()


def change_a_commentary(staff: Staff, file: str) -> None:
    staff.open_list("board")
    staff.search("Five trumps")
    if not staff.offers(staff.rows()):
        raise NotPossible("The search finds no board by its title.")
    staff.open_row()
    staff.type(staff.page.locator("#id_commentary"), "West bids on, and it costs less than the game.")
    staff.save()


def unpublish_two_boards(staff: Staff, file: str) -> None:
    staff.open_list("board")
    staff.search('"Club night"')
    staff.tick(2)
    staff.run("^Unpublish")
    staff.confirm("unpublish|yes")
    staff.see("unpublished 2 boards|2 boards (were|are) unpublished")


def publish_the_drafts(staff: Staff, file: str) -> None:
    if staff.offers(staff.link("draft")):
        staff.click(staff.link("draft"))
    else:
        staff.open_list("board")
        staff.click(staff.page.locator(DRAFTS))
    staff.tick()
    staff.run("^Publish")
    staff.confirm("publish|yes")
    staff.see("published [0-9]+ boards")


def read_and_handle_a_message(staff: Staff, file: str) -> None:
    if staff.offers(staff.link("message")):
        staff.click(staff.link("message"))
    else:
        staff.open_list("submission")
    staff.open_row()
    staff.see("Is there a course for beginners")
    if staff.offers(staff.button("^mark as handled")):
        staff.click(staff.button("^mark as handled"))
    else:
        staff.go_back()
        staff.tick(1)
        staff.run("handled$")
    staff.see("handled")


def messages_as_csv(staff: Staff, file: str) -> None:
    staff.open_list("submission")
    if staff.offers(staff.link("csv")):
        with staff.download():
            staff.click(staff.link("csv"))
        return
    staff.tick()
    with staff.download():
        staff.run("CSV")


def switch_a_member_off(staff: Staff, file: str) -> None:
    staff.open_list("account")
    staff.search("Mia Member")
    staff.open_row()
    staff.click(staff.page.locator("#id_is_active"))
    staff.save()


def look_up_an_impersonation(staff: Staff, file: str) -> None:
    staff.open_list("impersonation")
    staff.search("mia")
    staff.see("She cannot see her drafts.")


def export_and_erase_a_person(staff: Staff, file: str) -> None:
    staff.open_list("account")
    staff.search("Erik Erased")
    staff.open_row()
    with staff.download():
        staff.click(staff.button("export all data"))
    staff.click(staff.link("^erase"))
    staff.click(staff.button("^erase"))
    staff.see("is erased")


def upload_last_nights_file(staff: Staff, file: str) -> None:
    page = staff.page
    if not staff.offers(staff.link("upload a file")):
        staff.open_list("board")
    if not staff.offers(staff.link("upload a file")):
        raise NotPossible("No page takes a file: a shell (import_boards) or the API key does.")
    staff.click(staff.link("upload a file"))
    staff.choose_file(page.locator("input[type=file]"), file)
    staff.click(staff.button("^(look at|preview|upload)"))
    staff.see("24")
    staff.click(staff.button("publish"))
    staff.see("24 (new )?boards")


def put_an_evening_under_a_theme(staff: Staff, file: str) -> None:
    staff.open_list("board")
    staff.search('"Club night"')
    if any("theme" in text for text in staff.page.locator("select[name=action] option").all_inner_texts()):
        staff.tick()
        staff.run("theme")
        staff.look_up("theme", "stayman")
        staff.click(staff.button("add"))
    else:
        for number in range(EVENING):
            staff.click(staff.rows().nth(number))
            staff.look_up("themes", "stayman")
            staff.save()
    staff.see(f"{EVENING} boards|changed successfully")


def start_an_impersonation(staff: Staff, file: str) -> None:
    staff.open_list("account")
    staff.search("Member 7")
    staff.open_row()
    if not staff.offers(staff.link("start an impersonation")):
        raise NotPossible("Only the API starts one, with the actor's own token.")
    staff.click(staff.link("start an impersonation"))


def make_a_colleague_staff(staff: Staff, file: str) -> None:
    staff.open_list("account")
    staff.search("Carla Colleague")
    staff.open_row()
    staff.choose(staff.page.locator("#id_role"), "^Support$")
    staff.save()


TASKS: dict[str, Task] = {
    "log in": log_in,
    "add a theme": add_a_theme,
    "correct a label": correct_a_label,
    "change a board's commentary": change_a_commentary,
    "unpublish two boards": unpublish_two_boards,
    "publish the drafts": publish_the_drafts,
    "read and handle a message": read_and_handle_a_message,
    "messages as CSV": messages_as_csv,
    "find and switch off a member": switch_a_member_off,
    "look up an impersonation": look_up_an_impersonation,
    "export and erase a person": export_and_erase_a_person,
    "upload last night's PBN": upload_last_nights_file,
    "24 boards under a theme": put_an_evening_under_a_theme,
    "start an impersonation": start_an_impersonation,
    "make a colleague staff": make_a_colleague_staff,
}
