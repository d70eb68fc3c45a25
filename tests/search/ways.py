"""How boards are indexed: in rows, and on PostgreSQL in segments too."""

import pytest
from django.db import connection

IN_SEGMENTS = (False, True) if connection.vendor == "postgresql" else (False,)
"""Whether boards stand in segments: the ways that there are on this database."""

postgresql_only = pytest.mark.skipif(connection.vendor != "postgresql", reason="SQLite has no slices")
