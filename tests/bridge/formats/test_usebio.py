"""USEBIO: tables, hands, results, and where errors are."""

from dataclasses import replace
from io import BytesIO
from itertools import product
from pathlib import Path

from hypothesis import given
from pytest import MonkeyPatch

from bridge.board import BoardRecord
from bridge.contract import PASSED_OUT, Contract
from bridge.formats.files import read_boards
from bridge.formats.outcomes import RecordError, SkippedRecord
from bridge.formats.usebio import document as limits
from bridge.layout import Layout
from bridge.seats import Seat
from bridge.vulnerability import Vulnerability, board_dealer
from tests.bridge.formats.reading import CARDS, content, refused
from tests.bridge.formats.test_archives import pack
from tests.bridge.formats.usebio_files import READING, TABLE, WHOLE, board, document, hand_set, hands, usebio
from tests.bridge.strategies import moderate, records

OTHER_CARDS = "N:T987.765.432.AKQ AKQJ.T98.765.432 654.32.AKQJ.T987 32.AKQJ4.T98.J65"
BARE = BoardRecord(Layout.parse(CARDS), Seat.SOUTH, Vulnerability.ALL, board_number=7)
DEAL_ALONE = replace(BARE, event="Monday pairs", site="Delft bridge", date="2025.11.03", scoring="MP")
PAIRS = {"pair_ns": "1", "pair_ew": "4"}
BOARD = replace(DEAL_ALONE, contract=Contract.parse("2SX", Seat.NORTH), opening_lead="CA", tricks=9, **PAIRS)


def changed(old: str, new: str) -> str:
    assert old in WHOLE
    return WHOLE.replace(old, new)


def skipped(outcome: object) -> tuple[str, int, str]:
    assert isinstance(outcome, SkippedRecord)
    return outcome.board, outcome.line, outcome.code


def test_each_line_of_a_board_is_a_table_with_the_hands_of_its_number_and_no_player_is_named() -> None:
    assert READING.record(WHOLE) == BOARD
    other = TABLE.replace(">1<", ">2<").replace(">4<", ">5<")
    boards = READING.read_all(document(board(TABLE, other), hand_set()))
    assert boards == [BOARD, replace(BOARD, pair_ns="2", pair_ew="5")]
    assert "Person" not in str(boards)


@moderate
@given(record=records())
def test_any_board_is_read_from_usebio(record: BoardRecord) -> None:
    number = record.board_number
    dealer = board_dealer(number) if number else Seat.NORTH
    vulnerability = record.vulnerability
    expected = replace(
        DEAL_ALONE, layout=record.layout, dealer=dealer, vulnerability=vulnerability, board_number=number
    )
    if record.contract:
        expected = replace(expected, contract=record.contract, opening_lead=record.opening_lead, tricks=record.tricks)
    assert READING.record(usebio(record)) == expected


def test_hands_are_read_wherever_they_stand_and_however_a_void_is_written() -> None:
    for text in (
        document(board(TABLE, more=hands())),
        document(board(TABLE) + hand_set()),
        document(board(TABLE, number="07"), hand_set()),
        changed("North</", "n</"),
        changed(">AKQJ<", "> a K q J<"),
        changed(">T98<", ">1098<"),
        changed("<HAND><DIRECTION>East", "<X><DIRECTION>East").replace("AKQ</CLUBS></HAND>", "AKQ</CLUBS></X>"),
        WHOLE.replace("USEBIO", "usebio").replace("HANDSET", "HandSet").replace("CONTRACT", "Contract"),
        WHOLE.replace("\n", "\r\n"),
    ):
        assert READING.record(text) == BOARD, text
    cards = "N:AKQJT987.65432.. 65432.AKQJT987.. ..65432.AKQJT987 ..AKQJT987.65432"
    for void in ("", "-", "---", "—", "void", None):
        text = hand_set(cards)
        for suit in ("SPADES", "CLUBS"):
            text = text.replace(f"<{suit}></{suit}>", "" if void is None else f"<{suit}>{void}</{suit}>")
        assert READING.record(document("", text)).layout == Layout.parse(cards), void


