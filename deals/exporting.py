"""Deals as PBN files."""

from deals.bridge.board import BoardRecord
from deals.bridge.pbn.writer import HEADER, Analysis, write_pbn
from deals.bridge.seats import Seat
from deals.bridge.vulnerability import Vulnerability
from deals.models import Deal
from deals.par import par_for


def pbn_file(deal: Deal) -> str:
    """The deal alone; a PBN file has to name a dealer and a vulnerability, so North and None."""
    record = BoardRecord(deal=deal.layout, dealer=Seat.NORTH, vulnerability=Vulnerability.NONE)
    return HEADER + write_pbn(record, analysis_of(deal, record))


def analysis_of(deal: Deal, record: BoardRecord) -> Analysis | None:
    """What the solver found, for the record's dealer and vulnerability; None until it has."""
    if deal.table is None or deal.par is None:
        return None
    par = par_for(deal.par, record.vulnerability, record.dealer)
    return Analysis(deal.table.tricks(), par["score"])
