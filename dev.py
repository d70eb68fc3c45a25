#!/usr/bin/env python3
"""The commands of a newcomer, a developer and CI. This file needs nothing but Python's standard library.

python3 dev.py run      start a service with demonstration boards, and print its addresses
python3 dev.py test     run the tests on SQLite and on PostgreSQL (--all: with servers and browsers; --nightly: all)
python3 dev.py check    check lint, format, types, import floors, migrations, deployment and schema
python3 dev.py openapi  record the examples of the OpenAPI document and write docs/reference/openapi.json
python3 dev.py pictures photograph the pages of a running service for the README
python3 dev.py lock     write requirements/*.txt from pyproject.toml
python3 dev.py bench    measure the service under load (docs/performance.md; --help lists the options)
python3 dev.py cluster  let each part of a service of several machines fail in turn (docs/reliability/cluster.md)
python3 dev.py soak     run the whole service under mixed traffic for half an hour: nothing may grow
python3 dev.py sbom     list what the service is made of, under which licences, with which known faults
"""

import sys

if sys.version_info < (3, 11):
    sys.exit("This needs Python 3.11 or newer, and this is %d.%d." % sys.version_info[:2])

import inspect
import subprocess

from tools.bench import bench, cluster, soak
from tools.check import check
from tools.environment import say
from tools.lock import lock
from tools.openapi import openapi
from tools.pictures import pictures
from tools.run import run
from tools.sbom import sbom
from tools.test import test

COMMANDS = {
    "run": run,
    "test": test,
    "check": check,
    "openapi": openapi,
    "pictures": pictures,
    "lock": lock,
    "bench": bench,
    "cluster": cluster,
    "soak": soak,
    "sbom": sbom,
}

# The other commands hand their options on: to pytest, to uv, to the measurements.
OPTIONS: dict[str, set[str]] = {"run": set(), "check": set(), "openapi": set(), "sbom": {"--audited"}}

if __name__ == "__main__":
    name, arguments = sys.argv[1] if sys.argv[1:] else "", sys.argv[2:]
    if name not in COMMANDS:
        sys.exit(__doc__)
    unknown = [each for each in arguments if each not in OPTIONS.get(name, arguments)]
    usage = " ".join(["Usage: python3 dev.py", name, *(f"[{option}]" for option in OPTIONS.get(name, ()))])
    if {"--help", "-h"} & set(unknown):
        say(f"{usage}\n\n{inspect.getdoc(COMMANDS[name])}")
        sys.exit()
    if unknown:
        sys.exit(f"{unknown[0]} is not an option. {usage}")
    try:
        sys.exit(COMMANDS[name](arguments))
    except subprocess.CalledProcessError as error:
        sys.exit(f"This command failed: {' '.join(map(str, error.cmd))}")
    except KeyboardInterrupt:
        sys.exit(130)
