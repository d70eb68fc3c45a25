import re
from dataclasses import replace
from io import BytesIO
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection
from django.test.utils import CaptureQueriesContext
from rest_framework.test import APIClient

from boards.files import importing, reports
from boards.models import Board
from bridge.board import BoardRecord
from bridge.formats.lin.writer import write_lin
from bridge.formats.pbn.writer import HEADER, write_pbn
from bridge.seats import Seat
from deals.models import Deal
from tests import factories
from tests.answers import assert_error, field_errors
from tests.boards.admin.pages import pbn
from tests.bridge.formats.test_archives import pack
from tests.bridge.formats.usebio_files import usebio

pytestmark = pytest.mark.django_db

PATH = "/api/deals/import"
PBN = "application/x-pbn"
UNKNOWN_HAND = '[Deal "N:AKQJ.T98.765.432 - - -"]\r\n\r\n'


def played(number: int = 1, **values: Any) -> BoardRecord:
    return factories.record(number=number, calls="1NT Pass Pass Pass", tricks=7, **values)


def send(client: APIClient, body: bytes, query: str = "", media_type: str = PBN) -> Any:
    return client.generic("POST", PATH + query, body, content_type=media_type)


def imported(client: APIClient, body: bytes, query: str = "", media_type: str = PBN) -> dict[str, Any]:
    response = send(client, body, query, media_type)
    assert response.status_code == 200, response.json()
    return response.json()


def assert_refused(response: Any, status: int, code: str, field: str = "") -> None:
    """Check the answer, and that nothing was stored."""
    body = assert_error(response, status, code)
    if field:
        assert list(body["meta"]["fields"]) == [field]
    assert not Deal.objects.exists()
    assert not Board.objects.exists()


def numbers(report: dict[str, Any]) -> tuple[int, int, int, int]:
    return report["created"], report["existing"], report["boards"], len(report["failed"])


FILE_LABELS = (
    *(PBN, "text/x-pbn", "application/x-lin", "text/plain", "application/octet-stream", "application/pdf"),
    *("application/zip", "application/x-zip-compressed", "text/xml", "application/xml", "text/html", "a", ""),
    *(f"{PBN}; charset=iso-8859-1", "text/x-pbn; charset=windows-1252", "text/plain; charset=UTF-8"),
    *(f"{PBN}; charset=punycode", "text/plain; charset=nosuch", "text/plain; charset*=utf-8''idna"),
)


def test_any_label_but_that_of_json_or_a_form_is_no_more_than_a_label(service: APIClient) -> None:
    record = played(commentary="Café")
    (stored,) = imported(service, pbn(record))["dealIds"]
    files = {
        "PBN": pbn(record).decode().encode("cp1252"),
        "LIN": write_lin(record).encode(),
        "ZIP": pack(("evening.pbn", pbn(record))),
        "USEBIO": usebio(record).encode(),
    }
    labels = {name: FILE_LABELS if name == "PBN" else FILE_LABELS[::4] for name in files}
    for name, file in files.items():
        for label in labels[name]:
            report = imported(service, file, media_type=label)
            assert (name, label, report["dealIds"], report["failed"]) == (name, label, [stored], [])
    assert {board.commentary for board in Board.objects.all()} <= {"Café", ""}


def test_the_report_counts_what_was_created_and_lists_the_ids_in_the_files_order(service: APIClient) -> None:
    records = [played(), factories.record(number=2), played(number=3)]
    report = imported(service, pbn(*records))
    deals = [Deal.objects.get(cards=record.layout.cards) for record in records]
    nothing: dict[str, Any] = {"failed": [], "warnings": [], "skipped": [], "merged": [], "corrected": []}
    nothing["points"] = {"compared": 0, "agreed": 0, "different": []}
    counts = dict.fromkeys(
        ("existing", "warningsCount", "skippedCount", "mergedCount", "correctedCount", "rankings"), 0
    )
    counts |= {"created": 3, "boards": 3, "dryRun": False}
    boards = [str(deal.boards.get().pk) for deal in deals]
    assert report == {**nothing, **counts, "dealIds": [str(deal.pk) for deal in deals], "boardIds": boards}


