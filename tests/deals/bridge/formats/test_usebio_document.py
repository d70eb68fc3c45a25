"""The XML of USEBIO: encodings, references, and what is refused."""

from io import BytesIO
from pathlib import Path

from pytest import MonkeyPatch

from deals.bridge.formats.files import read_boards
from deals.bridge.formats.usebio import document as limits
from tests.deals.bridge.formats.reading import content
from tests.deals.bridge.formats.usebio_files import READING, TABLE, WHOLE, board, document, hand_set

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


def test_nul_characters_are_no_text() -> None:
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
