"""Any bytes are records and errors, never an exception."""

from hypothesis import given
from hypothesis import strategies as st
from pytest import mark

from tests.bridge_strategies import moderate
from tests.deals.bridge.lin import files as lin_files
from tests.deals.bridge.pbn import files as pbn_files
from tests.deals.bridge.reading import Reading

KINDS = {"pbn": (pbn_files.READING, pbn_files.PIECES), "lin": (lin_files.READING, lin_files.PIECES)}


@mark.parametrize("kind", KINDS)
@moderate
@given(data=st.binary(max_size=300))
def test_any_bytes_are_read_without_an_exception(kind: str, data: bytes) -> None:
    reading, _ = KINDS[kind]
    reading.read_and_check(data)


@mark.parametrize(("reading", "pieces"), KINDS.values(), ids=KINDS)
@moderate
@given(data=st.data())
def test_any_pieces_of_a_file_are_read_without_an_exception(
    reading: Reading, pieces: list[str], data: st.DataObject
) -> None:
    text = data.draw(st.lists(st.sampled_from(pieces), max_size=40).map("".join))
    reading.read_and_check(text.encode())
    reading.read_and_check(text.encode("latin-1"))
