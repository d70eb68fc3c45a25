import pytest
from django.core.management import call_command
from django.test import Client

from tests.config.admin.conftest import staff_client


@pytest.fixture(scope="module")
def support_group(rows_of_module: None) -> None:
    """Store the group of support, with its rights, once for a module."""
    call_command("load_reference_data", verbosity=0)


@pytest.fixture
def helper(support_group: None, db: None) -> Client:
    """Return somebody from support, with the rights of the group as it is made."""
    return staff_client("support")