def test_a_table_without_a_contract_or_hands_is_passed_over_and_a_deal_is_a_board() -> None:
    no_contract = board("<NS_PAIR_NUMBER>1</NS_PAIR_NUMBER><CONTRACT></CONTRACT><SCORE>0</SCORE>")
    contracts = [changed(">2Sx<", f">{contract}<") for contract in ("", "NP", "not played")]
    for text in (document(no_contract, hand_set()), *contracts):
        table, deal = READING.outcomes(text)
        assert skipped(table) == ("7", 7, "not_played")
        assert content(deal) == DEAL_ALONE
    table, deal = READING.outcomes(document(board(TABLE, number="8"), hand_set()))
    assert skipped(table) == ("8", 7, "no_deal") and content(deal) == DEAL_ALONE


def test_an_adjusted_score_is_a_table_without_a_result() -> None:
    for adjusted, place in product(("A60-40", "A6040", "a50", "A", "AVE+", "Av-", "ADJ", "60%"), (">2Sx<", ">870<")):
        text = document(board(TABLE.replace(place, f">{adjusted}<"), TABLE), hand_set())
        for reading in (READING, READING.strictly):
            table, other = reading.read_all(text)
            assert table == replace(DEAL_ALONE, adjustment=adjusted, **PAIRS), adjusted
            assert other == BOARD
    for contract in ("", "NP"):
        line = changed(">2Sx<", f">{contract}<")
        artificial = line.replace("<SCORE>870</SCORE>", "<ARTIFICIAL_SCORE>A5050</ARTIFICIAL_SCORE><SCORE>0</SCORE>")
        for text in (line.replace(">870<", ">A5050<"), artificial):
            assert READING.record(text).adjustment == "A5050", text
    assert READING.record(changed(">2Sx<", ">AP<").replace(">870<", ">0<")).contract == PASSED_OUT


def test_a_hand_set_holds_for_what_it_stands_in() -> None:
    sessions = "".join(
        f'<SESSION SESSION_ID="{number}">{board(TABLE)}{hand_set(cards)}</SESSION>'
        for number, cards in ((1, CARDS), (2, OTHER_CARDS))
    )
    boards = READING.read_all(document(sessions, hand_set(OTHER_CARDS)))
    assert [(each.layout.cards, each.stage) for each in boards] == [
        *((CARDS, "Session 1"), (OTHER_CARDS, "Session 2"), (OTHER_CARDS, "")),
    ]
    error, *deals = READING.outcomes(document(board(TABLE), hand_set() + hand_set(OTHER_CARDS)))
    assert refused(error) == (1, "7", 7, "deals_differ")
    assert [content(each).layout.cards for each in deals] == [CARDS, OTHER_CARDS]
    assert READING.read_all(document(board(TABLE), hand_set() * 2)) == [BOARD]


def test_the_only_session_and_section_need_no_mention_so_that_deals_in_pbn_are_of_the_same_evening() -> None:
    for session, sections, stage in (
        *((1, "A", ""), ("A", "1", ""), (2, "A", "Session 2, Section A"), (1, "AB", "Session 1, Section A")),
    ):
        parts = "".join(f'<SECTION SECTION_ID="{each}">{board(TABLE)}</SECTION>' for each in sections)
        text = document(f'<SESSION SESSION_ID="{session}">{parts}</SESSION>', hand_set())
        assert READING.read_all(text)[0].stage == stage, (session, sections)