def test_a_board_stores_everything_that_a_file_says_in_latin_1_too(service: APIClient) -> None:
    texts = {"title": "A title", "commentary": "Two\n\nparagraphs", "date": "2026.11.21", "scoring": "IMP"}
    texts |= {"stage": "Final", "room": "Closed", "table": "12", "home_team": "Reds", "visit_team": "Blues"}
    record = played(number=5, event="Café", site="Hall", **texts)
    imported(service, pbn(record).decode().encode("latin-1"))
    board = Board.objects.select_related("deal", "auction_system").get()
    assert importing.columns_of(record) == {name: getattr(board, name) for name in importing.columns_of(record)}
    assert (board.deal.cards, board.owner_id, board.published_at) == (record.layout.cards, "system", None)


def test_importing_twice_changes_nothing(service: APIClient) -> None:
    body = pbn(played(), factories.record(number=2))
    first = imported(service, body, "?publish=true")
    before = list(Board.objects.order_by("pk").values())
    with CaptureQueriesContext(connection) as queries:
        second = imported(service, body, "?publish=true")
    assert second == {**first, "created": 0, "existing": 2, "boards": 0}
    assert list(Board.objects.order_by("pk").values()) == before
    written = [query["sql"] for query in queries if re.match("INSERT|UPDATE|DELETE", query["sql"])]
    assert not written


def test_a_deal_and_a_board_are_stored_once_and_another_result_or_owner_makes_another_board(service: APIClient) -> None:
    factories.account("ada")
    deal = factories.deal(1, source_name="a dealing machine")
    record, other = played(seed=1), factories.record(seed=1, calls="1S Pass Pass Pass", tricks=8)
    report = imported(service, pbn(record, record, other, played()))
    assert numbers(report) == (1, 1, 3, 0)
    assert (len(report["dealIds"]), len(report["boardIds"]), report["dealIds"][0]) == (2, 3, str(deal.pk))
    deal.refresh_from_db()
    assert (deal.source_name, deal.boards.count()) == ("a dealing machine", 2)
    assert numbers(imported(service, pbn(record), "?userId=ada")) == (0, 1, 1, 0)


def test_the_valid_records_are_stored_and_each_invalid_one_is_reported(service: APIClient) -> None:
    good = write_pbn(factories.record()), write_pbn(factories.record(number=2))
    body = good[0] + UNKNOWN_HAND + good[1] + '[Deal "garbage"]\r\n'
    report = imported(service, body.encode())
    assert numbers(report) == (2, 0, 2, 2)
    lines = [body[: body.index(bad)].count("\n") + 1 for bad in (UNKNOWN_HAND, '[Deal "garbage"]')]
    assert [(failed["record"], failed["line"], failed["code"]) for failed in report["failed"]] == [
        (2, lines[0], "unknown_hand"),
        (4, lines[1], "malformed_deal"),
    ]
    assert all(failed["message"].endswith(".") for failed in report["failed"][:1])


def test_a_game_that_repeats_everything_by_a_sign_is_refused_and_costs_no_other(service: APIClient) -> None:
    names = ("Event", "Site", "Date", "Board", "Dealer", "Vulnerable", "Deal")
    repeated = "".join(f'[{name} "#"]\r\n' for name in names) + '[Declarer "S"][Contract "3NT"][Result "9"]\r\n\r\n'
    good = write_pbn(factories.record()), write_pbn(factories.record(number=2))
    report = imported(service, (good[0] + repeated + good[1]).encode())
    assert numbers(report) == (2, 0, 2, 1)
    assert [failed["code"] for failed in report["failed"]] == ["forbidden_inheritance"]


