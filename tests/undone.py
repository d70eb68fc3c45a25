"""What one case of a loop stores is taken back before the next."""

from collections.abc import Iterator
from contextlib import contextmanager

from django.db import transaction


@contextmanager
def undone() -> Iterator[None]:
    """Roll the database back to where it stood, whether the case passes or fails."""
    with transaction.atomic():
        yield
        transaction.set_rollback(True)
