"""Duplicate scores: Law 77 of the Laws of Duplicate Bridge 2017."""

from bridge.contract import Contract, Denomination
from bridge.errors import BridgeError
from bridge.vulnerability import Vulnerability

_MINORS = (Denomination.CLUBS, Denomination.DIAMONDS)


def score(contract: Contract, vulnerability: Vulnerability, tricks: int | None) -> int:
    """Return North-South's points, negative when East-West score; `tricks` are those declarer won, 0–13.

    A passed-out board, where `tricks` is None, scores 0. Raise `unknown_declarer` for a contract without a
    declarer, `impossible_result` for another number of tricks.
    """
    if contract.level is None or contract.denomination is None:
        return 0
    if contract.declarer is None:
        raise BridgeError("unknown_declarer", f"{contract} cannot be scored without its declarer.")
    if tricks is None or not 0 <= tricks <= 13:
        raise BridgeError("impossible_result", f"{contract} is scored on 0 to 13 tricks, not {tricks}.")
    vulnerable = vulnerability.includes(contract.declarer)
    overtricks = tricks - contract.level - 6
    if overtricks < 0:
        points = -_undertricks(-overtricks, len(contract.doubled), vulnerable)
    else:
        points = _made(contract.level, contract.denomination, len(contract.doubled), vulnerable, overtricks)
    return points if contract.declarer.side == "NS" else -points


def score_if_known(contract: Contract | None, vulnerability: Vulnerability, tricks: int | None) -> int | None:
    """Return North-South's points, or None without a contract, or without the result of one that is played."""
    if contract is None or (tricks is None and not contract.passed_out):
        return None
    return score(contract, vulnerability, tricks)


def _made(level: int, denomination: Denomination, doubles: int, vulnerable: bool, overtricks: int) -> int:
    """Score a contract that was made. `doubles` is 0, 1 for doubled or 2 for redoubled."""
    each = 20 if denomination in _MINORS else 30
    bid = (each * level + 10 * (denomination is Denomination.NOTRUMP)) << doubles
    bonus = (500 if vulnerable else 300) if bid >= 100 else 50
    slam = {6: 750 if vulnerable else 500, 7: 1500 if vulnerable else 1000}.get(level, 0)
    overtrick = 50 * (1 + vulnerable) << doubles if doubles else each
    return bid + bonus + slam + 50 * doubles + overtricks * overtrick


def _undertricks(down: int, doubles: int, vulnerable: bool) -> int:
    """Return the defenders' points. Doubled: 100, 200, 200, then 300 each; vulnerable: 200, then 300 each.

    Redoubled tricks count twice that.
    """
    if not doubles:
        return down * (100 if vulnerable else 50)
    doubled = 300 * down - 100 if vulnerable else 300 * down - 200 - 100 * min(down - 1, 2)
    return doubled * doubles