def test_sections_that_were_scored_together_are_one_stage_and_their_pairs_have_its_letter() -> None:
    def evening(top: int) -> str:
        points = f"<NS_MATCH_POINTS>{top}</NS_MATCH_POINTS><EW_MATCH_POINTS>0</EW_MATCH_POINTS>"
        sections = "".join(
            f'<SECTION SECTION_ID="{name}">{board(*[TABLE + points] * 3)}</SECTION>' for name in ("A", "(B) ")
        )
        return document(sections.replace(">4<", ">(B) 4<"), hand_set())

    for top in (5, 10, 50, 100):
        read = READING.read_all(evening(top))
        assert {each.stage for each in read} == {""}, top
        assert [each.pair_ns for each in read[::3]] == ["A1", "(B)1"] and read[3].pair_ew == "(B) 4", top
    numbered = READING.read_all(evening(10).replace('"A"', '"1"'))
    assert numbered[0].pair_ns == "1-1"
    written = READING.read_all(evening(10).replace('"A"', '"1"').replace("NUMBER>1<", "NUMBER>1-12<"))
    assert written[0].pair_ns == "1-12", "by the program itself"
    for top in (2, 4, 20, 40, 7, 0):  # The top of three tables, or of nothing that is here.
        assert {each.stage for each in READING.read_all(evening(top))} == {"Section A", "Section (B)"}, top


def test_results_and_dates_are_read_as_programs_write_them() -> None:
    for old, new, contract, tricks, lead in (
        *((">9<", ">+1<", "2SX by North", 9, "CA"), (">9<", ">=<", "2SX by North", 8, "CA")),
        *((">9<", ">-3<", "2SX by North", 5, "CA"), (">2Sx<", ">2 S xx<", "2SXX by North", 9, "CA")),
        *((">2Sx<", ">2NT<", "2NT by North", 9, "CA"), (">2Sx<", ">PASS<", "Pass", None, "")),
        (">N</PLAYED", ">South</PLAYED", "2SX by South", 9, ""),  # West leads then, and has no ace of clubs.
        *((">AC<", ">10S<", "2SX by North", 9, "ST"), (">AC<", ">s10<", "2SX by North", 9, "ST")),
        *((">AC<", "><", "2SX by North", 9, ""), (">AC<", ">-<", "2SX by North", 9, "")),
    ):
        outcome = READING.board(changed(old, new))
        read = outcome.content
        assert (str(read.contract), read.tricks, read.opening_lead) == (contract, tricks, lead), new
        assert [each.code for each in outcome.warnings if each.code != "score_contradicts"] == ["lead_dropped"][
            : "South" in new
        ]
        assert not outcome.is_doubtful
    for written, date, codes in (("3.1.2025", "2025.01.03", []), ("May", "May", ["date_unread"])):
        read, warnings = READING.warned(changed("03/11/2025", written))
        assert (read.date, warnings) == (date, codes)
    words = changed(">N</PLAYED", ">Nord</PLAYED").replace(">7</BOARD_NUMBER", ">Board 7</BOARD_NUMBER")
    assert READING.record(words) == BOARD


def test_what_contradicts_is_left_out_with_its_line() -> None:
    no_contract = [("contract_dropped", 8), ("result_dropped", 11)]
    for old, new, warnings in (
        *((">2Sx<", ">9S<", no_contract), (">N</PLAYED", ">?</PLAYED", no_contract)),
        (">9<", ">14<", [("result_dropped", 11), ("result_from_score", 12)]),
        *((">AC<", ">ZZ<", [("play_dropped", 10)]), (">AC<", ">AS<", [("lead_dropped", 10)])),
    ):
        outcome = READING.board(changed(old, new))
        assert sorted((each.code, each.line) for each in outcome.warnings) == warnings, new
        assert {each.board for each in outcome.warnings} == {"7"}
        assert outcome.content.layout == BOARD.layout
        assert READING.refusal(changed(old, new)).code not in ("", "not_played")


