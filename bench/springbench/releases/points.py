"""The series of a history, with the runs of one release together, and its pairs beside."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial

from springbench.history.files import Files
from springbench.history.series import SeriesPoint, read_series
from springbench.report.releases import ReleasePoint
from springbench.results.history import Index
from springbench.results.history_names import CommitRow, profile_of
from springbench.results.published_comparison import PublishedComparison, PublishedFinding


def points_of(
    files: Files, index: Index, profile: str, comparisons: Sequence[PublishedComparison]
) -> Iterator[tuple[str, Sequence[ReleasePoint]]]:
    """Each case with its releases, oldest first. A history of commits may hold others beside."""
    series = read_series(files, index, lambda _, row: profile_of(row.conditions) == profile)
    for each in series:
        case = each.row.case
        yield case, list(_together(each.points, partial(_beside, comparisons, case)))


def _together(
    points: Sequence[SeriesPoint], beside: Callable[[str, str], Mapping[str, PublishedFinding]]
) -> Iterator[ReleasePoint]:
    commits: dict[str, CommitRow] = {}
    values: dict[str, dict[str, list[float]]] = {}
    for point in points:
        commit = point.entry.commit
        if commit is None:
            continue
        commits.setdefault(commit.sha, commit)
        own = values.setdefault(commit.sha, {})
        for name, (median, _, _) in point.values.items():
            if median is not None:
                own.setdefault(name, []).append(median)
    before = ""
    for sha, commit in commits.items():
        yield ReleasePoint(commit, values[sha], beside(before, sha))
        before = sha


def _beside(
    comparisons: Sequence[PublishedComparison], case: str, base: str, head: str
) -> dict[str, PublishedFinding]:
    """By metric, what the comparison of these two with the most pairs found."""
    found = [
        finding
        for each in comparisons
        if (each.base.sha, each.head.sha) == (base, head)
        for finding in each.findings
        if finding.case == case
    ]
    return {each.metric: each for each in sorted(found, key=lambda finding: finding.pairs)}
