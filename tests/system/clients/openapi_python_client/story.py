"""The story, told with the client that openapi-python-client generates."""

import os
from collections.abc import Iterator
from http import HTTPStatus
from io import BytesIO
from pathlib import Path
from uuid import UUID

from generated import AuthenticatedClient, models
from generated.api.accounts import get_my_account, update_account
from generated.api.boards import get_board, get_board_as_pbn, get_board_as_svg, list_boards
from generated.api.collections import (
    add_board_to_collection,
    create_collection,
    get_collection,
    update_collection,
)
from generated.api.deals import (
    get_deal_board,
    import_deals,
    update_board,
)
from generated.api.forms import send_contact_form
from generated.api.impersonation import start_impersonation, stop_impersonation
from generated.api.voting import get_my_votes, set_vote
from generated.types import File

URL, MEMBER = os.environ["BASE_URL"], os.environ["MEMBER"]
FILE = Path(os.environ["PBN_FILE"]).read_bytes()
CALLER = AuthenticatedClient(base_url=URL, token=os.environ["MEMBER_TOKEN"])
SUPPORT = AuthenticatedClient(base_url=URL, token=os.environ["SUPPORT_TOKEN"])
SERVICE = AuthenticatedClient(base_url=URL, token=os.environ["API_KEY"], prefix="", auth_header_name="X-API-Key")


def is_understood(board: models.Board) -> bool:
    """Tell whether each part has its class. This client leaves what contradicts the document as a dict, in silence."""
    parts = (board.auction, board.contract, board.result, board.double_dummy, board.par, board.auction_system)
    return not any(isinstance(part, dict) for part in parts)


def read_boards() -> Iterator[str]:
    seen: list[UUID] = []
    page, more = 1, True
    while more:
        answer = list_boards.sync(client=CALLER, page=page, page_size=7, sort=models.ListBoardsSort.TOP)
        assert isinstance(answer, models.BoardPage)
        seen += [board.id for board in answer.boards if is_understood(board)]
        page, more = page + 1, answer.pagination.has_more
        assert more or len(set(seen)) == len(seen) == answer.pagination.total_count
    yield "pages"

    read: list[UUID] = []
    after: str | None = ""
    while after is not None:
        answer = list_boards.sync(client=CALLER, after=after, page_size=7)
        assert isinstance(answer, models.BoardPage)
        read += [board.id for board in answer.boards]
        after = answer.pagination.next_cursor
    assert sorted(read) == sorted(seen) and len(read) > 7
    yield "cursors"


def vote() -> Iterator[str]:
    answer = list_boards.sync(client=CALLER, page_size=3)
    assert isinstance(answer, models.BoardPage)
    assert [board.own_vote for board in answer.boards] == [None, None, None]
    yield "own votes"

    board_id, before = answer.boards[0].id, answer.boards[0].votes.up
    for choice, ups in ((models.VoteEnum.UP, 1), (models.VoteEnum.NONE, 0)):
        done = set_vote.sync_detailed(board_id, client=CALLER, body=models.VoteRequest(vote=choice))
        assert done.status_code == HTTPStatus.NO_CONTENT
        board = get_board.sync(board_id, client=CALLER)
        assert isinstance(board, models.Board) and board.votes.up == before + ups
        votes = get_my_votes.sync(client=CALLER, board_ids=str(board_id))
        assert isinstance(votes, models.OwnVotes) and len(votes.votes.additional_properties) == ups
    yield "vote"


def collect() -> Iterator[str]:
    page = list_boards.sync(client=CALLER, page_size=2)
    assert isinstance(page, models.BoardPage)
    first, second = (board.id for board in page.boards)
    places = [models.PlaceRequest(board_id=first, note="Begin here.")]
    new = models.NewCollectionRequest(title=f"Lesson of {MEMBER}", boards=places)
    made = create_collection.sync_detailed(client=CALLER, body=new)
    assert isinstance(made.parsed, models.Collection)
    lesson = made.parsed.id
    put = add_board_to_collection.sync_detailed(lesson, second, client=CALLER, body=models.PutBoardRequest(position=1))
    assert put.status_code == HTTPStatus.NO_CONTENT
    change = models.PatchedCollectionChangesRequest(visibility=models.VisibilityEnum.PUBLIC)
    stale = update_collection.sync(lesson, client=CALLER, body=change, if_match=made.headers["ETag"])
    assert isinstance(stale, models.Error) and stale.code == models.CodeEnum.PRECONDITION_FAILED
    stored = get_collection.sync(lesson, client=CALLER)
    assert isinstance(stored, models.Collection)
    assert [entry.board_id for entry in stored.boards] == [second, first]
    listed = list_boards.sync(client=CALLER, collection=str(lesson), ids=f"{second},{first}")
    assert isinstance(listed, models.BoardPage)
    assert [board.id for board in listed.boards] == [first, second]
    whole = get_collection.sync(lesson, client=CALLER, boards=models.GetCollectionBoards.FULL)
    assert isinstance(whole, models.Collection)
    assert [isinstance(entry.board, models.Board) and entry.board.id for entry in whole.boards] == [second, first]
    yield "collected boards"

    unknown = get_collection.sync(lesson, client=SUPPORT)
    assert isinstance(unknown, models.Error) and unknown.code == models.CodeEnum.NOT_FOUND
    yield "collect"


