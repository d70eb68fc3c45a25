#!/usr/bin/env python
"""Django's commands. `python3 dev.py run` makes the environment they need, in .venv."""

import os
import sys


def main() -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    from django.core.management import execute_from_command_line  # needs the line above

    execute_from_command_line(sys.argv)


if __name__ == "__main__":
    main()
