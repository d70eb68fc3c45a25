"""What the tests of uploaded files share: a file is sent, and its page read."""

from typing import Any

from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from config.worker.runner import Runner
from config.worker.shutdown import ShutdownRequest
from tests.boards.admin.pages import LIST, UPLOAD

BAD_RECORD = b'[Board "13"]\r\n[Deal "N:AKQJ.T98.765.432 - - -"]\r\n\r\n'


def send(client: Client, content: bytes, name: str = "evening.pbn", owner: str = "system") -> Any:
    return client.post(UPLOAD, {"file": SimpleUploadedFile(name, content), "owner": owner})


def preview_of(client: Client, content: bytes, **options: str) -> str:
    """Upload a file. Return the address of its preview."""
    response = send(client, content, **options)
    assert response.status_code == 302, response.content.decode()[-3000:]
    return response["Location"]


def text_of(client: Client, url: str) -> str:
    response = client.get(url)
    assert response.status_code == 200
    return response.content.decode()


def messages_of(client: Client) -> list[str]:
    return [str(message) for message in client.get(LIST).context["messages"]]


def work() -> None:
    """Let the worker do what waits for it."""
    Runner(ShutdownRequest()).run(once=True)
