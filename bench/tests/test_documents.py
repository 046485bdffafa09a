"""The documents: their links lead somewhere, and the files that they name exist."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from springbench.paths import ROOT

FOLDERS = (".", "bench", "bench/docs", "servers", "site", ".github/workflows")
DOCUMENTS = [path for folder in FOLDERS for path in sorted((ROOT / folder).glob("*.md"))]
NAMES = [str(path.relative_to(ROOT)) for path in DOCUMENTS]
GLOSSARY_ENTRIES = 45


def prose(path: Path) -> str:
    """The text without blocks of code."""
    return re.sub(r"^```.*?^```$", "", path.read_text("utf-8"), flags=re.DOTALL | re.MULTILINE)


def anchors(path: Path) -> set[str]:
    """Those that GitHub makes of headings."""
    headings = re.findall(r"^#+ (.+)$", prose(path), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("path", DOCUMENTS, ids=NAMES)
def test_links_within_the_repository_lead_somewhere(path: Path) -> None:
    for target in re.findall(r"\]\(([^)\s]+)\)", prose(path)):
        if target.startswith("https://"):
            continue
        name, _, anchor = target.partition("#")
        file = path.parent / name if name else path
        assert file.exists(), target
        assert not anchor or anchor in anchors(file), target


def test_the_architecture_names_files_that_exist() -> None:
    text = prose(ROOT / "bench/docs/architecture.md")
    files = re.findall(r"`((?:[\w.-]+/)+[\w-]+\.\w+)`", text)
    assert len(files) > 20
    folders = (ROOT, ROOT / "bench/springbench")
    assert [
        file for file in files if not any((folder / file).is_file() for folder in folders)
    ] == []


def test_the_recipes_name_files_that_exist() -> None:
    recipes = prose(ROOT / "CONTRIBUTING.md").split("## Recipes")[1].split("## Release")[0]
    files = re.findall(r"`((?:bench|site|servers|\.github)/[\w./-]+)`", recipes)
    assert len(files) > 8
    assert [file for file in files if not (ROOT / file).exists()] == []


def test_each_package_stands_in_the_table() -> None:
    table = (ROOT / "bench/README.md").read_text("utf-8")
    packages = [path.parent.name for path in (ROOT / "bench/springbench").glob("*/__init__.py")]
    assert [
        name for name in packages if f"`{name}/`" not in table.replace("springbench/", "")
    ] == []


def test_the_glossary_is_short() -> None:
    rows = re.findall(
        r"^\| (?!term )\w.*\|$", (ROOT / "GLOSSARY.md").read_text("utf-8"), re.MULTILINE
    )
    assert 20 < len(rows) <= GLOSSARY_ENTRIES
