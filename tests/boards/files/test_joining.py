"""Results that are sent after the deals of the evening, or with them: they are joined by the numbers of the boards."""

from io import BytesIO

import pytest
from rest_framework.test import APIClient

from boards.files.importing import import_boards
from boards.files.options import ImportOptions
from boards.files.previews import dry_run_import
from boards.models import Board
from tests import factories
from tests.boards.admin.pages import pbn
from tests.boards.files.test_import import imported
from tests.bridge.formats.usebio_files import TABLE, board, document

pytestmark = pytest.mark.django_db

EVENING = {"event": "Monday pairs", "site": "Delft bridge", "date": "2025.11.03"}
LINE = TABLE.replace("<LEAD>AC</LEAD>", "")
RESULTS = document("".join(board(LINE, number=str(number)) for number in (1, 2, 3)))


def deals(*numbers: int, seed: int = 0, **values: str) -> bytes:
    return pbn(*(factories.record(seed + number, number, **EVENING | values) for number in numbers))


def codes(report: dict[str, list[dict[str, str]]]) -> list[str]:
    return [record["code"] for record in report["skipped"]]


def test_results_have_the_deals_of_the_same_event_and_day_that_their_owner_has_stored(service: APIClient) -> None:
    assert imported(service, deals(1, 2))["boards"] == 2
    report = dry_run_import(BytesIO(RESULTS.encode()), ImportOptions(owner_id="system"))
    assert (sum(report.boards.values()), report.skipped_count) == (2, 1)
    sent = imported(service, RESULTS)
    assert (sent["created"], sent["existing"], sent["boards"], codes(sent)) == (0, 2, 2, ["no_deal"])
    tables = Board.objects.exclude(contract="").order_by("board_number")
    assert [(each.deal.cards, each.event, each.site, each.pair_ns) for each in tables.select_related("deal")] == [
        (factories.layout(number).cards, "Monday pairs", "Delft bridge", "1") for number in (1, 2)
    ]
    assert imported(service, RESULTS)["boards"] == 0
    corrected = imported(service, RESULTS.replace(">9<", ">8<"))
    assert (corrected["boards"], len(corrected["corrected"])) == (0, 2)


def test_they_have_the_deals_of_a_published_evening_that_is_spelt_in_other_letters(service: APIClient) -> None:
    shouted = RESULTS.replace("Monday pairs", "MONDAY  PAIRS").replace("Delft bridge", "DELFT BRIDGE")
    imported(service, deals(1, 2), "?publish=true")
    assert codes(imported(service, shouted)) == ["no_deal"]
    assert Board.objects.exclude(contract="").count() == 2
    assert codes(imported(service, shouted.replace("MONDAY", "TUESDAY"))) == ["no_deal"] * 3


def test_they_have_none_of_another_evening_or_owner_or_of_two_deals(service: APIClient) -> None:
    owner = factories.account()
    others: tuple[dict[str, str], ...] = ({"event": "Tuesday"}, {"date": "2025.11.04"}, {"site": "Breda"})
    for other in others:
        imported(service, deals(1, **other))
    import_boards(BytesIO(deals(2)), ImportOptions(owner_id=owner.pk))
    imported(service, deals(3) + deals(3, seed=10))
    assert sorted(codes(imported(service, RESULTS))) == ["deals_differ", "no_deal", "no_deal"]
    assert not Board.objects.exclude(contract="").exists()


def test_the_event_that_is_named_with_the_file_joins_as_well() -> None:
    import_boards(BytesIO(deals(1, site="")))
    results = RESULTS.replace("Monday pairs", "").replace("03/11/2025", "").encode()
    assert import_boards(BytesIO(results)).boards == 0
    assert (
        import_boards(BytesIO(results), ImportOptions(texts={"event": "Monday pairs", "date": "2025.11.03"})).boards
        == 1
    )
    assert Board.objects.get(contract="2SX").site == "Delft bridge"
