"""A program that follows the feed."""

from typing import Any

from rest_framework.test import APIClient


class Follower:
    """Read all that has happened since the last call, a few events at a time, as a program would over the network."""

    def __init__(self, service: APIClient, limit: int = 3) -> None:
        self.service, self.limit = service, limit
        self.cursor = service.get("/api/deals/events?after=latest").json()["nextCursor"]

    def events(self) -> list[dict[str, Any]]:
        events, has_more = [], True
        while has_more:
            response = self.service.get(f"/api/deals/events?after={self.cursor}&limit={self.limit}")
            assert response.status_code == 200, response.json()
            page = response.json()
            events += page["events"]
            assert page["nextCursor"] == (page["events"][-1]["id"] if page["events"] else self.cursor)
            self.cursor, has_more = page["nextCursor"], page["hasMore"]
        return events

    def types(self) -> list[str]:
        return [event["type"] for event in self.events()]
