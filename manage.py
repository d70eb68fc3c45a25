#!/usr/bin/env python
"""Django's commands. `python3 dev.py run` makes the environment they need, in .venv, and their settings, in var/env."""

import os
import sys


def main() -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    from django.core.exceptions import ImproperlyConfigured
    from django.core.management import execute_from_command_line  # needs the line above

    try:
        execute_from_command_line(sys.argv)
    except ImproperlyConfigured as error:
        sys.exit(
            f"{error}. `python3 dev.py run` makes the settings of a first service in var/env, where manage.py reads"
            " them."
        )


if __name__ == "__main__":
    main()