def test_a_text_that_is_too_long_to_store_is_left_out_and_not_cut(service: APIClient) -> None:
    body = pbn(factories.record(title="x" * 201, site="Hall"), factories.record(title="x" * 200))
    report = imported(service, body)
    assert [(warning["record"], warning["code"]) for warning in report["warnings"]] == [(1, "text_dropped")]
    first, second = [Board.objects.get(pk=pk) for pk in report["boardIds"]]
    assert (first.title, first.site, second.title) == ("", "Hall", "x" * 200)
    report = imported(service, body, "?strict=true")
    assert [failed["code"] for failed in report["failed"]] == ["text_too_long"]


def test_a_file_whose_boards_are_renumbered_is_told_so_once_or_says_so_itself(service: APIClient) -> None:
    file = pbn(*(replace(factories.record(number=number), dealer=Seat.WEST) for number in (1, 2, 3)))
    report = imported(service, file)
    assert (report["boards"], report["warningsCount"], len(report["warnings"])) == (3, 1, 1)
    assert report["warnings"][0]["code"] == "against_board_number"
    assert imported(service, file, "?renumbered=true")["warnings"] == []
    assert len(imported(service, file, "?strict=true")["failed"]) == 3
    assert imported(service, file, "?strict=true&renumbered=true")["failed"] == []


def test_an_atomic_import_stores_all_records_or_none(service: APIClient, monkeypatch: pytest.MonkeyPatch) -> None:
    good = pbn(played(), played())
    for batch in (1, 500):
        monkeypatch.setattr(reports, "BATCH_SIZE", batch)
        response = send(service, good + UNKNOWN_HAND.encode() + pbn(played()), "?atomic=true&publish=true")
        assert_refused(response, 400, "validation_error")
        (failed,) = response.json()["meta"]["failed"]
        assert (failed["record"], failed["code"]) == (3, "unknown_hand")
        assert set(failed) == {"record", "board", "line", "code", "message"}
    assert numbers(imported(service, good, "?atomic=true")) == (2, 0, 2, 0)


def test_boards_get_the_theme_and_the_owner_of_the_query_and_one_theme_beside_another(service: APIClient) -> None:
    first, second = factories.theme("first"), factories.theme("second")
    factories.account("ada")
    body = pbn(played(), played())
    for name, themes in (("first", {first}), ("first", {first}), (second.pk, {first, second})):
        imported(service, body, f"?theme={name}&userId=ada")
        assert [set(board.themes.all()) for board in Board.objects.filter(owner="ada")] == [themes, themes]


def test_an_invalid_query_is_refused_and_stores_nothing(service: APIClient) -> None:
    for theme_type in ("convention", "lesson"):
        factories.theme("overcalls", type=theme_type)
    for query in (
        *(f"theme={name}" for name in ("nothing", factories.NOBODYS_ID, "overcalls", "%00", "x" * 300)),
        *(f"userId={name}" for name in ("nobody", "%00", "x" * 300)),
        *("publish=yes", "publish=Yes", "atomic=1", "publish=true&publish=true"),
    ):
        field = query.partition("=")[0]
        assert_refused(send(service, pbn(played()), f"?{query}"), 400, "validation_error", field)


def test_an_empty_body_and_a_form_that_cannot_be_read_are_refused(service: APIClient) -> None:
    form = "multipart/form-data; boundary=x"
    assert_refused(send(service, b"no form", media_type="multipart/form-data"), 400, "bad_request")
    for body, media_type in ((b"--y\r\n\r\nno form", form), (b"", form), (b"", PBN), (b"", "text/plain")):
        assert_refused(send(service, body, media_type=media_type), 400, "validation_error", "file")
    for charset in ("iso-8859-1", "utf-16", "punycode", "nothing"):
        response = send(service, b"--x--", media_type=f"{form}; charset={charset}")
        assert_refused(response, 415, "unsupported_media_type")


