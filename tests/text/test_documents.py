"""The text of files from strangers; a hostile one costs a little time and nothing else."""

import io
import sys
import zipfile
from pathlib import Path
from typing import Any

import docx
import pypdf
import pytest
from pypdf.generic import DecodedStreamObject, DictionaryObject, NameObject

from bot.text import documents
from bot.text.documents import Extract, Unreadable, extract


def pdf(text: str) -> bytes:
    """A PDF of one page."""
    writer = pypdf.PdfWriter()
    page = writer.add_blank_page(200, 200)
    font = DictionaryObject({
        NameObject("/Type"): NameObject("/Font"),
        NameObject("/Subtype"): NameObject("/Type1"),
        NameObject("/BaseFont"): NameObject("/Helvetica"),
    })
    fonts = DictionaryObject({NameObject("/F1"): writer._add_object(font)})
    page[NameObject("/Resources")] = DictionaryObject({NameObject("/Font"): fonts})
    stream = DecodedStreamObject()
    stream.set_data(f"BT /F1 12 Tf 20 100 Td ({text}) Tj ET".encode())
    page[NameObject("/Contents")] = writer._add_object(stream)
    out = io.BytesIO()
    writer.write(out)
    return out.getvalue()


def word(*paragraphs: str) -> bytes:
    """A Word file with a table at its end."""
    document: Any = docx.Document()
    for text in paragraphs:
        document.add_paragraph(text)
    document.add_table(1, 2).rows[0].cells[0].text = "left"
    out = io.BytesIO()
    document.save(out)
    return out.getvalue()


@pytest.mark.parametrize(
    ("name", "mime", "data", "text"),
    [
        ("a.txt", "text/plain", "héllo 你好".encode(), "héllo 你好"),
        ("a.csv", "text/csv", "a,b\r\n1,2".encode("utf-8-sig"), "a,b\n1,2"),
        ("a.py", "application/octet-stream", b"print('hi')\n", "print('hi')\n"),
        ("a.txt", "text/plain", "你好，世界".encode("gb18030"), "你好，世界"),
        ("a.txt", "text/plain", "wide".encode("utf-16"), "wide"),
        ("a.json", "application/json", b'{"a": 1}', '{"a": 1}'),
    ],
)
async def test_text_is_read_in_the_encoding_that_fits(name: str, mime: str, data: bytes, text: str) -> None:
    assert await extract(name, mime, data) == Extract(text, cut=False)


async def test_a_long_text_is_cut_and_says_so() -> None:
    assert await extract("a.txt", "text/plain", "你好".encode() * 50, 7) == Extract(
        "你好你好你好你", cut=True
    )


async def test_pdf_and_word_files_are_read() -> None:
    assert (await extract("a.pdf", "application/pdf", pdf("Annual report"))).text.strip() == "Annual report"
    found = await extract("a.docx", "application/octet-stream", word("Dear Ann", "bye"))
    assert found.text.splitlines() == ["Dear Ann", "bye", "left | "]


@pytest.mark.parametrize(
    ("name", "data", "trouble"),
    [
        ("a.bin", b"\x00\x01\x02" * 100, "unknown"),
        ("a.exe", b"MZ\x90 looks like text", "unknown"),
        ("a.zip", b"PK\x03\x04 and so on", "unknown"),
        ("a.txt", b"\x01\x02\x03\x04" * 20, "unknown"),
        ("a.txt", b"  \n ", "empty"),
        ("a.pdf", b"%PDF-1.7 and nothing that follows", "damaged"),
        ("a.docx", b"PK\x03\x04 broken", "damaged"),
        ("scan.pdf", pdf(""), "empty"),
    ],
)
async def test_what_cannot_be_read_says_why(name: str, data: bytes, trouble: str) -> None:
    with pytest.raises(Unreadable) as raised:
        await extract(name, "application/octet-stream", data)
    assert raised.value.trouble == trouble


async def test_a_file_that_unpacks_without_end_is_refused() -> None:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("word/document.xml", b"0" * (101 * 1024 * 1024))
    with pytest.raises(Unreadable):
        await extract("bomb.docx", "application/octet-stream", out.getvalue())


async def test_a_reader_that_takes_too_long_is_ended(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    slow = tmp_path / "slow"
    slow.write_text("#!/bin/sh\nexec sleep 60\n", encoding="utf-8")
    slow.chmod(0o755)
    monkeypatch.setattr(sys, "executable", str(slow))
    monkeypatch.setattr(documents, "LIMIT_S", 0.2)
    with pytest.raises(Unreadable):
        await extract("a.pdf", "application/pdf", pdf("x"))
