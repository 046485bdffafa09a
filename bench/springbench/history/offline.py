"""The dashboard over a few runs, as one file that opens from a disk.

The page is the dashboard itself, built as a single file (`site/scripts/report_page.mjs`), with what
it would fetch inside it. So a run is shown by the same code before it is published and afterwards.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from springbench.errors import ConfigurationError
from springbench.history.entries import run_columns
from springbench.history.files import DATA, INDEX, save
from springbench.history.index import metric_rows
from springbench.history.update import add, add_with_evidence
from springbench.paths import REPORT_PAGE
from springbench.results.history import Index, Latest
from springbench.results.published_comparison import PublishedComparison
from springbench.results.published_run import HISTORY_SCHEMA_VERSION, PublishedRun

# what the page has in the place of its data; scripts of this type are data, and run nowhere
MARK = '<script id="springbench-data" type="application/json"></script>'


@dataclass
class InMemoryFiles:
    """`Files` in memory: texts by path."""

    texts: dict[str, str] = field(default_factory=dict)

    def read(self, path: str) -> str | None:
        return self.texts.get(path)

    def write(self, path: str, text: str) -> None:
        self.texts[path] = text

    def delete(self, path: str) -> None:
        self.texts.pop(path, None)

    def names(self, folder: str) -> list[str]:
        return sorted(path for path in self._below(folder) if "/" not in path)

    def folders(self, folder: str) -> list[str]:
        return sorted({path.split("/")[0] for path in self._below(folder) if "/" in path})

    def expect(self, paths: Iterable[str]) -> None:
        """Everything is here already."""

    def _below(self, folder: str) -> list[str]:
        start = f"{folder}/"
        return [path.removeprefix(start) for path in self.texts if path.startswith(start)]


def read_template(file: Path = REPORT_PAGE) -> str | None:
    """The page without data; None where nobody has built it."""
    try:
        return file.read_text(encoding="utf-8")
    except OSError:
        return None


def page_of(template: str, runs: Sequence[PublishedRun]) -> str:
    """The page with a history of these inside. Raises ConfigurationError for another template."""
    files = InMemoryFiles()
    for run in runs:
        add(files, run)
    return _filled(template, files)


def page_of_comparison(template: str, comparison: PublishedComparison) -> str:
    """The page that opens on a comparison. Raises ConfigurationError for another template."""
    files = InMemoryFiles()
    add_with_evidence(files, [comparison])
    save(files, INDEX, _index_of(comparison))
    ends = f"base={comparison.base.sha}&head={comparison.head.sha}"
    return _filled(template, files, start=f"#/compare?{ends}")


def _index_of(comparison: PublishedComparison) -> Index:
    """A history of no run, on the hosts of the comparison."""
    nothing: dict[str, Any] = {name: [] for name in Latest.model_fields if name != "metrics"}
    of_class = {
        "class": comparison.host.host_class,
        "host": comparison.host,
        "months": [],
        "points": [],
        "latest": Latest(**nothing, metrics={}),
    }
    _, runs = run_columns([])
    return Index.model_validate(
        {
            "schema": HISTORY_SCHEMA_VERSION,
            "runs_total": 0,
            "metrics": metric_rows(),
            "cases": [],
            "classes": [of_class],
            "compared": [comparison.head.sha[:2]],
            "commits": [comparison.base, comparison.head],
            "runs": runs,
        }
    )


def _filled(template: str, files: InMemoryFiles, start: str | None = None) -> str:
    """`start`: the address that the page opens with; else it opens as any dashboard."""
    if template.count(MARK) != 1:
        raise ConfigurationError(
            "the report page has no place for data: build it anew with `make site` in a clone of "
            "springbench"
        )
    folder = f"{DATA}/"
    documents: dict[str, Any] = {
        path.removeprefix(folder): json.loads(text)
        for path, text in sorted(files.texts.items())
        if path.removesuffix(".gz").endswith(".json")
    }
    if start is not None:
        documents["start"] = start
    text = json.dumps(documents, ensure_ascii=False, separators=(",", ":"))
    # nothing that was measured can end the element
    inside = text.replace("<", "\\u003c")
    return template.replace(MARK, MARK.replace("></script>", f">{inside}</script>"))
