"""Executes a plan: takes fork after fork from a source, assesses, and saves after each."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Protocol

from springbench import units
from springbench.analysis.assess import assess
from springbench.analysis.conclude import CONCLUDED_CODES, conclude
from springbench.analysis.ranking import THROUGHPUT
from springbench.analysis.warnings import rows_words
from springbench.bench.records import commit_of, new_result, run_info
from springbench.errors import ExitCode, HostError
from springbench.host.interrupts import interrupts_ignored
from springbench.host.shell import RealShell
from springbench.measure.fork import Round
from springbench.measure.testbed import NullObserver, Observer, Testbed
from springbench.plan.cases import Case
from springbench.plan.plan import Plan
from springbench.results.recording import Recording
from springbench.results.records import ForkRecord
from springbench.results.run import DIRTY, INTERRUPTED, NO_COMMIT, Caution, Result, Run
from springbench.results.store import RunFolder

# one alone has nothing in its round to be compared with
LEAST_IN_ROUND = 2
# A further round may take so much longer than the first suggests: 1.12 and 1.22 were measured. The
# rest is taken from its windows.
RESERVE_RATIO = 1.15

Keep = Callable[[Case, ForkRecord], None]
# concluded from the forks and the checkout, so concluded again
_CONCLUDED = CONCLUDED_CODES | {NO_COMMIT, DIRTY}
TIME_CODE = "out-of-time"


class ForkSource(Protocol):
    """Where forks come from: the end of measuring, and the beginning of what follows from it."""

    def measure(
        self, groups: Sequence[Sequence[Case]], fork: int, keep: Keep, until_s: float = math.inf
    ) -> None:
        """Hand one fork of each case to `keep`; a group holds the cases of one process. What is
        interleaved may be shortened so as to be over at `until_s`."""


@dataclass(frozen=True)
class LiveForks:
    """Measures on this host: all servers of a round interleaved, or one process after the other.

    `run` has what was measured before: constant rates are shares of that.
    """

    testbed: Testbed
    plan: Plan
    run: Run

    def measure(
        self, groups: Sequence[Sequence[Case]], fork: int, keep: Keep, until_s: float = math.inf
    ) -> None:
        """Measure one fork of each case."""
        interleaved = self.plan.interleaved and len(groups) > 1
        for round_ in [groups] if interleaved else self._one_by_one(groups):
            Round(self.testbed, fork, keep, self._capacity_rps, until_s).measure(round_)

    def _one_by_one(self, groups: Sequence[Sequence[Case]]) -> list[list[Sequence[Case]]]:
        """A round for each process, in the order of the plan; one for each case where none is
        shared."""
        at = {case.id: number for number, case in enumerate(self.plan.cases)}
        processes = [
            process
            for group in groups
            for process in ([group] if group[0].shares_process else [[case] for case in group])
        ]
        return [[process] for process in sorted(processes, key=lambda cases: at[cases[0].id])]

    def _capacity_rps(self, case: Case) -> float | None:
        """Throughput of the first process of the case that had a window."""
        result = self.run.find(case.id)
        loads = [record.load for record in result.forks] if result else []
        return next((load.throughput_rps for load in loads if load is not None), None)


@dataclass(frozen=True)
class RecordedForks:
    """Hands out forks of a recording in the place of measuring them."""

    recording: Recording

    def measure(
        self,
        groups: Sequence[Sequence[Case]],
        fork: int,
        keep: Keep,
        until_s: float = math.inf,  # noqa: ARG002 - it takes no time
    ) -> None:
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
    cautions = [caution for caution in recorded.warnings if caution.code not in _CONCLUDED]
    commit, about_commit = commit_of(sources, RealShell())
    run = Run(
        run=run_info("", plan),
        commit=commit,
        host=recorded.host,
        tools=recorded.tools,
        canary=recorded.canary,
        warnings=[recording.caution, *about_commit, *cautions],
    )
    measured = []
    for case in plan.cases:
        _, result = recording.find(case.id)
        if result.forks:
            measured.append(case)
        else:
            run.results.append(new_result(case, status=result.status, reason=result.reason))
    return run, replace(plan, cases=tuple(measured))


def _out_of_time(
    left_out: Sequence[Case], fork: int, slowness: float, limit_s: float, of_all: int
) -> Caution:
    where = rows_words([case.id for case in left_out], of_all)
    return Caution(
        code=TIME_CODE,
        message=f"process {fork + 1} of {where} was left out: this host took {slowness:.2f} times "
        f"as long as planned, and with {units.share(RESERVE_RATIO - 1, 0)} in reserve the profile "
        f"would not end within {units.duration(limit_s)}",
        remedy=f"--forks {fork + 1} measures all of them, however long it takes",
    )


@dataclass
class RunScheduler:
    """A run under way. `run` is always what the folder holds."""

    plan: Plan
    source: ForkSource
    folder: RunFolder
    run: Run
    observer: Observer = field(default_factory=NullObserver)
    interrupted: bool = False
    failure: HostError | None = None
    """What ended it early, where it was the host."""
    clock: Callable[[], float] = time.monotonic

    def execute(self) -> ExitCode:
        """Measure everything that has not been measured. Ctrl-C ends it, and loses nothing."""
        self.folder.save(self.run)
        # whoever resumes a run wants the rest of it, however long it takes
        limit_s = None if self.run.run.measured_s else self.plan.limit_s
        begin_s = self.clock() - self.run.run.measured_s
        try:
            for fork in range(max((case.forks for case in self.plan.cases), default=0)):
                groups, until_s = self._missing(fork), math.inf
                if fork and limit_s is not None:
                    groups = self._in_time(groups, fork, self.clock() - begin_s, limit_s)
                    until_s = begin_s + limit_s
                self._measure_round(groups, fork, begin_s, until_s)
        except KeyboardInterrupt:
            self.interrupted = True
        except HostError as error:
            # what was measured until then is kept, and the run can be finished
            self.interrupted, self.failure = True, error
        with interrupts_ignored():
            self.run.run.measured_s = self.clock() - begin_s
            self._finish()
        return self._exit_code()

    def _has(self, case: Case, fork: int) -> bool:
        result = self.run.find(case.id)
        return result is not None and any(record.fork == fork for record in result.forks)

    def _missing(self, fork: int) -> list[list[Case]]:
        """By process, the cases of a round that have not been measured in it."""
        return [
            missing
            for group in self.plan.processes(fork)
            if (missing := [case for case in group if not self._has(case, fork)])
        ]

    def _in_time(
        self, groups: list[list[Case]], fork: int, spent_s: float, limit_s: float
    ) -> list[list[Case]]:
        """As many processes as there is time for, if they are as much slower than planned as those
        before, with a reserve: first those whose throughput is nearest to another one's."""
        planned_s = sum(
            self.plan.cost_s(other_fork, case)
            for other_fork, case in self.plan.rounds()
            if other_fork < fork
        )
        slowness = max(1.0, spent_s / planned_s)
        left_s, chosen = limit_s - spent_s, []
        for group in sorted(groups, key=lambda group: self._nearest(group[0])):
            cost_s = slowness * sum(self.plan.cost_s(fork, case) for case in group)
            cost_s *= RESERVE_RATIO
            if cost_s <= left_s:
                left_s -= cost_s
                chosen.append(group)
        if len(chosen) < min(LEAST_IN_ROUND, len(groups)):
            chosen = []
        left_out = [case for group in groups if group not in chosen for case in group]
        if left_out:
            for case in left_out:
                self.observer.left_out(case, fork)
            self.run.warnings.append(_out_of_time(left_out, fork, slowness, limit_s, len(groups)))
        return [group for group in groups if group in chosen]

    def _nearest(self, case: Case) -> float:
        """By which factor, as a logarithm, the throughput of a case differs from the nearest other
        under the same load; infinite where one has none."""
        rates = {
            result.case: math.log(result.summary[THROUGHPUT].median)
            for result in self.run.results
            if (result.workload, result.connections) == (case.workload.id, case.connections)
            and not result.unranked
            and THROUGHPUT in result.summary
        }
        rate = rates.pop(case.id, None)
        if rate is None:
            return math.inf
        return min((abs(rate - other) for other in rates.values()), default=math.inf)

    def _measure_round(
        self, groups: Sequence[Sequence[Case]], fork: int, begin_s: float, until_s: float
    ) -> None:
        """These cases, each process together."""

        def keep(case: Case, record: ForkRecord) -> None:
            self._keep(case, record)
            self.run.run.measured_s = self.clock() - begin_s
            self.folder.save(self.run)

        if groups:
            self.source.measure(groups, fork, keep, until_s)

    def _keep(self, case: Case, record: ForkRecord) -> None:
        self.observer.finished(case, record)
        # only now: a case that was interrupted in its first fork has no result
        result = self.run.find(case.id)
        if result is None:
            result = new_result(case, status="ok")
            self.run.results.append(result)
        result.forks.append(record)
        self._assess(result, case)

    def _assess(self, result: Result, case: Case) -> None:
        # on a host that cannot pin, the caps that grow with CPUs see all of them
        server_cpus = len(self.run.host.limits.server_cpus) or self.run.host.cores
        self.run.results[self.run.results.index(result)] = assess(
            result, case, server_cpus, self.run.host.load_host
        )

    def _finish(self) -> None:
        for case in self.plan.cases:
            result = self.run.find(case.id)
            if result is None:
                self.run.results.append(new_result(case, status="skipped", reason=INTERRUPTED))
            elif self.interrupted and result.forks:
                # Ctrl-C may have come after the last fork was kept and before it was counted
                self._assess(result, case)
        conclude(self.run)
        self.run.run.interrupted = self.interrupted
        self.run.run.finished_at = datetime.now(UTC).isoformat(timespec="seconds")
        self.folder.save(self.run)

    def _exit_code(self) -> ExitCode:
        if self.interrupted:
            return ExitCode.INTERRUPTED
        if any(result.status == "failed" for result in self.run.results):
            return ExitCode.CASES_FAILED
        limits = (limit for result in self.run.results for limit in result.limits)
        if any(limit.verdict == "broken" for limit in limits):
            return ExitCode.REGRESSION
        return ExitCode.OK
