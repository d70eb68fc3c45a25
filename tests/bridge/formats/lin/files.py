"""Reading LIN files of one table or more, written in the tests themselves."""

from bridge.formats.lin.reader import read_lin
from tests.bridge.formats.reading import Reading

HANDS = "S456H23DJQKAC789T,S23H4JQKADT98CJ56,S AKQJ H89T D567 C234,"
DEAL = f"md|1{HANDS}|"
PLAYED = "md|3" + HANDS + "|sv|o|mb|1N|mb|p|mb|p|mb|p|"
"""North declares, East leads."""

READING = Reading(read_lin)
outcomes, read_all, record, refusal = READING.outcomes, READING.read_all, READING.record, READING.refusal

PIECES = [
    *("|", "||", "\n", "qx|", "o1|", "md|", f"3{HANDS}|", "sv|", "n|", "ah|", "Board 1|", "mb|", "1N!|", "p|"),
    *("an|", "!S &#124;|", "pc|", "H5|", "CA|", "mc|", "9|", "pg|", "nt|", "vg|", "Cup,a,I|", "rs|", "\0", "é"),
]
"""What a file of this kind is made of, for tests that put it together at random."""
