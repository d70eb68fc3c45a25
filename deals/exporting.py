"""Write deals as PBN files."""

from collections.abc import Mapping

from bridge.board import BoardRecord
from bridge.double_dummy import DoubleDummyTable, Par, par_for
from bridge.formats.pbn.writer import HEADER, Analysis, write_pbn
from bridge.seats import Seat
from bridge.vulnerability import Vulnerability
from deals.models import Deal


def export_pbn(deal: Deal) -> str:
    """Write a PBN file of the deal alone. PBN requires a dealer and a vulnerability: North and None."""
    record = BoardRecord(layout=deal.layout, dealer=Seat.NORTH, vulnerability=Vulnerability.NONE)
    return HEADER + write_pbn(record, analysis_of(deal.double_dummy, deal.par, record))


def analysis_of(double_dummy: str, par: Mapping[str, Par] | None, record: BoardRecord) -> Analysis | None:
    """Return a deal's stored table with par for the record's dealer and vulnerability; None until it is solved."""
    if par is None:
        return None
    score = par_for(par, record.vulnerability, record.dealer)["score"]
    return Analysis(DoubleDummyTable(double_dummy).tricks(), score)
