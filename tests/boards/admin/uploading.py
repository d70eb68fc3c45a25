"""Who uploads files: members on their pages, and staff in the admin."""

from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Any

from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from accounts.models import Account
from config.edge.limits import exports
from config.worker.runner import Runner, ShutdownRequest
from tests.boards.admin.pages import LIST, UPLOAD, messages_of
from tests.config.admin.conftest import staff_client
from tests.members import signed_in

BAD_RECORD = b'[Board "13"]\r\n[Deal "N:AKQJ.T98.765.432 - - -"]\r\n\r\n'


@dataclass(frozen=True)
class Uploader:
    """Somebody's browser at the pages of uploads, and what those pages answer. The boards are Zia's."""

    client: Client
    home: str
    upload: str
    preview: str
    login: str
    found: int
    wrong: int
    whose: str
    places: int
    permit: Callable[[], AbstractContextManager[None]]

    def send(self, content: bytes, name: str = "evening.pbn", owner: str = "zia", **more: str) -> Any:
        return self.client.post(self.upload, {"file": SimpleUploadedFile(name, content), "owner": owner, **more})

    def preview_of(self, content: bytes, **options: str) -> str:
        """Upload a file. Return the address of its preview."""
        response = self.send(content, **options)
        assert response.status_code == self.found, response.content.decode()[-3000:]
        return response["Location"]

    def text_of(self, url: str) -> str:
        response = self.client.get(url)
        assert response.status_code == 200
        return response.content.decode()

    def messages(self) -> list[str]:
        return messages_of(self.client, self.home)


def uploader_of_members(account: Account) -> Uploader:
    paths = "/account/boards", "/account/boards/upload", "own-preview", "/sign-in"
    return Uploader(signed_in(account), *paths, 303, 400, "yours", exports.MAX_OF_MEMBERS, exports.member_permit)


def uploader_of_staff() -> Uploader:
    paths = LIST, UPLOAD, "admin:boards_board_preview", "/admin/login/"
    return Uploader(staff_client("admin"), *paths, 302, 200, "zia", exports.MAX_OF_STAFF, exports.staff_permit)


def work() -> None:
    """Let the worker do what waits for it."""
    Runner(ShutdownRequest()).run(once=True)
