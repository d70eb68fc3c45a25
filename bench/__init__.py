"""Measurements, run by hand: `python -m bench.NAME`. Each prints its figures and leaves nothing behind.

This module sets Django up for all of them. DATABASE_URL names the server, as for the tests; without it SQLite is
measured.
"""

import os

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tests.settings")
django.setup()
