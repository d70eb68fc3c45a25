"""Reading LIN files of one table or more, written in the tests themselves."""

from deals.bridge.formats.lin.reader import read_lin
from tests.deals.bridge.formats.reading import Reading

CARDS = "N:AKQJ.T98.765.432 T987.765.432.AKQ 654.32.AKQJ.T987 32.AKQJ4.T98.J65"
HANDS = "S456H23DJQKAC789T,S23H4JQKADT98CJ56,S AKQJ H89T D567 C234,"
DEAL = f"md|1{HANDS}|"
PLAYED = "md|3" + HANDS + "|sv|o|mb|1N|mb|p|mb|p|mb|p|"
"""North declares, East leads."""

READING = Reading(read_lin)
outcomes, record, refusal = READING.outcomes, READING.record, READING.refusal
read_all = READING.read_all
read_and_check = READING.read_and_check

PIECES = [
    *(
        "|", "||", "\n", "qx|", "o1|", "md|", f"3{HANDS}|", "sv|", "n|", "ah|", "Board 1|", "mb|", "1N!|",
        "p|",
    ),
    *(
        "an|",
        "!S &#124;|",
        "pc|",
        "H5|",
        "CA|",
        "mc|",
        "9|",
        "pg|",
        "nt|",
        "vg|",
        "Cup,a,I|",
        "rs|",
        "\0",
        "é",
    ),
]  # fmt: skip
"""What a file of this kind is made of, for tests that put it together at random."""
