"""Comparisons in a history: added beside the runs, never changed, listed for whoever looks for one.

A comparison is published once. The same again changes nothing; other figures under its id are
refused, since events may rest on what was there. `data/compared/` lists which there are of two
commits, also those that found nothing: a page that is asked for two commits must not read ten
thousand comparisons to see whether there is one. `data/evidence.json.gz` has those that an event
may rest on: of pushes whose comparison found nothing the newest, as each publish fetches it, and of
releases all, since a page adds them up.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from springbench.errors import ConfigurationError
from springbench.history.files import (
    COMPARED,
    COMPARISONS,
    EVIDENCE,
    RUN_SUFFIX,
    BrokenFileError,
    Files,
    compared_path,
    comparison_path,
    keep_only,
    load,
    save,
)
from springbench.results.compared import ComparedFile, ComparedRow
from springbench.results.published_comparison import EvidenceFile, PublishedComparison

logger = logging.getLogger(__name__)

QUIET_PUSHES = 60
"""So many whose comparison found nothing are kept: a step of a series may lie between these."""
_CHANGED = frozenset(("regression", "improvement", "suspected"))


@dataclass(frozen=True)
class Added:
    """What became of comparisons: ids of new ones and of those there before, lines for others."""

    new: tuple[str, ...] = ()
    known: tuple[str, ...] = ()
    refused: tuple[str, ...] = ()


def add_comparisons(files: Files, comparisons: Sequence[PublishedComparison]) -> Added:
    """Add each that is not there. A damaged file of the same id is made anew."""
    new, known, refused = [], [], []
    files.expect(comparison_path(comparison.id) for comparison in comparisons)
    for comparison in comparisons:
        path = comparison_path(comparison.id)
        try:
            stored = load(files, path, PublishedComparison)
        except BrokenFileError:
            stored = None
        except ConfigurationError as error:
            refused.append(str(error))
            continue
        if stored is None:
            save(files, path, comparison)
            new.append(comparison.id)
        elif _measured(stored) == _measured(comparison):
            known.append(comparison.id)
        else:
            refused.append(_conflict(path, stored, comparison))
    return Added(tuple(new), tuple(known), tuple(refused))


def read_comparisons(files: Files) -> list[PublishedComparison]:
    """Every comparison, by its start. One that cannot be read is reported, and does not affect the
    others.
    """
    names = [name for name in files.names(COMPARISONS) if name.endswith(RUN_SUFFIX)]
    files.expect(f"{COMPARISONS}/{name}" for name in names)
    read = [_read(files, f"{COMPARISONS}/{name}") for name in names]
    return sorted(
        (comparison for comparison in read if comparison),
        key=lambda comparison: (comparison.started_at, comparison.id),
    )


def _read(files: Files, path: str) -> PublishedComparison | None:
    try:
        comparison = load(files, path, PublishedComparison)
    except ConfigurationError as error:
        logger.info(f"left out: {error}")
        return None
    if comparison and path != comparison_path(comparison.id):
        # counted twice it would agree with itself
        logger.info(
            f"left out: {path}: is the comparison {comparison.id} under another name; delete it"
        )
        return None
    return comparison


def _measured(comparison: PublishedComparison) -> PublishedComparison:
    """All but the address of the job: a re-run of the job that publishes has another."""
    return comparison.model_copy(update={"url": None})


def _conflict(path: str, stored: PublishedComparison, comparison: PublishedComparison) -> str:
    if stored.purpose != comparison.purpose:
        return (
            f"{path}: is there already, with --purpose {stored.purpose} and not "
            f"{comparison.purpose}; a comparison counts once, for what it was made for"
        )
    return (
        f"{path}: is there already, with other content; a comparison is never changed. "
        "Compare again, which makes one with an id of its own"
    )


_GROUP = re.compile(r"[0-9a-f]{2}")


def add_compared(files: Files, comparisons: Sequence[PublishedComparison]) -> None:
    """Enter comparisons; those that are there stay."""
    for group, rows in _grouped(comparisons).items():
        stored = load(files, compared_path(group), ComparedFile)
        _save(files, group, [*(stored.comparisons if stored else []), *rows])


def rebuild_compared(files: Files, comparisons: Sequence[PublishedComparison]) -> None:
    """Make all files from all comparisons."""
    groups = _grouped(comparisons)
    keep_only(files, COMPARED, {f"{group}.json" for group in groups})
    for group, rows in groups.items():
        _save(files, group, rows)


def groups_of(files: Files) -> list[str]:
    """The groups that there are: the first two digits of the later commit."""
    return [name.removesuffix(".json") for name in files.names(COMPARED) if name.endswith(".json")]


def _grouped(comparisons: Iterable[PublishedComparison]) -> dict[str, list[ComparedRow]]:
    groups: dict[str, list[ComparedRow]] = {}
    for comparison in comparisons:
        if not _GROUP.match(comparison.head.sha):
            continue  # a commit of another kind of repository is found by its comparison alone
        row = ComparedRow(id=comparison.id, base=comparison.base.sha, head=comparison.head.sha)
        groups.setdefault(comparison.head.sha[:2], []).append(row)
    return groups


def _save(files: Files, group: str, rows: Iterable[ComparedRow]) -> None:
    by_id = {row.id: row for row in rows}
    ordered = sorted(by_id.values(), key=lambda row: row.id)
    save(files, compared_path(group), ComparedFile(schema=1, comparisons=ordered))


def read_evidence(files: Files) -> list[PublishedComparison]:
    """The comparisons that tell something; none where there is no such file."""
    stored = load(files, EVIDENCE, EvidenceFile)
    return stored.comparisons if stored else []


def rebuild_evidence(files: Files) -> list[PublishedComparison]:
    """Make the file from all comparisons. One that cannot be read is reported, and left."""
    comparisons = read_comparisons(files)
    rebuild_compared(files, comparisons)
    return save_evidence(files, comparisons)


def save_evidence(
    files: Files, comparisons: Sequence[PublishedComparison]
) -> list[PublishedComparison]:
    """Keep those that an event may rest on, and return them."""
    by_id = {comparison.id: comparison for comparison in comparisons}
    ordered = sorted(by_id.values(), key=lambda comparison: (comparison.started_at, comparison.id))
    quiet = [
        comparison.id for comparison in ordered if comparison.findings and not _tells(comparison)
    ]
    newest_quiet = set(quiet[-QUIET_PUSHES:])
    found = [
        comparison
        for comparison in ordered
        if comparison.id in newest_quiet or comparison.is_of_releases or _tells(comparison)
    ]
    if found:
        save(files, EVIDENCE, EvidenceFile(comparisons=found))
    else:
        files.delete(EVIDENCE)
    return found


def _tells(comparison: PublishedComparison) -> bool:
    return comparison.purpose != "push" or any(
        verdict in _CHANGED
        for verdict in (
            *(finding.verdict for finding in comparison.findings),
            *(fact.verdict for fact in comparison.facts),
        )
    )
