"""The story, told with the client that openapi-generator generates for Python."""

import os
from collections.abc import Callable, Iterator
from pathlib import Path
from uuid import UUID

import generated as api

URL, MEMBER = os.environ["BASE_URL"], os.environ["MEMBER"]
FILE = Path(os.environ["PBN_FILE"]).read_bytes()
ANYBODY = api.ApiClient(api.Configuration(host=URL))
CALLER = api.ApiClient(api.Configuration(host=URL, access_token=os.environ["MEMBER_TOKEN"]))
SUPPORT = api.ApiClient(api.Configuration(host=URL, access_token=os.environ["SUPPORT_TOKEN"]))
SERVICE = api.ApiClient(api.Configuration(host=URL, api_key={"apiKey": os.environ["API_KEY"]}))


def refusal_of(call: Callable[[], object]) -> api.Error:
    try:
        call()
    except api.ApiException as refused:
        error = api.Error.from_json(str(refused.body))
        assert error is not None
        return error
    raise AssertionError("It was not refused.")


def read_boards() -> Iterator[str]:
    boards = api.BoardsApi(ANYBODY)
    seen: list[UUID] = []
    page, more = 1, True
    while more:
        answer = boards.list_boards(page=page, page_size=7, sort="top")
        seen += [board.id for board in answer.boards]
        page, more = page + 1, answer.pagination.has_more
        assert more or len(set(seen)) == len(seen) == answer.pagination.total_count
    yield "pages"

    read: list[UUID] = []
    after: str | None = ""
    while after is not None:
        answer = boards.list_boards(after=after, page_size=7)
        read += [board.id for board in answer.boards]
        after = answer.pagination.next_cursor
    assert sorted(read) == sorted(seen) and len(read) > 7
    yield "cursors"


def vote() -> Iterator[str]:
    boards, voting = api.BoardsApi(CALLER), api.VotingApi(CALLER)
    answer = boards.list_boards(page_size=3)
    assert [board.own_vote for board in answer.boards] == [None, None, None]
    yield "own votes"

    board_id, before = answer.boards[0].id, answer.boards[0].votes.up
    for choice, ups in ((api.VoteEnum.UP, 1), (api.VoteEnum.NONE, 0)):
        voting.set_vote(board_id, api.VoteRequest(vote=choice))
        assert boards.get_board(board_id).votes.up == before + ups
        assert len(voting.get_my_votes(board_ids=str(board_id)).votes) == ups
    yield "vote"


def collect() -> Iterator[str]:
    collections = api.CollectionsApi(CALLER)
    first, second = (board.id for board in api.BoardsApi(ANYBODY).list_boards(page_size=2).boards)
    places = [api.PlaceRequest(boardId=first, note="Begin here.")]
    new = api.NewCollectionRequest(title=f"Lesson of {MEMBER}", boards=places)
    made = collections.create_collection_with_http_info(new)
    lesson = made.data.id
    collections.add_board_to_collection(second, lesson, api.PutBoardRequest(position=1))
    change = api.PatchedCollectionChangesRequest(visibility=api.VisibilityEnum.PUBLIC)
    assert made.headers
    etag = made.headers["ETag"]
    stale = refusal_of(lambda: collections.update_collection(lesson, change, if_match=etag))
    assert stale.code == api.CodeEnum.PRECONDITION_FAILED
    entries = collections.get_collection(lesson).boards
    assert [entry.board_id for entry in entries] == [second, first]
    listed = api.BoardsApi(CALLER).list_boards(collection=str(lesson), ids=f"{second},{first}")
    assert [board.id for board in listed.boards] == [first, second]
    whole = collections.get_collection(lesson, boards="full").boards
    assert [entry.board and entry.board.id for entry in whole] == [second, first]
    yield "collected boards"

    unknown = refusal_of(lambda: api.CollectionsApi(ANYBODY).get_collection(lesson))
    assert unknown.code == api.CodeEnum.NOT_FOUND
    yield "collect"


