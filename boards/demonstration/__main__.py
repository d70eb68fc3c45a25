"""`python -m boards.demonstration` rewrites boards/data/demonstration.pbn."""

import sys
from pathlib import Path

from . import write_demonstration

FILE = Path(__file__).parent.parent / "data" / "demonstration.pbn"

if __name__ == "__main__":
    FILE.write_bytes(write_demonstration())
    sys.stdout.write(f"{FILE}: {FILE.stat().st_size} bytes\n")
