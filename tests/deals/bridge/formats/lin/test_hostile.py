"""Any bytes are records and errors, never an exception."""

from hypothesis import given
from hypothesis import strategies as st
from pytest import Subtests, mark

from deals.bridge.board import BoardRecord
from deals.bridge.formats.lin.writer import write_lin
from deals.bridge.formats.outcomes import ReadBoard, RecordError
from tests.bridge_strategies import records
from tests.deals.bridge.formats.lin.files import DEAL, read_and_check
from tests.deals.bridge.moderate import moderate


@moderate
@given(records(), st.data())
def test_a_damaged_table_is_read_and_its_neighbours_with_it(record: BoardRecord, data: st.DataObject) -> None:
    whole = write_lin(record).encode()
    start = data.draw(st.integers(0, len(whole)))
    damaged = whole[:start] + data.draw(st.binary(max_size=8)) + whole[start + data.draw(st.integers(0, 20)) :]
    neighbour = f"qx|o17|{DEAL}ah|Board 17|\n".encode()
    outcomes = read_and_check(neighbour + b"qx|o18|" + damaged + b"|\n" + neighbour)
    assert isinstance(outcomes[0], ReadBoard)
    assert isinstance(outcomes[-1], ReadBoard) and outcomes[-1].content.board_number == 17


def test_a_hostile_file_ends_in_one_clear_error(subtests: Subtests) -> None:
    for data, code in [
        (b"mb|p|" * 100_000, "record_too_long"),
        (b"x" * 600_000, "record_too_long"),
        (b"|" * 600_000 + b"mb|1C|", "record_too_long"),
        (b"nt|" + b"a|b" * 200_000, "record_too_long"),
        (b"md|1" + b"S" * 250_000 + b"|", "malformed_deal"),
        (b"md|1" + b"," * 250_000 + b"|", "unknown_hand"),
        (DEAL.encode() + b"mb|1C|" + b"an|x|" * 50_000, "malformed_lin"),
        (b"PK\x03\x04\0\0" * 1000, "not_text"),
        ("md|1|".encode("utf-16"), "not_text"),
    ]:
        with subtests.test(data=data):
            (error,) = read_and_check(data)
            assert isinstance(error, RecordError)
            assert error.code == code


@mark.parametrize(
    ("tag", "code"), [(b"pc|" + b"SA" * 20_000, "play_dropped"), (b"mb|" + b"p!" * 20_000, "auction_dropped")]
)
def test_a_deal_outlives_an_endless_auction_or_play(tag: bytes, code: str) -> None:
    (outcome,) = read_and_check(DEAL.encode() + tag + b"|")
    assert isinstance(outcome, ReadBoard) and outcome.content.auction is None
    assert [warning.code for warning in outcome.warnings] == [code]


def test_a_table_without_an_end_does_not_cost_the_next_one() -> None:
    outcomes = read_and_check(DEAL.encode() + b"zz|junk|" * 50_000 + DEAL.encode())
    assert [isinstance(outcome, RecordError) for outcome in outcomes] == [True, False]
