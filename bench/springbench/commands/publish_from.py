"""Files of another harness, as a run that `springbench publish` adds to a history."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import StrEnum
from pathlib import Path

from springbench.bench.records import commit_of
from springbench.commands.publish_to import report
from springbench.errors import ConfigurationError
from springbench.github.step import on_hosted_runner
from springbench.harnesses.readers import BY_HARNESS, Reader, read_results
from springbench.history.condense import Publication, utc
from springbench.history.plausible import before_its_commit, wrong_clock
from springbench.history.reported import Origin, condense_reported
from springbench.history.soundness import FactsOf, time_in_order
from springbench.host.facts.facts import host_facts
from springbench.host.shell import Shell
from springbench.paths import REPOSITORY, shown
from springbench.results.published_run import PublishedRun
from springbench.results.run import Caution, CommitInfo
from springbench.untrusted import sanitise


class Harness(StrEnum):
    """Other harnesses whose files are read, as an option takes them."""

    JMH = "jmh"
    K6 = "k6"
    GATLING = "gatling"
    HYPERFINE = "hyperfine"


@dataclass(frozen=True)
class ReportedRun:
    """A run of another harness, and why no history evaluates it, if none does."""

    run: PublishedRun
    not_evaluated: list[str]


def reported_run(
    files: Sequence[Path],
    harness: Harness,
    suite: str | None,
    publication: Publication,
    facts: FactsOf,
    shell: Shell,
) -> ReportedRun:
    """What these files hold, of the commit that is checked out, on this host.

    They were measured when they were written. Says what is left out. Raises `ConfigurationError`.
    """
    reader = BY_HARNESS[harness.value]
    found = [read_results(file, reader) for file in files]
    for file, results in zip(files, found, strict=True):
        report([f"{shown(file)}: {line}" for line in results.left_out])
    commit, cautions = commit_of(REPOSITORY, shell)
    origin = Origin(
        host=host_facts(shell),
        commit=_in_order(commit, facts),
        measured_at=_written_at(files),
        trigger=os.environ.get("GITHUB_EVENT_NAME", "manual"),
        on_shared_host=on_hosted_runner(),
    )
    _check_time(origin)
    run = condense_reported(reader, found, origin, publication, suite)
    return ReportedRun(run, _not_evaluated(run, reader, commit, cautions))


def _in_order(commit: CommitInfo | None, facts: FactsOf) -> CommitInfo | None:
    known = facts(commit.sha) if commit else None
    if commit is None or known is None:
        return commit
    return commit.model_copy(update={"time": time_in_order(commit.time, known)})


def _written_at(files: Sequence[Path]) -> str:
    times = [file.stat().st_mtime for file in files]
    return utc(datetime.fromtimestamp(min(times), UTC).isoformat())


def _check_time(origin: Origin) -> None:
    at = origin.measured_at
    made_at = utc(origin.commit.time) if origin.commit else at
    if why := wrong_clock(at) or before_its_commit(at, made_at):
        raise ConfigurationError(
            f"the files were written at {at}, which {why}; check out the commit that was measured"
        )


def _not_evaluated(
    run: PublishedRun, reader: Reader, commit: CommitInfo | None, cautions: Sequence[Caution]
) -> list[str]:
    if commit is not None and not commit.dirty:
        return []
    caution = next(iter(cautions), None)
    words = (
        "; ".join(filter(None, (caution.message, caution.remedy)))
        if caution
        else f"it is of no commit; publish {reader.name}'s file in a checkout that git reads"
    )
    return [f"{run.id} is published and never evaluated: {sanitise(words, 400)}"]
