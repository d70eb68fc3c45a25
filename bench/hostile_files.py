"""`python -m bench.hostile_files [NAME]`: print the processor seconds to read hostile files of up to 16 MiB.

With a NAME only the files whose names begin with it are read.
The reader stops after MAX_REFUSED bad records.
"""

import io
import sys
import time

from deals.bridge.files import FileFormat, read_boards
from deals.bridge.outcomes import ReadBoard

MIB = 2**20
DEAL = b'[Deal "N:AKQJ.T98.765.432 T987.765.432.AKQ 654.32.AKQJ.T987 32.AKQJ4.T98.J65"]'

RBN = (
    b"% RBN\nE "
    + b"e" * 250
    + b"\nT "
    + b"t" * 250
    + b"\nH N:AKQJ.T98.765.432:T987.765.432.AKQ:654.32.AKQJ.T987:\n"
)
LINK = b"?n=sakqjht98d765c432&s=s654h32dakqjct987&w=s32hakqj4dt98cj65"
USEBIO_HANDS = b"".join(
    b"<HAND><DIRECTION>%s</DIRECTION><SPADES>%s</SPADES><HEARTS>%s</HEARTS><DIAMONDS>%s</DIAMONDS><CLUBS>%s</CLUBS></HAND>"
    % (seat, *hand.split(b"."))
    for seat, hand in zip((b"N", b"E", b"S", b"W"), DEAL[9:-2].split(b" "), strict=True)
)
USEBIO = (
    b"<USEBIO><EVENT><BOARD><BOARD_NUMBER>1</BOARD_NUMBER>"
    + USEBIO_HANDS
    + b"<TRAVELLER_LINE><CONTRACT>3NTx</CONTRACT><PLAYED_BY>N</PLAYED_BY><TRICKS>9</TRICKS></TRAVELLER_LINE>"
    * 49_990
    + b"</BOARD></EVENT></USEBIO>"
)

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
    "RBN: deals": b"H N:\n\n" * 2 * MIB,
    "RBN: held texts before each record": RBN + b"C 1N:N\n\n" * 20_000,
    "RBN: one record": RBN + b"P " + b"SA2" * 5 * MIB,
    "RBN: texts": RBN + b"{x\n" * 5 * MIB,
    "links": LINK + b"\nn=" * 4 * MIB,
    "links: calls": (LINK + b"&a=" + b"p" * 60_000 + b"\n") * 260,
    "links: brackets": (LINK + b"&a=1n" + b"(" * 60_000 + b"\n") * 260,
    "links: per cent": (LINK + b"&a=" + b"%" * 200_000 + b"\n") * 80,
    "CR CR LF": DEAL + b"\r\r\n" * 5 * MIB,
    "USEBIO: elements": b"<USEBIO>" + b"<x/>" * 4 * MIB,
    "USEBIO: tables": b"<USEBIO><EVENT><BOARD>" + b"<TRAVELLER_LINE/>" * MIB,
    "USEBIO: tables of a deal": USEBIO,
    "USEBIO: depth": b"<USEBIO>" + b"<x>" * 5 * MIB,
    "USEBIO: one text": b"<USEBIO><EVENT><DATE>" + b"x" * 15 * MIB + b"</DATE></EVENT></USEBIO>",
    "USEBIO: references": b"<USEBIO>" + b"&x;&" * 4 * MIB,
    "USEBIO: attributes": b"<USEBIO " + b"".join(b'a%d="" ' % number for number in range(10**6)) + b"/>",
    "USEBIO: entities": b'<!DOCTYPE USEBIO [<!ENTITY a "' + b"a" * 15 * MIB + b'">]><USEBIO>&a;</USEBIO>',
    "USEBIO: declarations": b"<?" * 8 * MIB,
    "bare deals": b"N:AKQJ.T98.765.432 T987.765.432.AKQ 654.32.AKQJ.T987 32.AKQJ4.T98.J65\n"
    + b"N:\n" * 5 * MIB,
    "DLM": b"[Document]\nFrom board=1\nTo board=999\n" + b"Board 1=a\n" * (3 * MIB // 2),
    "DUP": b"01" * 39 + b" " * 68 + b"YN" + b"01" * 8 * MIB,
    "DGE": (b"\6AKQJT98765432\3\4\5" * 4).ljust(128) * 130_000,
    "UTF-16": b"\xff\xfe" + b"\n\0" * 8 * MIB,
    "UTF-16: half characters": b"\xff\xfe" + b"\0\xd8" * 8 * MIB,
    "ZIP: entries": b"PK\3\4" + b"PK\1\2" * 4 * MIB,
    "ZIP: no entries": b"PK\3\4" + b"x" * 15 * MIB + b"PK\5\6" + b"\0" * 18,
    "a page": b"<html>" + b"<p>" * 5 * MIB,
    "JSON": b"{" + b" " * 16 * MIB,
    "a table": b"a,b\n" * 4 * MIB,
}


def main() -> None:
    chosen = sys.argv[1] if len(sys.argv) > 1 else ""
    for name, whole in FILES.items():
        if not name.startswith(chosen):
            continue
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
