"""The commit that a new one is compared with: the newest in its past that the history has. Pure."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from springbench.history.condense import DIRTY
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


def find_base(index: Index | None, head: str, past: Past) -> Base:
    """The base of `head`, a full id. What is not in its past can be no step that it made."""
    measured = list(_newest_first(index)) if index else []
    if not measured:
        return Base(None, ("the history has no measured commit yet: there is nothing to compare",))
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


def _newest_first(index: Index) -> Iterator[str]:
    """Each commit once. What was measured with changes on top is no commit's."""
    runs, seen = index.runs, set[int]()
    for commit, marks in zip(reversed(runs.commit), reversed(runs.marks), strict=True):
        if commit is not None and commit not in seen and DIRTY not in marks:
            seen.add(commit)
            if _SHORT_ID.fullmatch(sha := index.commits[commit].sha):
                yield sha


def _few(lines: list[str]) -> list[str]:
    more = len(lines) - _NAMED
    return lines if more <= 0 else [*lines[:_NAMED], f"and {more} more that are not in its past"]
