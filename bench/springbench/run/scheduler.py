"""Executes a plan: takes fork after fork from a source, assesses, and saves after each."""

from __future__ import annotations

import signal
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Protocol

from springbench.analysis.assess import assess
from springbench.analysis.host_speed import ORDER_CODE, SPEED_CODE, speed_warnings
from springbench.analysis.ranking import rank
from springbench.errors import ExitCode, HostError
from springbench.measure.fork import measure_fork
from springbench.measure.rounds.round import Round
from springbench.measure.testbed import Observer, Silent, Testbed
from springbench.plan.cases import Case
from springbench.plan.plan import Plan
from springbench.results.records import ForkRecord
from springbench.results.run import INTERRUPTED, Result, Run
from springbench.results.store import RunFolder
from springbench.run.environment import passed_to

Keep = Callable[[Case, ForkRecord], None]


class ForkSource(Protocol):
    """Where forks come from: the end of measuring, and the beginning of what follows from it."""

    def measure(self, groups: Sequence[Sequence[Case]], fork: int, keep: Keep) -> None:
        """Hand one fork of each case to `keep`; a group holds the cases of one process."""


@dataclass(frozen=True)
class LiveForks:
    """Measures on this host: all servers of a round interleaved, or one case after the other.

    `run` has what was measured before: constant rates are shares of that.
    """

    testbed: Testbed
    plan: Plan
    run: Run

    def measure(self, groups: Sequence[Sequence[Case]], fork: int, keep: Keep) -> None:
        """Measure one fork of each case."""
        if self.plan.in_turn and len(groups) > 1:
            Round(self.testbed, fork, keep).measure(groups)
            return
        missing = {case.id for group in groups for case in group}
        for case in self.plan.cases:
            if case.id in missing:
                keep(case, measure_fork(self.testbed, case, fork, self._capacity_rps(case)))

    def _capacity_rps(self, case: Case) -> float | None:
        """Throughput of the first process of the case that had a window."""
        result = self.run.find(case.id)
        loads = [record.load for record in result.forks] if result else []
        return next((load.throughput_rps for load in loads if load is not None), None)


@dataclass
class RunScheduler:
    """A run under way. `run` is always what the folder holds."""

    plan: Plan
    source: ForkSource
    folder: RunFolder
    run: Run
    observer: Observer = field(default_factory=Silent)
    interrupted: bool = False
    failure: HostError | None = None
    """What ended it early, where it was the host."""

    def execute(self) -> ExitCode:
        """Measure everything that has not been measured. Ctrl-C ends it, and loses nothing."""
        self.folder.save(self.run)
        begin_s = time.monotonic() - self.run.run.measured_s
        try:
            for fork in range(max((case.forks for case in self.plan.cases), default=0)):
                self._measure_round(fork, begin_s)
        except KeyboardInterrupt:
            self.interrupted = True
        except HostError as error:
            # what was measured until then is kept, and the run can be finished
            self.interrupted, self.failure = True, error
        with _undisturbed():
            self.run.run.measured_s = time.monotonic() - begin_s
            self._finish()
        return self._exit_code()

    def _has(self, case: Case, fork: int) -> bool:
        result = self.run.find(case.id)
        return result is not None and any(record.fork == fork for record in result.forks)

    def _measure_round(self, fork: int, begin_s: float) -> None:
        """All that is missing of one fork of each case."""
        groups = [
            missing
            for group in self.plan.processes(fork)
            if (missing := [case for case in group if not self._has(case, fork)])
        ]

        def keep(case: Case, record: ForkRecord) -> None:
            self._keep(case, record)
            self.run.run.measured_s = time.monotonic() - begin_s
            self.folder.save(self.run)

        self.source.measure(groups, fork, keep)

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
        speed = (SPEED_CODE, ORDER_CODE)
        others = [caution for caution in self.run.warnings if caution.code not in speed]
        self.run.warnings = [*others, *speed_warnings(self.run.results)]
        self.run.results, self.run.rankings = rank(self.run.results)
        self.run.run.interrupted = self.interrupted
        self.run.run.finished_at = datetime.now(UTC).isoformat(timespec="seconds")
        self.folder.save(self.run)

    def _exit_code(self) -> ExitCode:
        if self.interrupted:
            return ExitCode.INTERRUPTED
        if any(result.status == "failed" for result in self.run.results):
            return ExitCode.CASES_FAILED
        return ExitCode.OK


@contextmanager
def _undisturbed() -> Iterator[None]:
    """A second Ctrl-C does not end the saving that the first one began."""
    numbers = (signal.SIGINT, signal.SIGTERM)
    before = {number: signal.signal(number, signal.SIG_IGN) for number in numbers}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def new_result(case: Case, status: str, reason: str | None = None) -> Result:
    """A result with the case's axes spelled out and nothing measured yet."""
    variant = case.variant
    return Result.model_validate(
        {
            "case": case.id,
            "boot": variant.boot,
            "server": variant.server.id,
            "model": variant.model.id,
            "runtime": variant.runtime.id,
            "workload": case.workload.id,
            "connections": case.connections,
            "ideal_rps": case.ideal_rps,
            "planned": {
                "forks": case.forks,
                "warmup_min_s": case.warmup_min_s,
                "warmup_max_s": case.warmup_max_s,
                "window_s": case.window_s,
                "begin_over_s": case.begin_over_s,
                **passed_to(variant),
            },
            "status": status,
            "reason": reason,
        }
    )