def test_the_type_of_the_event_says_the_scoring_where_the_method_does_not() -> None:
    method = "<BOARD_SCORING_METHOD>{}</BOARD_SCORING_METHOD>"
    for stated, event_type, scoring in (
        *(("IMPS", "BUTLER_PAIRS", "IMP;Butler-2"), ("IMPS", "cross_imp", "Cross-IMP"), ("", "MP_PAIRS", "MP")),
        *(("BUTLER", "PAIRS", "IMP;Butler-2"), ("IMPS", "PAIRS", "IMP"), ("MP", "BUTLER_PAIRS", "MP")),
    ):
        text = changed(method.format("MATCH_POINTS"), method.format(stated))
        typed = text.replace('"PAIRS"', f'"{event_type}"')
        of_board = text.replace("<BOARD>", f'<BOARD EVENT_TYPE="{event_type}">', 1)
        assert READING.record(typed).scoring == READING.record(of_board).scoring == scoring, (stated, event_type)


def test_hands_that_are_wrong_are_an_error_of_each_table() -> None:
    text = document(board(TABLE, TABLE), hand_set().replace(">AKQJ<", ">AKQT<"))
    errors = [(each.record, each.board, each.code) for each in READING.outcomes(text) if isinstance(each, RecordError)]
    assert errors == [(1, "7", "duplicate_card"), (2, "7", "duplicate_card")]
    two_hands = hand_set().replace("North", "x").replace("East", "y")
    assert READING.refusal(document(board(TABLE), two_hands)).code == "unknown_hand"


def test_a_match_has_the_names_of_its_teams_or_the_numbers_of_its_pairs() -> None:
    teams = "".join(
        f'<TEAM TEAM_ID="{number}" TEAM_NAME="{name}"><PLAYER><PLAYER_NAME>Person</PLAYER_NAME></PLAYER></TEAM>'
        for number, name in ((1, "Reds &amp; Co"), (2, "Blues"))
    )
    lines = [f"<DIRECTION>{side}</DIRECTION>{TABLE[TABLE.index('<CONTRACT') :]}" for side in ("NS", "EW")]
    match = "<MATCH><ROUND_NUMBER>3</ROUND_NUMBER><TEAM>1</TEAM><OPPOSING_TEAM>2</OPPOSING_TEAM>{}</MATCH>"
    event = f"<PARTICIPANTS>{teams}</PARTICIPANTS>{match.format(board(*lines))}"
    first = replace(
        BOARD, stage="Round 3", home_team="Reds & Co", visit_team="Blues", table="NS", pair_ns="", pair_ew=""
    )
    assert READING.read_all(document(event, hand_set())) == [first, replace(first, table="EW")]
    pairs = "<NS_PAIR_NUMBER>1</NS_PAIR_NUMBER><EW_PAIR_NUMBER>4</EW_PAIR_NUMBER>"
    match = f"<MATCH>{pairs}{board(TABLE[TABLE.index('<CONTRACT') :])}</MATCH>"
    table = READING.record(document(f'<SECTION SECTION_ID="B">{match}</SECTION>', hand_set()))
    assert table == replace(BOARD, stage="Section B")


def test_it_is_recognised_by_its_content_in_a_zip_too() -> None:
    for data in (WHOLE.encode(), pack(("results.xml", WHOLE.encode())), f"<usebio >{WHOLE[22:]}".encode()):
        assert next(read_boards(BytesIO(data))).board in ("7", "")
    assert [content(each) for each in read_boards(BytesIO(WHOLE.encode()))] == [BOARD]


EVENT = "Monday pairs"


def event(text: str | bytes) -> str:
    (outcome,) = read_boards(BytesIO(text.encode() if isinstance(text, str) else text))
    return content(outcome).event


