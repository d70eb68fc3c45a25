"""The service's settings with the migration linter in them: a tool of `dev.py check`, not of the service."""

from config.settings import *  # noqa: F403
from config.settings import INSTALLED_APPS

INSTALLED_APPS = [*INSTALLED_APPS, "django_migration_linter"]