def test_json_or_a_form_without_a_file_is_refused_with_the_types_to_send(service: APIClient) -> None:
    for media_type in (
        *("application/x-www-form-urlencoded", "APPLICATION/X-WWW-FORM-URLENCODED", "application/json"),
        *("application/vnd.api+json; charset=utf-8", "multipart/mixed; boundary=x", "multipart/related"),
    ):
        response = send(service, pbn(played()), media_type=media_type)
        assert_refused(response, 415, "unsupported_media_type")
        types = response["Accept-Post"].split(", ")
        assert {PBN, "text/x-pbn", "application/octet-stream", "multipart/form-data"} < set(types), media_type
        assert all(each in response.json()["message"] for each in types), media_type


def test_a_file_that_is_not_a_bridge_file_creates_nothing(service: APIClient) -> None:
    for body in (HEADER.encode(), b"\0\0\0", b"\xff\xfe", b'{"json": true}', b"[", b'[Deal "', b"%PDF-1.7\n%\xe2\xe3"):
        report = imported(service, body)
        assert (report["boards"], report["dealIds"], report["boardIds"]) == (0, [], []), body
    assert imported(service, HEADER.encode())["failed"][0]["code"] == "not_a_bridge_file"
    assert not Deal.objects.exists()


def test_a_body_of_more_than_16_mib_is_too_large(service: APIClient) -> None:
    body = pbn(played()).ljust(16 * 1024 * 1024 + 1, b"\n")
    response = send(service, body)
    assert_refused(response, 413, "payload_too_large")
    assert response.json()["meta"]["maxBytes"] == 16 * 1024 * 1024


def test_more_records_in_a_batch_need_no_more_queries(service: APIClient) -> None:
    """Compare small batches. Django splits those of more than 31 records: SQLite takes 999 values in a statement."""
    factories.theme("stayman")
    counts = []
    for size in (2, 6):
        body = pbn(*[played() for _ in range(size)])
        for query in ("?theme=stayman", "?theme=stayman&publish=true", "?theme=stayman&publish=true"):
            with CaptureQueriesContext(connection) as queries:
                imported(service, body, query)
            counts.append(len(queries))
    assert counts[:3] == counts[3:]


def test_an_import_reports_its_progress_after_each_batch(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reports, "BATCH_SIZE", 2)
    counts: list[int] = []
    report = importing.import_boards(
        BytesIO(pbn(*[played() for _ in range(5)])), on_progress=lambda report: counts.append(report.boards)
    )
    assert (counts, report.boards) == ([2, 4, 5], 5)


