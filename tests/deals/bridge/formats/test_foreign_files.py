"""What is no bridge file is one error, which names what it looks like."""

from deals.bridge.formats.files import read_boards
from deals.bridge.formats.pbn.writer import HEADER
from tests.deals.bridge.formats.pbn.files import DEAL
from tests.deals.bridge.formats.reading import Reading, content, refused
from tests.deals.bridge.formats.test_archives import pack

READING = Reading(read_boards)


def office(*names: str) -> bytes:
    return pack(("[Content_Types].xml", b"<Types/>"), *((name, b"<x/>") for name in names))


def open_document(kind: str) -> bytes:
    return pack(("mimetype", f"application/vnd.oasis.opendocument.{kind}".encode()), ("content.xml", b"<x/>"), method=0)


FILES = {
    "empty": (b"", "empty"),
    "blank": (b"\xef\xbb\xbf \r\n\n", "empty"),
    "UTF-16 without a letter": (b"\xff\xfe", "empty"),
    "PDF": (b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n1 0 obj\n[/Name (x)]", "a PDF document"),
    "PNG": (b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", "a picture"),
    "JPEG": (b"\xff\xd8\xff\xe0\0\x10JFIF", "a picture"),
    "GIF": (b"GIF89a\x01\0", "a picture"),
    "Access": (b"\0\x01\0\0Standard Jet DB\0\x01", "an Access database"),
    "Access 2007": (b"\0\x01\0\0Standard ACE DB\0\x01", "an Access database"),
    "old Excel": (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(504), "an old Excel or Word file"),
    "xlsx": (office("_rels/.rels", "xl/workbook.xml"), "an Excel spreadsheet"),
    "docx": (office("_rels/.rels", "word/document.xml"), "a Word document"),
    "pptx": (office("ppt/presentation.xml"), "an Office document"),
    "ods": (open_document("spreadsheet"), "a spreadsheet"),
    "odt": (open_document("text"), "an OpenDocument text"),
    "RTF": (rb"{\rtf1\ansi Board 1}", "a document in RTF"),
    "SQLite": (b"SQLite format 3\0", "an SQLite database"),
    "gzip": (b"\x1f\x8b\x08\0", "a packed file"),
    "page": (b"<!DOCTYPE html>\n<title>[Event]</title>", "a web page"),
    "XHTML": (b'<?xml version="1.0"?>\n<html xmlns="x"><p>', "a web page"),
    "part of a page": (b"<p>Board 1</p>", "a web page"),
    "XML": (b'<?xml version="1.0"?>\n<!DOCTYPE event>\n<event code="<USEBIO >">', "XML"),
    "UTF-16 XML": ('<?xml version="1.0" encoding="utf-16"?><event/>'.encode("utf-16"), "XML"),
    "UTF-16 without a mark": ('[Event "x"]\n'.encode("utf-16-le"), "text in UTF-16 without a byte order mark"),
    "the other UTF-16": ('<?xml version="1.0"?>'.encode("utf-16-be"), "text in UTF-16 without a byte order mark"),
    "JSON": (b'{"boards": [{"n": "SAKQ"}]}', "JSON"),
    "JSON list": (b'[\n  {"n": "SAKQ"}]', "JSON"),
    "CSV": (b"Board,Contract,Score\n1,4S,420\n2,3NT,400\n", "a table (CSV)"),
    "tabs": (b"Board\tContract\n1\t4S\n", "a table (CSV)"),
    "a letter": (b"Dear all,\n\nthe boards come tomorrow.\n\nYours\n", "text without a board"),
    "noise": (bytes(range(256)), "not a bridge file"),
    "PBN header": (HEADER.encode(), "PBN with a header, but no board"),
    "LIN header": (b"vg|Cup,Final,I,1,2|\npn|A,B,C,D,E,F,G,H|\n", "LIN with a header, but no board"),
    "USEBIO header": (b"<USEBIO><CLUB/></USEBIO>", "USEBIO with a header, but no board"),
    "RBN header": (b"% RBN 3.2\nE Cup\n", "RBN with a header, but no board"),
}


def test_it_says_what_the_file_looks_like_and_what_to_send() -> None:
    for name, (data, kind) in FILES.items():
        for reading in (READING, READING.strictly):
            (error,) = reading.outcomes(data)
            assert refused(error) == (1, "", 1, "not_a_bridge_file"), name
            assert error.message.startswith(f"The file is {kind}"), name
            assert any(word in error.message for word in ("Send", "Export", "Unpack")), name


def test_a_bridge_file_with_one_bad_record_is_a_bridge_file() -> None:
    page, json = (
        f"<html><pre>\n{DEAL.replace('AKQJ', 'AKQQ')}</pre>",
        '{"json": true}\n[Event "a comment"]\n[Deal "N:-"]',
    )
    for data in ('[Event "x"]\n[Deal "rubbish"]\n', page, json, '[Event "x"', "["):
        assert READING.refusal(data).code != "not_a_bridge_file", data


def test_pbn_within_a_page_or_a_mail_is_read() -> None:
    assert READING.read_all(f"<html><pre>\n{DEAL}</pre>")
    assert READING.read_all(f"<html><pre>{DEAL}</pre>")
    letter, board = READING.outcomes(f"Dear all,\nhere it is, as promised\n\n{DEAL}\n")
    assert refused(letter) and content(board)
