"""Deals out of a number: the same cards on every machine and every version of Python."""

from random import Random

from deals.bridge.deal import Deal


def deal_cards(seed: int) -> Deal:
    """A fair shuffle. `Random.random` alone keeps its sequence between versions, so the shuffle is ours."""
    source = Random(seed)  # noqa: S311  # nothing here is secret
    owners = list("0123" * 13)
    for last in range(51, 0, -1):
        other = int(source.random() * (last + 1))
        owners[last], owners[other] = owners[other], owners[last]
    return Deal.from_key(f"{int(''.join(owners), 4):026x}")
