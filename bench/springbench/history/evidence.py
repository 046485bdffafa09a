"""`data/evidence.json.gz`: of all comparisons those that an event may rest on, in one file.

A push whose comparison found nothing stands in `data/comparisons` alone: ten thousand of them need
not be fetched whenever something is published.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from springbench.history.compared import add_compared, groups_of, rebuild_compared
from springbench.history.comparisons import Added, add_comparisons, read_comparisons
from springbench.history.files import EVIDENCE, INDEX, Files, is_older, load, save
from springbench.history.index import read_state, write_index
from springbench.results.published_comparison import EvidenceFile, PublishedComparison

_CHANGED = frozenset(("regression", "improvement", "suspected"))


def add_with_evidence(files: Files, comparisons: Sequence[PublishedComparison]) -> Added:
    """Add comparisons, and renew what is derived from them."""
    added = add_comparisons(files, comparisons)
    new = [each for each in comparisons if each.id in added.new]
    groups = groups_of(files)
    add_compared(files, new)
    come = [each for each in new if _tells(each)]
    if come:
        _save(files, [*read_evidence(files), *come])
    if come or groups != groups_of(files):
        index = files.read(INDEX)
        if index is not None and not is_older(index):
            write_index(files, read_state(files), read_evidence(files))
    return added


def read_evidence(files: Files) -> list[PublishedComparison]:
    """The comparisons that tell something; none where there is no such file."""
    stored = load(files, EVIDENCE, EvidenceFile)
    return stored.comparisons if stored else []


def rebuild_evidence(files: Files, tell: Callable[[str], None]) -> list[PublishedComparison]:
    """Make the file from all comparisons. One that cannot be read is told, and left."""
    comparisons = read_comparisons(files, tell)
    rebuild_compared(files, comparisons)
    found = [each for each in comparisons if _tells(each)]
    if found:
        _save(files, found)
    else:
        files.delete(EVIDENCE)
    return found


def _save(files: Files, comparisons: Sequence[PublishedComparison]) -> None:
    by_id = {each.id: each for each in comparisons}
    ordered = sorted(by_id.values(), key=lambda each: (each.started_at, each.id))
    save(files, EVIDENCE, EvidenceFile(comparisons=ordered))


def _tells(comparison: PublishedComparison) -> bool:
    return comparison.purpose != "push" or any(
        verdict in _CHANGED
        for verdict in (
            *(each.verdict for each in comparison.findings),
            *(each.verdict for each in comparison.facts),
        )
    )
