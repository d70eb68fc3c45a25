"""Reading PBN files of one record or more, written in the tests themselves."""

from bridge.formats.pbn.reader import read_pbn
from tests.bridge.formats.reading import CARDS, Reading

DEAL = f'[Deal "{CARDS}"]\n'
PLAYED = DEAL + '[Dealer "N"][Vulnerable "None"][Declarer "N"][Contract "1NT"]\n'

READING = Reading(read_pbn)
outcomes, read_all, record, refusal = READING.outcomes, READING.read_all, READING.record, READING.refusal

PIECES = [
    *'[]{}";%#*+-=^$!?\\\n\r\t ',
    *("\n\n", DEAL, '[Auction "N"]\n', '[Play "E"]\n', '[Contract "1NT"]', '[Declarer "N"]', '[Result "NS 9"]'),
    *('[Note "1:x"]', '[Event "##"]', '[Board "#"]', "1NT", "AP", "XX", "Pass", "CA", "=1=", "$1", "^I", "\0", "é"),
]
"""What a file of this kind is made of, for tests that put it together at random."""
