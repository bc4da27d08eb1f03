"""Reads the text out of a PDF or Word file, in a process of its own: the file is from a stranger.

Usage: `python -m bot.text.extraction pdf|docx MAX_CHARS`, the file on standard input; JSON on standard
output: `{"text": …, "cut": …}`, or `{"trouble": damaged|missing}`.
"""

import importlib
import io
import json
import resource
import sys
import zipfile
from collections.abc import Iterator
from typing import Any

MEMORY_BYTES = 1024 * 1024 * 1024
CPU_S = 20
UNPACKED_BYTES = 100 * 1024 * 1024


def pages_of_pdf(data: bytes) -> Iterator[str]:
    """The text of each page."""
    pypdf: Any = importlib.import_module("pypdf")
    reader = pypdf.PdfReader(io.BytesIO(data))
    if reader.is_encrypted and not reader.decrypt(""):
        raise ValueError("it needs a password")
    for page in reader.pages:
        yield str(page.extract_text())


def paragraphs_of_docx(data: bytes) -> Iterator[str]:
    """The paragraphs and the rows of tables, in their order."""
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        if sum(item.file_size for item in archive.infolist()) > UNPACKED_BYTES:
            raise ValueError("it is too large inside")
    docx: Any = importlib.import_module("docx")
    for item in docx.Document(io.BytesIO(data)).iter_inner_content():
        if hasattr(item, "rows"):
            for row in item.rows:
                yield " | ".join(cell.text for cell in row.cells)
        else:
            yield item.text


READERS = {"pdf": pages_of_pdf, "docx": paragraphs_of_docx}


def collected(pieces: Iterator[str], max_chars: int) -> dict[str, Any]:
    """The pieces as one text, `max_chars` at most."""
    text = ""
    for piece in pieces:
        text += f"{piece}\n"
        if len(text) > max_chars:
            return {"text": text[:max_chars], "cut": True}
    return {"text": text, "cut": False}


def main(kind: str, max_chars: str) -> None:
    """Read standard input, write standard output. Whatever a hostile file does ends here."""
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY_BYTES, MEMORY_BYTES))
    resource.setrlimit(resource.RLIMIT_CPU, (CPU_S, CPU_S))
    try:
        found = collected(READERS[kind](sys.stdin.buffer.read()), int(max_chars))
    except ImportError:
        found = {"trouble": "missing"}
    except Exception:  # noqa: BLE001 - the libraries raise anything on a broken file
        found = {"trouble": "damaged"}
    sys.stdout.buffer.write(json.dumps(found).encode())


if __name__ == "__main__":
    main(*sys.argv[1:3])
