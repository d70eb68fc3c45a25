"""Par as it is stored with a deal.

{"None": {"score": 420, "contracts": ["NS 4S"]}, "NS": …, "EW": …, "All": …} holds what is par when North
deals. The dealer matters rarely (when both sides make the same contract, whoever bids first has it): only a
dealer for whom par is another has an entry of his own, as in {"None E": {"score": -90, …}}.

The score is North-South's. A contract is who declares (N, E, S, W, or NS or EW when either partner may), then
level, denomination and X when doubled, then over- or undertricks: "NS 4S", "E 1NT+1", "EW 5DX-2". PBN's
ParContract tag is written so. Nobody can make anything: {"score": 0, "contracts": ["Pass"]}.
"""

from collections.abc import Mapping
from typing import TypedDict


class Par(TypedDict):
    score: int
    contracts: list[str]


def own_entry(vulnerability: str, dealer: str) -> str:
    """The key of what holds for this dealer alone."""
    return f"{vulnerability} {dealer}"


def par_for(pars: Mapping[str, Par], vulnerability: str, dealer: str) -> Par:
    """Par of a board: of `pars`, a deal's stored ones, the one for its vulnerability and dealer."""
    return pars.get(own_entry(vulnerability, dealer)) or pars[vulnerability]
