"""`python -m bench.hostile_files`: print the processor seconds to read hostile files of up to 16 MiB.

The reader stops after MAX_REFUSED bad records.
"""

import io
import sys
import time

from deals.bridge.files import FileFormat, read_boards
from deals.bridge.outcomes import ReadBoard

MIB = 2**20
DEAL = b'[Deal "N:AKQJ.T98.765.432 T987.765.432.AKQ 654.32.AKQJ.T987 32.AKQJ4.T98.J65"]'

FILES = {
    "a million tags": b'[A "x"]\n' * 10**6,
    "a million tags of one name, each a game": b'[Deal "x"]\n\n' * 10**6,
    "a million tags on one line": b'[A "x"]' * 10**6,
    "one line of 16 MiB": b"x" * 16 * MIB,
    "an unterminated comment": DEAL + b"{" + b"x " * 8 * MIB,
    "lines of an unterminated comment": DEAL + b"{" + b"x\n" * 8 * MIB,
    "braces": b"{" * 16 * MIB,
    "pairs of braces": b"{}" * 8 * MIB,
    "quotes": b'"' * 16 * MIB,
    "backslashes in a string": b'[A "' + b"\\" * 16 * MIB,
    "brackets": b"[" * 16 * MIB,
    "NULs": b"\0" * 16 * MIB,
    "a zip": b"PK\x03\x04" + bytes(range(256)) * 64 * 1024,
    "blank lines": b"\n" * 16 * MIB,
    "blank lines with spaces": b" \r\n" * 5 * MIB,
    "escape lines": b"%\n" * 8 * MIB,
    "escape lines of a word": b"% word\n" * 2 * MIB,
    "semicolons": b";\n" * 8 * MIB,
    "games of one letter": b"x\n\n" * 5 * MIB,
    "a play without end": DEAL + b'[Contract "1NT"][Declarer "N"][Play "E"]' + b" -" * 8 * MIB,
    "calls without end in small games": (DEAL + b'[Auction "N"]' + b" Pass" * 40_000 + b"\n\n") * 75,
    "equal deals": (DEAL + b"\n\n") * 120_000,
    "LIN: bars": b"pn|" + b"|" * 16 * MIB,
    "LIN: calls": b"mb|p|" * 3 * MIB,
    "LIN: tables": b"qx|o1|md|1|" * (3 * MIB // 2),
    "LIN: explanations": (b"qx|o1|mb|1C|" + b"an|x|" * 50_000) * 60,
    "LIN: one value": b"md|" + b"S" * 16 * MIB,
    "LIN: lines": b"pn|\n" * 4 * MIB,
}


def main() -> None:
    for name, whole in FILES.items():
        data = whole[: 16 * MIB]
        start, read, refused = time.process_time(), 0, 0
        last_code = ""
        file_format = FileFormat.LIN if name.startswith("LIN") else None
        for outcome in read_boards(io.BytesIO(data), file_format=file_format):
            is_kept = isinstance(outcome, ReadBoard)
            last_code = last_code if isinstance(outcome, ReadBoard) else outcome.code
            refused += not is_kept
            read += is_kept
        seconds = time.process_time() - start
        sys.stdout.write(
            f"{seconds:6.2f} s  {name} ({len(data) / MIB:.1f} MiB): "
            f"{read} read, {refused} refused, last {last_code}\n"
        )


if __name__ == "__main__":
    main()