def test_any_encoding_is_read() -> None:
    for declared, encoding, name in (
        *(("", "utf-8", "Žižkov café"), ("", "utf-8-sig", "Žižkov café"), ("", "cp1252", "Café – “x”")),
        *(("utf-8", "cp1252", "Café – “x”"), ("iso-8859-1", "cp1252", "Café – “x”")),
        *(("iso-8859-1", "utf-8", "Café – “x”"), ("iso-8859-99", "cp1252", "Café")),
        *(("ISO-8859-2", "iso-8859-2", "Łódź"), ("windows-1250", "cp1250", "Łódź")),
        *(("windows-1250", "utf-8", "Łódź"), ("utf-16", "utf-16", "Łódź")),
    ):
        declaration = f'<?xml version="1.0" encoding="{declared}"?>' if declared else '<?xml version="1.0"?>'
        text = document(board(TABLE), hand_set(), declaration).replace(EVENT, name)
        assert event(text.encode(encoding)) == name, (declared, encoding)


def test_texts_are_kept_as_they_are_meant() -> None:
    for written, read in (
        *(("Smith &amp; Jones", "Smith & Jones"), ("Smith & Jones", "Smith & Jones")),
        *(("<![CDATA[Smith & <b>]]>", "Smith & <b>"), ("<![CDATA[]] & ]]]]><![CDATA[>]]> & Jones", "]] & ]]> & Jones")),
        *(("Caf&eacute; &#233;&#xe9;", "Café éé"), ("&nothing; of it", "&nothing; of it")),
        *(('"x" \\ [y] {z} ;#', '"x" \\ [y] {z} ;#'), ("#", "#"), ("two\n  lines", "two   lines")),
        ("a<b>c</b>", "ac"),
    ):
        assert event(WHOLE.replace(EVENT, written)) == read, written


def test_what_is_no_xml_is_refused_with_its_line() -> None:
    for old, new, line in (
        *(("</CONTRACT>", "</CONTRAKT>", 8), ("</USEBIO>\n", "", 15), ("<BOARD>\n", "<BOARD\n", 6)),
        *(("Monday", "&#0;", 4), ("Monday", "\x01", 4), ("Monday", "<x>" * 40, 4)),
    ):
        assert old in WHOLE
        refusal = READING.refusal(WHOLE.replace(old, new))
        assert (refusal.code, refusal.line) == ("malformed_xml", line), new
    assert READING.refusal(WHOLE.replace("Monday", "\0")).code == "not_text"


def test_nothing_that_is_defined_is_read_and_nothing_is_fetched(tmp_path: Path) -> None:
    secret = tmp_path / "secret"
    secret.write_text("Secret pairs")
    bomb = "".join(f'<!ENTITY e{n} "{f"&e{n - 1};" * 10}">' for n in range(1, 9))
    for definition in (
        '<!ENTITY a "b">',
        f'<!ENTITY a SYSTEM "{secret.as_uri()}">',
        f'<!ENTITY % a SYSTEM "{secret.as_uri()}"> %a;',
        f'<!ENTITY e0 "x">{bomb}',
        '<!ATTLIST BOARD a CDATA "b">',
    ):
        text = WHOLE.replace('SYSTEM "http://usebio.invalid/usebio_v1_2.dtd"', f"[{definition}]")
        for name in ("Monday", "&a;", "&e8;"):
            refusal = READING.refusal(text.replace("Monday", name))
            assert (refusal.code, refusal.line) == ("malformed_xml", 2)
    text = WHOLE.replace("http://usebio.invalid/usebio_v1_2.dtd", secret.as_uri())
    assert event(text.replace("Monday", "&a;")) == "&a; pairs"


def test_a_document_that_is_too_large_is_refused(monkeypatch: MonkeyPatch) -> None:
    assert READING.record(WHOLE).event == EVENT
    for limit, value in (("MAX_SIZE", 1000), ("MAX_ELEMENTS", 20), ("MAX_NODES", 8), ("MAX_REFERENCES", 1)):
        with monkeypatch.context() as patch:
            patch.setattr(limits, limit, value)
            assert READING.refusal(WHOLE.replace("pairs", "&amp;&amp;")).code == "document_too_large"
    long = READING.record(WHOLE.replace(EVENT, "x" * 100_000))
    assert long.event == "" and long.board_number == 7
