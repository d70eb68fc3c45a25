"""A copy of all published boards, kept by the feed alone: it is wrong as soon as a change stores no event."""

from typing import Any

from rest_framework.test import APIClient

from deals.events.feed import read_events

Json = dict[str, Any]


class FollowedCopy:
    """The published boards by id, as a program has them that reads each one only when the feed says so."""

    def __init__(self) -> None:
        self.client = APIClient()
        self.boards: dict[str, Json] = {}
        self.position: int | None = None

    def follow(self) -> None:
        has_more = True
        while has_more:
            page = read_events(after=self.position, limit=500)
            for event in page.events:
                if event.board_id:
                    self.apply(event.type, str(event.board_id), {"up": event.up_votes, "down": event.down_votes})
            self.position, has_more = page.position, page.has_more

    def apply(self, event_type: str, board_id: str, votes: Json) -> None:
        if event_type == "board.votes_changed":
            if board_id in self.boards:
                self.boards[board_id]["votes"] = votes
            return
        assert (event_type == "board.published") == (board_id not in self.boards), event_type
        self.boards.pop(board_id, None)
        response = self.client.get(f"/api/boards/{board_id}")
        if event_type != "board.unpublished":
            # One that was unpublished since has a later event.
            self.boards[board_id] = without_labels(response.json()) if response.status_code == 200 else {}

    def assert_it_has(self, shown: list[Json]) -> None:
        """Follow the feed, and compare the copy with the boards of the list."""
        self.follow()
        assert self.boards == {board["id"]: without_labels(board) for board in shown}


def without_labels(board: Json) -> Json:
    """Name themes and auction systems by id only: the feed tells of boards, and not of their labels."""
    system = board["auctionSystem"]
    themes = sorted(theme["id"] for theme in board["themes"])
    return {**board, "themes": themes, "auctionSystem": system and system["id"]}
