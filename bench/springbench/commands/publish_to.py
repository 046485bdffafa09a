"""Where a publication goes: a folder, the branch of a remote, lists for another tool."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import typer

from springbench import units
from springbench.errors import ConfigurationError
from springbench.github import step
from springbench.history.charts import FILES, chart_of, export
from springbench.history.comparisons import Added
from springbench.history.folder import (
    acknowledge_in_folder,
    add_comparisons_to_folder,
    add_to_folder,
    rebuild_folder,
)
from springbench.history.push import push_rebuild, push_squash, push_together
from springbench.history.remote import Remote
from springbench.host.shell import Shell
from springbench.paths import shown
from springbench.results.acknowledged import Acknowledged
from springbench.results.published_comparison import PublishedComparison
from springbench.results.published_run import PublishedRun
from springbench.results.store import write_atomically

logger = logging.getLogger(__name__)


@dataclass(frozen=True)
class Target:
    """A history: a folder, a branch, or neither where only lists are asked for."""

    shell: Shell
    folder: Path | None
    remote: Remote | None
    charts_page: bool = False

    def add(
        self,
        run: PublishedRun | None,
        comparisons: Sequence[PublishedComparison],
        acknowledged: Acknowledged,
        *,
        charts: bool,
    ) -> Added:
        """Add a run, comparisons or both, and say so; `charts` as `push_together` takes it."""
        added = Added()
        if self.folder:
            acknowledge_in_folder(self.folder, acknowledged)
        # first: who looks for steps when the run comes has them
        if self.folder and comparisons:
            added = add_comparisons_to_folder(self.folder, comparisons)
            _say_added(comparisons, added, f"in {shown(self.folder)}")
        if self.folder and run:
            replaced = add_to_folder(self.folder, run)
            typer.echo(f"{'replaced' if replaced else 'added'} {run.id} in {shown(self.folder)}")
        if self.remote:
            pushed = push_together(
                self.shell,
                self.remote,
                run,
                comparisons,
                acknowledged,
                charts=charts,
                charts_page=self.charts_page,
            )
            added, where = pushed.added, f"on {self.remote.place}"
            _say_added(comparisons, added, where)
            if run:
                state = "pushed" if pushed.changed else "nothing new:"
                typer.echo(f"{state} {run.id} {where}, attempt {pushed.attempts}")
        return added

    def rebuild(self) -> None:
        """Make the derived files anew."""
        if self.folder:
            runs = rebuild_folder(self.folder)
            typer.echo(f"rebuilt {shown(self.folder)} from {units.counted(runs, 'run')}")
        if self.remote:
            pushed = push_rebuild(self.shell, self.remote)
            state = "rebuilt" if pushed.changed else "nothing to rebuild on"
            typer.echo(f"{state} {self.remote.place}")

    def squash(self, *, force: bool) -> None:
        """Leave one commit of the branch."""
        if self.remote:
            pushed = push_squash(self.shell, self.remote, force=force)
            state = "is one commit now" if pushed.changed else "was one commit already"
            typer.echo(f"branch {self.remote.branch} {state}; its files are as they were")


def export_lists(run: PublishedRun, folder: Path) -> None:
    """Write the lists for github-action-benchmark."""
    texts = export(run)
    step.write_outputs({"chart": chart_of(run)})
    for name in FILES:
        file = folder / name
        try:
            folder.mkdir(parents=True, exist_ok=True)
            # a list of an earlier run must not pass for this one's
            file.unlink(missing_ok=True)
            if name in texts:
                write_atomically(file, texts[name])
        except OSError as error:
            raise ConfigurationError(f"--export {folder}: {error.strerror}") from error
        written = f"wrote {shown(file)}" if name in texts else f"no {name}: no case counts for it"
        typer.echo(written)


def report(lines: Sequence[str]) -> None:
    """What is not published, for the log and for the summary of a job."""
    for line in lines:
        logger.info(line)
    if lines:
        step.summarise("\n".join(lines))


def _say_added(comparisons: Sequence[PublishedComparison], added: Added, where: str) -> None:
    for comparison in comparisons:
        if comparison.id in added.new:
            typer.echo(f"added comparison {comparison.id} {where}")
        elif comparison.id in added.known:
            typer.echo(f"nothing new: comparison {comparison.id} {where}")
