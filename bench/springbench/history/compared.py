"""`data/compared/`: which comparisons there are of two commits, also those that found nothing.

A page that is asked for two commits must not read ten thousand comparisons to see whether there is
one.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from springbench.history.files import COMPARED, Files, compared_path, load, save
from springbench.results.compared import ComparedFile, ComparedRow
from springbench.results.published_comparison import PublishedComparison

_GROUP = re.compile(r"[0-9a-f]{2}")


def add_compared(files: Files, comparisons: Sequence[PublishedComparison]) -> None:
    """Enter comparisons; those that are there stay."""
    for group, rows in _grouped(comparisons).items():
        stored = load(files, compared_path(group), ComparedFile)
        _save(files, group, [*(stored.comparisons if stored else []), *rows])


def rebuild_compared(files: Files, comparisons: Sequence[PublishedComparison]) -> None:
    """Make all files from all comparisons."""
    groups = _grouped(comparisons)
    for group in set(groups_of(files)) - set(groups):
        files.delete(compared_path(group))
    for group, rows in groups.items():
        _save(files, group, rows)


def groups_of(files: Files) -> list[str]:
    """The groups that there are: the first two digits of the later commit."""
    return [name.removesuffix(".json") for name in files.names(COMPARED) if name.endswith(".json")]


def _grouped(comparisons: Iterable[PublishedComparison]) -> dict[str, list[ComparedRow]]:
    groups: dict[str, list[ComparedRow]] = {}
    for each in comparisons:
        if not _GROUP.match(each.head.sha):
            continue  # a commit of another kind of repository is found by its comparison alone
        row = ComparedRow(id=each.id, base=each.base.sha, head=each.head.sha)
        groups.setdefault(each.head.sha[:2], []).append(row)
    return groups


def _save(files: Files, group: str, rows: Iterable[ComparedRow]) -> None:
    by_id = {each.id: each for each in rows}
    ordered = sorted(by_id.values(), key=lambda each: each.id)
    save(files, compared_path(group), ComparedFile(schema=1, comparisons=ordered))
