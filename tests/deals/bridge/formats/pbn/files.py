"""Reading PBN files of one record or more, written in the tests themselves."""

from deals.bridge.formats.pbn.reader import read_pbn
from tests.deals.bridge.formats.reading import Reading

CARDS = "N:AKQJ.T98.765.432 T987.765.432.AKQ 654.32.AKQJ.T987 32.AKQJ4.T98.J65"
DEAL = f'[Deal "{CARDS}"]\n'
PLAYED = DEAL + '[Dealer "N"][Vulnerable "None"][Declarer "N"][Contract "1NT"]\n'

READING = Reading(read_pbn)
outcomes, record, refusal = READING.outcomes, READING.record, READING.refusal
read_all = READING.read_all
read_and_check = READING.read_and_check

PIECES = [
    *'[]{}";%#*+-=^$!?\\\n\r\t ',
    *(
        "\n\n",
        DEAL,
        '[Auction "N"]\n',
        '[Play "E"]\n',
        '[Contract "1NT"]',
        '[Declarer "N"]',
        '[Result "NS 9"]',
    ),
    *(
        '[Note "1:x"]', '[Event "##"]', '[Board "#"]', "1NT", "AP", "XX", "Pass", "CA", "=1=", "$1", "^I",
        "\0", "é",
    ),
]  # fmt: skip
"""What a file of this kind is made of, for tests that put it together at random."""
