import pytest
from django.test import Client

from tests.config.admin.conftest import staff_client


@pytest.fixture
def boss(db: None) -> Client:
    return staff_client("admin")
