"""The commit that a new one is compared with: the nearest in its past that was measured. Pure."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from springbench.history.entries import SHA_DIGITS
from springbench.matrix.service_name import harness_of, service_of
from springbench.results.history import Index
from springbench.results.published_run import UNSOUND

# as a history has it; nothing else is printed, or passed to git
_SHORT_ID = re.compile(r"[0-9a-f]{7,64}")
# so many of those that were passed over are named
_NAMED = 3


@dataclass(frozen=True)
class Base:
    """Full id of the commit, None where there is none; and why others, or all, are not it."""

    sha: str | None
    messages: tuple[str, ...]


@dataclass(frozen=True)
class HistoryLookup:
    """As much of git as this needs: what a short id stands for, what came before what, and the
    commits of its line, newest first, without those that were merged into it."""

    commit_of: Callable[[str], str | None]
    is_ancestor: Callable[[str, str], bool]
    first_parents: Callable[[str], Sequence[str]] = lambda _: ()


def find_base(
    index: Index | None, head: str, past: HistoryLookup, service: str | None = None
) -> Base:
    """The base of `head`, a full id. What is not in its past can be no step that it made, and what
    is in the past of another one is not what it was made from.

    `service`: only commits at which it was measured count; empty for servers of Spring Boot, None
    for whatever the history has.
    """
    measured = list(_newest_first(index, service)) if index else []
    if not measured:
        return Base(None, (_nothing_measured(index, service),))
    # of two lines that were merged, the one that the other was merged into
    line = past.first_parents(head)
    base = next((sha for sha in line if sha != head and sha[:SHA_DIGITS] in measured), None)
    passed_over: list[str] = []
    reached = False
    for short_sha in measured:
        sha = past.commit_of(short_sha)
        if sha == head or (reached and sha and base and not past.is_ancestor(base, sha)):
            continue
        if sha and past.is_ancestor(sha, head):
            reached = True
            base = sha if base is None or past.is_ancestor(base, sha) else base
        elif not reached:
            passed_over.append(_why_not(short_sha, sha, head))
    if base:
        return Base(base, (*_few(passed_over), f"{head[:12]} is compared with {base[:12]}"))
    other = "that came before it" if passed_over else "but itself"
    none = f"{head[:12]} is not compared: the history has no commit {other}"
    return Base(None, (*_few(passed_over), none))


def _why_not(short_sha: str, sha: str | None, head: str) -> str:
    if sha is None:
        return f"{short_sha} is not in this clone: force-pushed away, or it is shallow"
    return f"{short_sha} is not in the past of {head[:12]}"


def _newest_first(index: Index, service: str | None) -> Iterator[str]:
    """Each commit once, of the runs that count."""
    seen = set[str]()
    for sha, marks in (*_of_runs(index, service), *_of_latest(index, service)):
        if sha and sha not in seen and not UNSOUND.intersection(marks):
            seen.add(sha)
            if _SHORT_ID.fullmatch(sha):
                yield sha


def _of_runs(index: Index, service: str | None) -> Iterator[tuple[str | None, list[str]]]:
    """Commit and marks of the newest runs. One that does not say what it measured may be meant."""
    runs = index.runs
    rows = zip(runs.commit, runs.marks, runs.service, strict=True)
    for commit, marks, name in reversed(list(rows)):
        if (service is None and not harness_of(name)) or name in (None, service):
            yield None if commit is None else index.commits[commit].sha, marks


def _of_latest(index: Index, service: str | None) -> Iterator[tuple[str, list[str]]]:
    """The same of the newest points of the service: others may have had every newest run since."""
    points = [
        (latest.time[at], latest.started_at[at], sha, latest.marks[at])
        for latest in (class_row.latest for class_row in index.classes)
        for at, row in enumerate(latest.row)
        if (sha := latest.sha[at])
        and not index.cases[row].reported
        and (service is None or (service_of(index.cases[row].case) or "") == service)
    ]
    for _, _, sha, marks in sorted(points, reverse=True):
        yield sha, marks


def _nothing_measured(index: Index | None, service: str | None) -> str:
    """Why there is no commit to compare with: no run, or runs that stand for none."""
    runs = list(_of_runs(index, service)) if index else []
    if not runs:
        suffix = f" of {service}" if service else ""
        return f"the history has no measured commit{suffix} yet: there is nothing to compare"
    why = Counter(
        "without a commit" if sha is None else next(iter(UNSOUND.intersection(marks)), "unknown")
        for sha, marks in runs
    )
    reasons = ", ".join(f"{count} {reason}" for reason, count in why.most_common())
    return (
        f"nothing is compared: none of the newest {len(runs)} runs counts ({reasons}); "
        "`springbench publish` said of each why, and what to do"
    )


def _few(lines: list[str]) -> list[str]:
    more = len(lines) - _NAMED
    return lines if more <= 0 else [*lines[:_NAMED], f"and {more} more that are not in its past"]
