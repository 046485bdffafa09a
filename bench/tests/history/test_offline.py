"""The dashboard with a run inside: one file, whole, and safe to open."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from springbench.errors import ConfigurationError
from springbench.history.files import Folder
from springbench.history.offline import MARK, InMemoryFiles, page_of, page_of_comparison
from springbench.history.update import add
from springbench.matrix.rows import Matrix
from springbench.results.history import Index
from springbench.results.published_comparison import EvidenceFile
from tests.history.histories import contents, published, published_comparison

TEMPLATE = f"<!doctype html><title>page</title><body>{MARK}<script>run()</script></body>"
INSIDE = re.compile(r'<script id="springbench-data" type="application/json">(.*?)</script>', re.S)


def test_the_page_has_the_files_that_a_history_of_the_run_has(
    matrix: Matrix, tmp_path: Path
) -> None:
    run = published(matrix, 3)
    add(Folder(tmp_path), run)
    found = INSIDE.search(page_of(TEMPLATE, [run]))
    assert found
    inside = json.loads(found[1])
    files = {
        path.removeprefix("data/"): json.loads(text)
        for path, text in contents(tmp_path).items()
        if ".json" in path
    }
    assert inside == files
    assert "index.json" in inside


def test_words_of_others_cannot_end_the_data(matrix: Matrix) -> None:
    run = published(matrix, 1)
    assert run.commit
    run.commit.message = "</script><script>alert(1)</script><!-- \u2028"
    page = page_of(TEMPLATE, [run])
    assert page.count("<script") == TEMPLATE.count("<script")
    assert "<!--" not in page
    found = INSIDE.search(page)
    assert found
    assert json.loads(found[1])["index.json"]["commits"][0]["message"] == run.commit.message


def test_a_page_without_a_place_for_data_is_refused(matrix: Matrix) -> None:
    with pytest.raises(ConfigurationError, match="make site"):
        page_of("<html></html>", [published(matrix, 1)])


def test_files_in_memory_list_as_folders_do(matrix: Matrix, tmp_path: Path) -> None:
    memory, folder = InMemoryFiles(), Folder(tmp_path)
    for files in (memory, folder):
        add(files, published(matrix, 1))
        files.delete("data/nothing")
    for path in ("data", "data/runs", "data/series", "data/none"):
        assert memory.names(path) == folder.names(path)
        assert memory.folders(path) == folder.folders(path)


def test_the_page_of_a_comparison_opens_on_it(matrix: Matrix) -> None:
    comparison = published_comparison(matrix, 5)
    found = INSIDE.search(page_of_comparison(TEMPLATE, comparison))
    assert found
    inside = json.loads(found[1])
    ends = f"base={comparison.base.sha}&head={comparison.head.sha}"
    assert inside["start"] == f"#/compare?{ends}"
    index = Index.model_validate(inside["index.json"])
    assert [row.host_class for row in index.classes] == [comparison.host.host_class]
    assert index.commits == [comparison.base, comparison.head]
    evidence = EvidenceFile.model_validate(inside["evidence.json.gz"])
    # of a push that has found nothing the page must have it too
    assert evidence.comparisons == [comparison]
