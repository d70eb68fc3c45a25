import pytest
from django.test import Client


@pytest.mark.django_db
@pytest.mark.parametrize("key", ["\x00aaaaaaaaaaaa", "a" * 11 + "\x00", "é" * 12])
def test_a_session_key_that_django_never_made_is_no_session(key: str) -> None:
    client = Client()
    client.cookies["sessionid"] = key
    assert client.get("/admin/login/").status_code == 200
