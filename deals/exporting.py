"""Write deals as PBN files."""

from deals.bridge.board import BoardRecord
from deals.bridge.pbn.writer import HEADER, Analysis, write_pbn
from deals.bridge.seats import Seat
from deals.bridge.vulnerability import Vulnerability
from deals.double_dummy import par_for
from deals.models import Deal


def export_pbn(deal: Deal) -> str:
    """Write a PBN file of the deal alone. PBN requires a dealer and a vulnerability: North and None."""
    record = BoardRecord(layout=deal.layout, dealer=Seat.NORTH, vulnerability=Vulnerability.NONE)
    return HEADER + write_pbn(record, analysis_of(deal, record))


def analysis_of(deal: Deal, record: BoardRecord) -> Analysis | None:
    """Return the deal's double dummy with par for the record's dealer and vulnerability; None until it is solved."""
    if deal.table is None or deal.par is None:
        return None
    par = par_for(deal.par, record.vulnerability, record.dealer)
    return Analysis(deal.table.tricks(), par["score"])
