"""The Result and the Score of a PBN game. The Score is a witness of contract, declarer, vulnerability and result."""

import re
from dataclasses import dataclass
from functools import lru_cache

from bridge.contract import Contract
from bridge.errors import BridgeError
from bridge.formats.pbn.tokens import Tags
from bridge.formats.pbn.values import read_value
from bridge.scoring import score
from bridge.vulnerability import Vulnerability

_RESULT = re.compile(r"\^? ?(?:(NS|EW) ?)?([0-9]{1,2})(?: (?:NS|EW) ?[0-9]{1,2})?", re.IGNORECASE)
_SCORE = re.compile(r"(?:(NS|EW) ?)?([+-]?) ?([0-9]{0,4}0)(?: (?:NS|EW) ?[+-]? ?[0-9]{1,5})?", re.IGNORECASE)
_MAX_LENGTH = 40
_OTHER_SCORING = re.compile("rubber|chicago", re.IGNORECASE)


def read_tricks(tags: Tags, contract: Contract | None) -> int | None:
    """Return declarer's tricks from "9", "^9", "NS 9" or "EW 4 NS 9" (PBN 2.1 §3.4.15)."""
    return read_value(tags, "Result", lambda value: _parse_result(value, contract))


def _parse_result(value: str, contract: Contract | None) -> int | None:
    match = _RESULT.fullmatch(" ".join(value.split()))
    if match is None or int(match[2]) > 13:
        raise BridgeError("impossible_result", f"{value[:20]!r} is not a number of tricks, 0 to 13.")
    side, tricks = match[1], int(match[2])
    if contract and contract.passed_out and not tricks:
        return None
    is_theirs = side and contract and contract.declarer and contract.declarer.side != side.upper()
    return 13 - tricks if is_theirs else tricks


@dataclass(frozen=True, slots=True)
class Score:
    """The points that a record gives for its result. `side` is whose they are, "" where the file does not say."""

    text: str
    side: str
    points: int

    def fits(self, contract: Contract, vulnerability: Vulnerability, tricks: int | None) -> bool:
        """Tell whether the contract has this score; without `tricks`, whether it can have it.

        Points of nobody are North-South's or, as the standard has it, declarer's.
        """
        if tricks is None and not contract.passed_out:
            return bool(self.fitting_tricks(contract, vulnerability))
        points = score(contract, vulnerability, tricks)
        if self.side:
            return points == (self.points if self.side == "NS" else -self.points)
        declarers = -points if contract.declarer and contract.declarer.side == "EW" else points
        return self.points in (points, declarers)

    def fitting_tricks(self, contract: Contract, vulnerability: Vulnerability) -> list[int]:
        """Return the numbers of declarer's tricks that have this score."""
        return [tricks for tricks in range(14) if self.fits(contract, vulnerability, tricks)]


def read_score(tags: Tags) -> Score | None:
    """Return the Score, as in "NS 420", "EW -50", "+420" or "NS 50 EW -50".

    What has other values than Law 77 is no witness: adjusted scores, IMPs, matchpoints, rubber bridge and Chicago.
    """
    value = tags.value("Score")
    score = _parse_score(value) if 0 < len(value) <= _MAX_LENGTH else None
    return None if score is None or _OTHER_SCORING.match(tags.value("Scoring")) else score


@lru_cache(maxsize=1024)  # The boards of a file have few scores.
def _parse_score(value: str) -> Score | None:
    match = _SCORE.fullmatch(" ".join(value.replace("\u2212", "-").split()))
    return Score(match[0], (match[1] or "").upper(), int(match[2] + match[3])) if match else None
