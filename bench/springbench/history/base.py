"""The commit that a new one is compared with: the newest in its past that the history has. Pure."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from springbench.history.condense import DIRTY
from springbench.matrix.service_name import service_of
from springbench.results.history import Index

# as a history has it; nothing else is told, or given to git
_SHORT_ID = re.compile(r"[0-9a-f]{7,64}")
# so many of those that were passed over are named
_NAMED = 3


@dataclass(frozen=True)
class Base:
    """Full id of the commit, None where there is none; and why others, or all, are not it."""

    sha: str | None
    told: tuple[str, ...]


@dataclass(frozen=True)
class Past:
    """As much of git as this needs: what a short id stands for, and what came before what."""

    commit_of: Callable[[str], str | None]
    is_ancestor: Callable[[str, str], bool]


def find_base(index: Index | None, head: str, past: Past, service: str | None = None) -> Base:
    """The base of `head`, a full id. What is not in its past can be no step that it made.

    `service`: only commits at which it was measured count; empty for servers of Spring Boot, None
    for whatever the history has.
    """
    measured = list(_newest_first(index, service)) if index else []
    if not measured:
        of = f" of {service}" if service else ""
        none = f"the history has no measured commit{of} yet: there is nothing to compare"
        return Base(None, (none,))
    passed_over: list[str] = []
    for short in measured:
        sha = past.commit_of(short)
        if sha == head:
            continue
        if sha is None:
            passed_over.append(f"{short} is not in this clone: force-pushed away, or it is shallow")
        elif not past.is_ancestor(sha, head):
            passed_over.append(f"{short} is not in the past of {head[:12]}")
        else:
            return Base(sha, (*_few(passed_over), f"{head[:12]} is compared with {sha[:12]}"))
    other = "that came before it" if passed_over else "but itself"
    none = f"{head[:12]} is not compared: the history has no commit {other}"
    return Base(None, (*_few(passed_over), none))


def _newest_first(index: Index, service: str | None) -> Iterator[str]:
    """Each commit once. What was measured with changes on top is no commit's."""
    seen = set[str]()
    for sha, marks in (*_of_runs(index, service), *_of_latest(index, service)):
        if sha not in seen and DIRTY not in marks:
            seen.add(sha)
            if _SHORT_ID.fullmatch(sha):
                yield sha


def _of_runs(index: Index, service: str | None) -> Iterator[tuple[str, list[str]]]:
    """Commit and marks of the newest runs. One that does not say what it measured may be meant."""
    runs = index.runs
    measured = runs.service or [None] * len(runs.id)
    rows = zip(runs.commit, runs.marks, measured, strict=True)
    for commit, marks, name in reversed(list(rows)):
        if commit is not None and (service is None or name in (None, service)):
            yield index.commits[commit].sha, marks


def _of_latest(index: Index, service: str | None) -> Iterator[tuple[str, list[str]]]:
    """The same of the newest points of the service: others may have had every newest run since."""
    points = [
        (latest.time[at], latest.started_at[at], sha, latest.marks[at])
        for latest in (of.latest for of in index.classes)
        for at, row in enumerate(latest.row)
        if (sha := latest.sha[at])
        and (service is None or (service_of(index.cases[row].case) or "") == service)
    ]
    for _, _, sha, marks in sorted(points, reverse=True):
        yield sha, marks


def _few(lines: list[str]) -> list[str]:
    more = len(lines) - _NAMED
    return lines if more <= 0 else [*lines[:_NAMED], f"and {more} more that are not in its past"]