@pytest.mark.django_db(transaction=True)
def test_no_transaction_is_open_while_the_body_arrives(service: APIClient) -> None:
    """Hold no transaction: SQLite would let nobody else write for as long as a slow client takes."""
    in_transaction = []

    class SlowBody(BytesIO):
        def read(self, size: int | None = -1) -> bytes:
            in_transaction.append(connection.in_atomic_block)
            return super().read(size)

    for size in (10, 1_500_000):
        body = pbn(factories.record()) + b"\r\n" * (size // 2)
        sent = {"wsgi.input": SlowBody(body), "CONTENT_LENGTH": str(len(body)), "CONTENT_TYPE": PBN}
        response = service.generic("POST", f"{PATH}?atomic=true", **sent)
        assert numbers(response.json()) == (1, 0, 1, 0)
        assert in_transaction and not any(in_transaction), size


def upload(more: bytes = b"") -> SimpleUploadedFile:
    return SimpleUploadedFile("boards.pbn", pbn(played()) + more)


def send_form(client: APIClient, form: dict[str, Any], query: str = "") -> Any:
    return client.post(f"{PATH}?{query}", form, format="multipart")


def test_a_form_with_a_file_of_any_format_may_have_the_parameters(service: APIClient) -> None:
    theme, owner = factories.theme("stayman"), factories.account("ada")
    lin = SimpleUploadedFile("board.lin", write_lin(played()).encode(), "application/x-lin")
    form = {"file": lin, "publish": "true", "theme": "stayman", "userId": "ada", "atomic": "false"}
    response = send_form(service, form)
    assert response.status_code == 200, response.json()
    board = Board.objects.published().get()
    assert (board.owner, list(board.themes.all())) == (owner, [theme])


def test_a_form_may_ask_for_all_or_nothing(service: APIClient) -> None:
    response = send_form(service, {"file": upload(UNKNOWN_HAND.encode()), "atomic": "true"})
    assert len(assert_error(response, 400, "validation_error")["meta"]["failed"]) == 1
    assert not Deal.objects.exists()


def test_parameters_may_stand_in_the_query_the_form_or_with_one_value_in_both(service: APIClient) -> None:
    factories.account("ada")
    response = send_form(service, {"file": upload(), "userId": "ada", "publish": "true"}, "publish=true&atomic=true")
    assert response.status_code == 200, response.json()
    assert Board.objects.published().get().owner_id == "ada"


def test_a_flag_is_true_where_the_query_or_the_form_says_so(service: APIClient) -> None:
    """Send what generated clients send: Python's spelling, and the default in the place that nobody wrote to."""
    for in_form, query, is_published in (
        *(("True", "", True), ("True", "publish=false&atomic=false", True), ("False", "publish=true", True)),
        *(("TRUE", "publish=true", True), ("False", "publish=false", False)),
    ):
        response = send_form(service, {"file": upload(), "publish": in_form}, query)
        board = Board.objects.get(pk=response.json()["boardIds"][0])
        assert (board.published_at is not None) == is_published, (in_form, query)


WRONG = {"note": "hello", "publish": "yes", "userId": "nobody"}
CODES_OF_WRONG = {"note": ["unknown_field"], "publish": ["invalid_choice"], "userId": ["does_not_exist"]}
REFUSED: tuple[tuple[dict[str, Any], str, dict[str, list[str]]], ...] = (
    ({"userId": "ada"}, "userId=system", {"userId": ["contradiction"]}),
    *(({"publish": ["true", "true"]}, "", {"publish": ["repeated"]}), ({"theme": ""}, "", {"theme": ["blank"]})),
    *(({"publish": value}, "", {"publish": ["invalid_choice"]}) for value in ("yes", "")),
    *(({name: "true"}, "", {name: ["unknown_field"]}) for name in ("note", "force")),
    (WRONG, "atomic=1&theme=nothing", CODES_OF_WRONG | {"atomic": ["invalid_choice"], "theme": ["does_not_exist"]}),
)


def test_all_that_is_wrong_with_a_form_and_its_query_is_named_at_once(service: APIClient) -> None:
    for form, query, errors in REFUSED:
        assert field_errors(send_form(service, {"file": upload(), **form}, query)) == errors
        assert field_errors(send_form(service, form, query)) == {**errors, "file": ["required"]}
    assert not Deal.objects.exists()


def test_a_form_has_one_file_in_its_field_file(service: APIClient) -> None:
    required, unknown = {"file": ["required"]}, ["unknown_field"]
    forms: tuple[tuple[dict[str, Any], dict[str, list[str]]], ...] = (
        *((form, required) for form in ({}, {"file": "a text"}, {"file": [upload(), upload()]})),
        *(({"file": [upload(), "a text"]}, required), ({"upload": upload()}, {"upload": unknown, **required})),
        *(({"file": upload(), name: upload()}, {name: unknown}) for name in ("two", "publish")),
    )
    for form, errors in forms:
        assert field_errors(send_form(service, form)) == errors, form
    assert not Deal.objects.exists()


def test_the_document_names_the_fields_of_the_form(anonymous: APIClient) -> None:
    document = anonymous.get("/api/openapi.json").json()
    body = document["paths"][PATH]["post"]["requestBody"]["content"]["multipart/form-data"]["schema"]
    schema = document["components"]["schemas"][body["$ref"].rpartition("/")[2]]
    assert schema["properties"].keys() == {
        "file",
        "publish",
        "atomic",
        "dryRun",
        "strict",
        "renumbered",
        "theme",
        "userId",
    }
    assert (schema["required"], schema["additionalProperties"]) == (["file"], False)
