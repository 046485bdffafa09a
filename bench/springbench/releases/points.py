"""The series of a history, with the runs of one release together."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from springbench.history.files import Files
from springbench.history.series import SeriesPoint, read_series
from springbench.report.releases import ReleasePoint
from springbench.results.history import Index
from springbench.results.history_names import CommitRow, profile_of


def points_of(
    files: Files, index: Index, profile: str
) -> Iterator[tuple[str, Sequence[ReleasePoint]]]:
    """Each case with its releases, oldest first. A history of commits may hold others beside."""
    series = read_series(files, index, lambda _, row: profile_of(row.conditions) == profile)
    for each in series:
        yield each.row.case, list(_together(each.points))


def _together(points: Sequence[SeriesPoint]) -> Iterator[ReleasePoint]:
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
    for sha, commit in commits.items():
        yield ReleasePoint(commit, values[sha])
