"""Sets Django up. A measurement that needs models imports this first; those of the bridge rules do without.

DATABASE_URL names the server, as for the tests; without it SQLite is measured.
"""

import os

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tests.settings")
django.setup()
