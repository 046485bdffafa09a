"""Comparisons in a history: added beside the runs, never changed, read for whoever looks for steps.

A comparison is published once. The same again changes nothing; other figures under its id are
refused, since events may rest on what was there.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from springbench.errors import ConfigurationError
from springbench.history.files import COMPARISONS, RUN_SUFFIX, Files, comparison_path, load, save
from springbench.history.packing import BrokenFileError
from springbench.results.published_comparison import PublishedComparison


@dataclass(frozen=True)
class Added:
    """What became of comparisons: ids of new ones and of those there before, lines for others."""

    new: tuple[str, ...] = ()
    known: tuple[str, ...] = ()
    refused: tuple[str, ...] = ()


def add_comparisons(files: Files, comparisons: Sequence[PublishedComparison]) -> Added:
    """Add each that is not there. A damaged file of the same id is made anew."""
    new, known, refused = [], [], []
    files.expect(comparison_path(each.id) for each in comparisons)
    for each in comparisons:
        path = comparison_path(each.id)
        try:
            stored = load(files, path, PublishedComparison)
        except BrokenFileError:
            stored = None
        except ConfigurationError as error:
            refused.append(str(error))
            continue
        if stored is None:
            save(files, path, each)
            new.append(each.id)
        elif _measured(stored) == _measured(each):
            known.append(each.id)
        else:
            refused.append(_conflict(path, stored, each))
    return Added(tuple(new), tuple(known), tuple(refused))


def read_comparisons(
    files: Files, tell: Callable[[str], None] = lambda _: None
) -> list[PublishedComparison]:
    """Every comparison, by its start. One that cannot be read is told, and costs no other."""
    names = [name for name in files.names(COMPARISONS) if name.endswith(RUN_SUFFIX)]
    files.expect(f"{COMPARISONS}/{name}" for name in names)
    read = [_read(files, f"{COMPARISONS}/{name}", tell) for name in names]
    return sorted((each for each in read if each), key=lambda each: (each.started_at, each.id))


def _read(files: Files, path: str, tell: Callable[[str], None]) -> PublishedComparison | None:
    try:
        comparison = load(files, path, PublishedComparison)
    except ConfigurationError as error:
        tell(f"left out: {error}")
        return None
    if comparison and path != comparison_path(comparison.id):
        # counted twice it would agree with itself
        tell(f"left out: {path}: is the comparison {comparison.id} under another name; delete it")
        return None
    return comparison


def _measured(comparison: PublishedComparison) -> PublishedComparison:
    """All but the address of the job: a re-run of the job that publishes has another."""
    return comparison.model_copy(update={"url": None})


def _conflict(path: str, stored: PublishedComparison, come: PublishedComparison) -> str:
    if stored.purpose != come.purpose:
        return (
            f"{path}: is there already, with --purpose {stored.purpose} and not {come.purpose}; "
            "a comparison counts once, for what it was made for"
        )
    return (
        f"{path}: is there already, with other content; a comparison is never changed. "
        "Compare again, which makes one with an id of its own"
    )