def edit_account() -> Iterator[str]:
    answer = get_my_account.sync_detailed(client=CALLER)
    assert isinstance(answer.parsed, models.OwnAccount) and answer.parsed.id == MEMBER
    yield "me"

    change = models.PatchedAccountRequest(display_name="Ada")
    etag = answer.headers["ETag"]
    edited = update_account.sync_detailed(MEMBER, client=CALLER, body=change, if_match=etag)
    assert isinstance(edited.parsed, models.Account) and edited.parsed.display_name == "Ada"
    stale = update_account.sync(MEMBER, client=CALLER, body=change, if_match=etag)
    assert isinstance(stale, models.Error) and stale.code == models.CodeEnum.PRECONDITION_FAILED
    yield "edit"


def import_boards() -> Iterator[str]:
    raw = import_deals.sync(client=SERVICE, body=File(BytesIO(FILE)), publish=True)
    assert isinstance(raw, models.ImportReport) and len(raw.board_ids) == 1
    yield "import a file"

    form = models.UploadRequest(file=File(BytesIO(FILE), "boards.pbn", "application/x-pbn"), user_id=MEMBER)
    report = import_deals.sync(client=SERVICE, body=form)
    assert isinstance(report, models.ImportReport) and (report.boards, report.failed) == (1, [])
    yield "import a form"

    place = (report.deal_ids[0], report.board_ids[0])
    draft = get_deal_board.sync_detailed(*place, client=SERVICE)
    assert isinstance(draft.parsed, models.Board) and draft.parsed.published_at is None
    board = update_board.sync(
        *place, client=SERVICE, body=models.PatchedBoardChangesRequest(published=True), if_match=draft.headers["ETag"]
    )
    assert isinstance(board, models.Board) and board.published_at is not None
    yield "publish"

    pbn = get_board_as_pbn.sync(board.id, client=CALLER)
    assert isinstance(pbn, File) and b"[Deal " in pbn.payload.read()
    yield "pbn"
    svg = get_board_as_svg.sync(board.id, client=CALLER)
    assert isinstance(svg, File) and b"<svg" in svg.payload.read()
    yield "svg"


def impersonate() -> Iterator[str]:
    asked = models.StartRequest(account_id=MEMBER, reason="A question about a vote.")
    started = start_impersonation.sync(client=SUPPORT, body=asked)
    assert isinstance(started, models.Impersonation)
    seen_as = str(started.impersonation_id)
    subject = get_my_account.sync(client=SUPPORT, x_impersonation_id=seen_as)
    assert isinstance(subject, models.OwnAccount) and subject.id == MEMBER
    change = models.PatchedAccountRequest(display_name="Bob")
    refused = update_account.sync(MEMBER, client=SUPPORT, body=change, x_impersonation_id=seen_as)
    assert isinstance(refused, models.Error) and refused.code == models.CodeEnum.IMPERSONATION_READ_ONLY
    yield "impersonate"

    stopped = stop_impersonation.sync(client=SUPPORT, body=models.StopRequest(started.impersonation_id))
    assert isinstance(stopped, models.Actor) and stopped.actor_id == started.actor_id
    yield "stop"


def send_form() -> Iterator[str]:
    letter = models.ContactFormRequest(name="Ada", email="ada@example.org", subject=MEMBER, message="Thank you.")
    sent = send_contact_form.sync(client=CALLER, body=letter)
    assert isinstance(sent, models.Submission) and sent.form == "contact"
    yield "form"


def tell_errors_apart() -> Iterator[str]:
    letter = models.ContactFormRequest(name="Ada", email="nobody", subject="Hello", message="Thank you.")
    invalid = send_contact_form.sync(client=CALLER, body=letter)
    assert isinstance(invalid, models.Error) and invalid.code == models.CodeEnum.VALIDATION_ERROR
    assert "email" in invalid.meta["fields"]
    unknown = update_account.sync("nobody", client=SUPPORT, body=models.PatchedAccountRequest())
    assert isinstance(unknown, models.Error) and unknown.code == models.CodeEnum.NOT_FOUND
    yield "errors"


CHAPTERS = (read_boards, vote, collect, edit_account, import_boards, impersonate, send_form, tell_errors_apart)

if __name__ == "__main__":
    for chapter in CHAPTERS:
        for step in chapter():
            print(step)