def edit_account() -> Iterator[str]:
    accounts = api.AccountsApi(CALLER)
    answer = accounts.get_my_account_with_http_info()
    assert answer.data.id == MEMBER and answer.headers
    yield "me"

    change, etag = api.PatchedAccountRequest(displayName="Ada"), answer.headers["ETag"]
    edited = accounts.update_account(MEMBER, change, if_match=etag)
    assert edited.display_name == "Ada"
    stale = refusal_of(lambda: accounts.update_account(MEMBER, change, if_match=etag))
    assert stale.code == api.CodeEnum.PRECONDITION_FAILED
    yield "edit"


def send_import_form() -> api.ImportReport:
    """Send a form by the client's own means: of several types of a body, only the first gets a function."""
    request = SERVICE.param_serialize(
        method="POST",
        resource_path="/api/deals/import",
        header_params={"Content-Type": "multipart/form-data", "Accept": "application/json"},
        post_params=[("userId", MEMBER)],
        files={"file": ("boards.pbn", FILE)},
        auth_settings=["apiKey"],
    )
    response = SERVICE.call_api(*request)
    response.read()
    answer = SERVICE.response_deserialize(response, {"200": "ImportReport"}).data
    assert isinstance(answer, api.ImportReport)
    return answer


def import_boards() -> Iterator[str]:
    deals = api.DealsApi(SERVICE)
    assert len(deals.import_deals(FILE, publish=True).board_ids) == 1
    yield "import a file"

    report = send_import_form()
    assert (report.boards, report.failed) == (1, [])
    yield "import a form"

    place = (report.deal_ids[0], report.board_ids[0])
    draft = deals.get_deal_board_with_http_info(*place)
    assert draft.data.published_at is None and draft.headers
    board = deals.update_board(*place, api.PatchedBoardChangesRequest(published=True), if_match=draft.headers["ETag"])
    assert board.published_at is not None
    yield "publish"

    assert b"[Deal " in api.BoardsApi(ANYBODY).get_board_as_pbn(board.id)
    yield "pbn"
    assert b"<svg" in api.BoardsApi(ANYBODY).get_board_as_svg(board.id)
    yield "svg"


def impersonate() -> Iterator[str]:
    accounts, impersonation = api.AccountsApi(SUPPORT), api.ImpersonationApi(SUPPORT)
    asked = api.StartRequest(accountId=MEMBER, reason="A question about a vote.")
    started = impersonation.start_impersonation(asked)
    seen_as = str(started.impersonation_id)
    assert accounts.get_my_account(x_impersonation_id=seen_as).id == MEMBER
    change = api.PatchedAccountRequest(displayName="Bob")
    refused = refusal_of(lambda: accounts.update_account(MEMBER, change, x_impersonation_id=seen_as))
    assert refused.code == api.CodeEnum.IMPERSONATION_READ_ONLY
    yield "impersonate"

    stopped = impersonation.stop_impersonation(api.StopRequest(impersonationId=started.impersonation_id))
    assert stopped.actor_id == started.actor_id
    yield "stop"


def send_form() -> Iterator[str]:
    letter = api.ContactFormRequest(name="Ada", email="ada@example.org", subject=MEMBER, message="Thank you.")
    assert api.FormsApi(ANYBODY).send_contact_form(letter).form == "contact"
    yield "form"


def tell_errors_apart() -> Iterator[str]:
    letter = api.ContactFormRequest(name="Ada", email="nobody", subject="Hello", message="Thank you.")
    invalid = refusal_of(lambda: api.FormsApi(ANYBODY).send_contact_form(letter))
    assert invalid.code == api.CodeEnum.VALIDATION_ERROR and "email" in invalid.meta["fields"]
    unknown = refusal_of(lambda: api.AccountsApi(SUPPORT).update_account("nobody", api.PatchedAccountRequest()))
    assert unknown.code == api.CodeEnum.NOT_FOUND
    yield "errors"


CHAPTERS = (read_boards, vote, collect, edit_account, import_boards, impersonate, send_form, tell_errors_apart)

if __name__ == "__main__":
    for chapter in CHAPTERS:
        for step in chapter():
            print(step)
