"""The history of releases: its folder, what is added to it, and its series by release."""

from __future__ import annotations

import logging
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from springbench.errors import ConfigurationError
from springbench.history.condense import condense
from springbench.history.condense_comparison import Occasion
from springbench.history.files import Files, Folder, run_path
from springbench.history.folder import add_comparisons_to_folder, add_to_folder
from springbench.history.reading import read_index
from springbench.history.series import SeriesPoint, read_series
from springbench.history.soundness import sound_comparisons, sound_shards
from springbench.host.git import facts_of
from springbench.host.shell import Shell
from springbench.paths import ROOT
from springbench.report.event_console import ReleasePoint
from springbench.results.history import Index
from springbench.results.history_names import CommitRow, profile_of
from springbench.results.published_comparison import PublishedComparison, PublishedFinding, Purpose

logger = logging.getLogger(__name__)


@dataclass(frozen=True)
class ReleaseHistory:
    """`data/` with the history, `runs/` and `comparisons/<purpose>/` with what it is made of."""

    path: Path

    @property
    def runs(self) -> Path:
        return self.path / "runs"

    def comparisons(self, purpose: Purpose) -> Path:
        """Those of each purpose in a folder of their own: who publishes them must say it."""
        return self.path / "comparisons" / purpose

    @property
    def files(self) -> Folder:
        """The history, to read."""
        return Folder(self.path)

    @property
    def index(self) -> Index | None:
        """None before the first run or comparison."""
        return read_index(self.files)

    def has_run(self, run_id: str) -> bool:
        """Whether it is published."""
        return self.files.read(run_path(run_id)) is not None

    def add_run(self, folder: Path) -> None:
        """Publish a run; why one is not fit for it is reported; the others are published."""
        try:
            found = sound_shards([folder])
            run = condense(found.runs)
        except ConfigurationError as error:
            logger.info(str(error))
            return
        for line in (*found.left_out, *found.not_whole, *found.not_evaluated):
            logger.info(line)
        add_to_folder(self.path, run)

    def add_comparison(self, folder: Path, purpose: Purpose, shell: Shell) -> bool:
        """Publish a comparison of two releases; whether the history has it now."""
        sound = sound_comparisons(
            [folder], Occasion(purpose), partial(facts_of, root=ROOT, shell=shell)
        )
        for line in sound.left_out:
            logger.info(line)
        added = add_comparisons_to_folder(self.path, sound.comparisons)
        for line in added.refused:
            logger.info(line)
        return bool(added.new)


def release_points(
    files: Files, index: Index, profile: str, comparisons: Sequence[PublishedComparison]
) -> Iterator[tuple[str, Sequence[ReleasePoint]]]:
    """Each case with its releases, oldest first: those that have a run of this profile, and those
    that were compared with a neighbour. A history of commits may hold other profiles.
    """
    series = read_series(files, index, lambda _, row: profile_of(row.configuration) == profile)
    runs = [(case_series.row.case, case_series.points) for case_series in series]
    of_releases = [comparison for comparison in comparisons if comparison.is_of_releases]
    compared = {finding.case for comparison in of_releases for finding in comparison.findings}
    only_compared = compared - {case for case, _ in runs}
    for case, points in (*runs, *((case, ()) for case in sorted(only_compared))):
        yield case, list(_points_of(case, points, of_releases))


def _points_of(
    case: str, runs: Sequence[SeriesPoint], comparisons: Sequence[PublishedComparison]
) -> Iterator[ReleasePoint]:
    commits: dict[str, CommitRow] = {}
    values: dict[str, dict[str, list[float]]] = {}
    for point in runs:
        commit = point.entry.commit
        if commit is None:
            continue
        commits.setdefault(commit.sha, commit)
        commit_values = values.setdefault(commit.sha, {})
        for name, (median, _, _) in point.values.items():
            if median is not None:
                commit_values.setdefault(name, []).append(median)
    of_case = [
        comparison for comparison in comparisons if any(f.case == case for f in comparison.findings)
    ]
    for neighbours in (comparison for comparison in of_case if comparison.purpose == "push"):
        for commit in (neighbours.base, neighbours.head):
            commits.setdefault(commit.sha, commit)
    before = ""
    for commit in sorted(commits.values(), key=lambda item: item.time):
        findings = _findings_of_pair(of_case, case, before, commit.sha)
        yield ReleasePoint(commit, values.get(commit.sha, {}), findings)
        before = commit.sha


def _findings_of_pair(
    comparisons: Sequence[PublishedComparison], case: str, base: str, head: str
) -> dict[str, PublishedFinding]:
    """By metric, what the newest comparison of these two found; they are in order of their start.

    The newest, since it may have been made to check the one before it.
    """
    return {
        finding.metric: finding
        for comparison in comparisons
        if (comparison.base.sha, comparison.head.sha) == (base, head)
        for finding in comparison.findings
        if finding.case == case
    }
