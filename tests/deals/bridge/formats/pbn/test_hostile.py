"""Any bytes are records and errors, never an exception."""

from hypothesis import given
from hypothesis import strategies as st
from pytest import Subtests

from deals.bridge.board import BoardRecord
from deals.bridge.formats.outcomes import ReadBoard, RecordError
from deals.bridge.formats.pbn.writer import write_pbn
from tests.bridge_strategies import records
from tests.deals.bridge.formats.pbn.files import PIECES, read_and_check
from tests.deals.bridge.moderate import moderate

DEAL = '[Deal "N:AKQJ.T98.765.432 T987.765.432.AKQ 654.32.AKQJ.T987 32.AKQJ4.T98.J65"]\n'


@moderate
@given(records(), st.data())
def test_a_damaged_record_is_read_and_its_neighbours_with_it(record: BoardRecord, data: st.DataObject) -> None:
    whole = write_pbn(record).encode()
    start = data.draw(st.integers(0, len(whole)))
    damage = data.draw(st.binary(max_size=8) | st.sampled_from(PIECES).map(str.encode))
    damaged = whole[:start] + damage + whole[start + data.draw(st.integers(0, 20)) :]
    neighbour = DEAL.encode() + b'[Board "17"]\n\n'
    outcomes = read_and_check(neighbour + damaged + b"\r\n\r\n" + neighbour)
    assert isinstance(outcomes[0], ReadBoard)
    assert isinstance(outcomes[-1], ReadBoard) and outcomes[-1].content.board_number == 17


def test_a_hostile_file_ends_in_one_clear_error(subtests: Subtests) -> None:
    for data, code in [
        (b'[A "x"]\n' * 70_000, "record_too_long"),
        (b"x" * 600_000, "record_too_long"),
        (b'[A "' * 150_000, "record_too_long"),
        (b"{" * 250_000, "unterminated_comment"),
        (b'[A "' * 60_000, "malformed_tag"),
        (b'[A "x"' + b" " * 250_000, "malformed_tag"),
        (b'"' + b'\\"' * 120_000, "no_deal"),
        (b"PK\x03\x04\0\0" * 1000, "not_text"),
        ('[Event "x"]\n'.encode("utf-16"), "not_text"),
        (DEAL.encode() + b'[Deal2 "' + b"A" * 250_000, "malformed_tag"),
        (b'[Deal "N:' + b"A" * 250_000 + b'"]', "malformed_deal"),
    ]:
        with subtests.test(data=data):
            (error,) = read_and_check(data)
            assert isinstance(error, RecordError)
            assert error.code == code


def test_a_deal_outlives_an_endless_auction() -> None:
    (outcome,) = read_and_check(DEAL.encode() + b'[Auction "N"]\n' + b"Pass " * 50_000)
    assert isinstance(outcome, ReadBoard) and outcome.content.auction is None
    assert [warning.code for warning in outcome.warnings] == ["auction_dropped"]


def test_an_unclosed_comment_costs_only_its_own_game() -> None:
    outcomes = read_and_check(b"{" + (DEAL.encode() + b"\n") * 50)
    assert [isinstance(outcome, RecordError) for outcome in outcomes] == [True] + [False] * 49
