"""The history of releases: its folder, what is added to it, and its series by release."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator, Mapping, Sequence
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
from springbench.report.releases import ReleasePoint
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
        """None before the first run."""
        return read_index(self.files)

    def has_run(self, run_id: str) -> bool:
        """Whether it is published."""
        return self.files.read(run_path(run_id)) is not None

    def add_run(self, folder: Path) -> None:
        """Publish a run; why one is not fit for it is reported; the others are published."""
        try:
            found = sound_shards([folder])
            run = condense(found.kept)
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
        added = add_comparisons_to_folder(self.path, sound.kept)
        for line in added.refused:
            logger.info(line)
        return bool(added.new)


def release_points(
    files: Files, index: Index, profile: str, comparisons: Sequence[PublishedComparison]
) -> Iterator[tuple[str, Sequence[ReleasePoint]]]:
    """Each case with its releases, oldest first. A history of commits may hold other profiles."""
    series = read_series(files, index, lambda _, row: profile_of(row.configuration) == profile)
    for each in series:
        case = each.row.case
        findings = partial(_findings_of_pair, comparisons, case)
        yield case, list(_group_by_release(each.points, findings))


def _group_by_release(
    points: Sequence[SeriesPoint], findings: Callable[[str, str], Mapping[str, PublishedFinding]]
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
        yield ReleasePoint(commit, values[sha], findings(before, sha))
        before = sha


def _findings_of_pair(
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
