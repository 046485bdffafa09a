"""A run whose forks were recorded earlier: everything but the measuring itself."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from springbench.analysis.host_speed import ORDER_CODE, SPEED_CODE
from springbench.host.shell import RealShell
from springbench.plan.cases import Case
from springbench.plan.plan import Plan
from springbench.results.recording import Recording
from springbench.results.run import DIRTY, NO_COMMIT, Run
from springbench.run.new_run import commit_of, run_info
from springbench.run.scheduler import Keep, new_result

# concluded from the forks and the checkout, so concluded again
_CONCLUDED = (SPEED_CODE, ORDER_CODE, NO_COMMIT, DIRTY)


@dataclass(frozen=True)
class RecordedForks:
    """Hands out forks of a recording in the place of measuring them."""

    recording: Recording

    def measure(self, groups: Sequence[Sequence[Case]], fork: int, keep: Keep) -> None:
        """Keep the recorded fork of each case."""
        for group in groups:
            for case in group:
                keep(case, self.recording.fork(case.id, fork))


def replayed_run(plan: Plan, recording: Recording, sources: Path) -> tuple[Run, Plan]:
    """A run that begins now, on the host of the recording, and the plan of what was measured.

    Cases that the recording says were never started keep its reason. Raises `ConfigurationError`
    where it lacks a case of the plan.
    """
    recorded, _ = recording.find(plan.cases[0].id)
    own = [caution for caution in recorded.warnings if caution.code not in _CONCLUDED]
    commit, about_commit = commit_of(sources, RealShell())
    run = Run(
        run=run_info("", plan),
        commit=commit,
        host=recorded.host,
        tools=recorded.tools,
        canary=recorded.canary,
        warnings=[recording.caution, *about_commit, *own],
    )
    measured = []
    for case in plan.cases:
        _, result = recording.find(case.id)
        if result.forks:
            measured.append(case)
        else:
            run.results.append(new_result(case, status=result.status, reason=result.reason))
    return run, replace(plan, cases=tuple(measured))
