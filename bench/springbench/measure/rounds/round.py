"""A round: a fresh process of every variant, all up at once, loaded in turn.

Of servers measured one after the other each meets its own minute of the host. Here all meet the
same: a block of the design, as statistics calls it (Fisher, 1935).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from pathlib import Path

from springbench.errors import CaseError
from springbench.host.ports import free_port
from springbench.measure import missing
from springbench.measure.fork import check_services, measure_fork, measure_load, measure_start
from springbench.measure.load.driver import Driver
from springbench.measure.rounds.cycles import rotated
from springbench.measure.rounds.in_turn import Entry, take_turns
from springbench.measure.rounds.standing import Standing
from springbench.measure.server.command import Start
from springbench.measure.server.log import log_tail
from springbench.measure.server.process import started
from springbench.measure.testbed import Testbed
from springbench.measure.warmup import ROUTE_CEILING_S
from springbench.plan.cases import START, Case
from springbench.results.records import ForkRecord

Done = Callable[[Case, ForkRecord], None]


@dataclass
class RoundProcess:
    """A process of a round: what it goes through, and what it has been at its start."""

    server: Standing
    cases: list[Case]
    begun: ForkRecord
    stack: ExitStack
    warm: set[str] = field(default_factory=set)
    """Routes that have warmed it up."""

    @property
    def home(self) -> Path:
        """Folder of its logs."""
        return self.server.driver.home

    def case_of(self, load: tuple[str, int]) -> Case | None:
        """Its case under that load."""
        return next((case for case in self.cases if case.load == load), None)

    def record(self) -> ForkRecord:
        """A record of its next case: how it started is the same for all of them."""
        return self.begun.model_copy(deep=True)

    def driver(self, case: Case) -> Driver:
        """Its driver, which keeps what it reads in the folder of the case."""
        folder = self.server.testbed.raw_folder(case, self.begun.fork)
        return replace(self.server.driver, folder=folder)

    def end(self, error: CaseError | None = None) -> str:
        """End the process. What killed it is known only then."""
        try:
            self.stack.__exit__(type(error) if error else None, error, None)
        except CaseError as told:
            return str(told)
        return str(error or "")


@dataclass(frozen=True)
class Round:
    """One round over the processes of a plan. `done` gets each record as soon as it is whole."""

    testbed: Testbed
    fork: int
    done: Done

    def measure(self, groups: Sequence[Sequence[Case]]) -> None:
        """Measure all cases of each group, which one process can answer.

        A process that fails in one case is ended; what it leaves is measured on processes of its
        own, once the others are through.
        """
        left: list[Case] = []
        with ExitStack() as outer:
            processes: list[RoundProcess] = []
            for cases in rotated(groups, self.fork):
                # whatever ends this block ends each process
                process = self._start(outer.enter_context(ExitStack()), cases)
                if process is None:
                    left += cases[1:]
                else:
                    processes.append(process)
            for load in dict.fromkeys(case.load for group in groups for case in group):
                lost = self._measure(processes, load)
                left += [case for process in lost for case in _after(process, load)]
                processes = [process for process in processes if process not in lost]
        for case in left:
            self.done(case, measure_fork(self.testbed, case, self.fork))

    def _start(self, stack: ExitStack, cases: Sequence[Case]) -> RoundProcess | None:
        """A process that stands still once it has answered; None where it never did."""
        first = cases[0]
        testbed = replace(self.testbed, port=free_port())
        record = ForkRecord(fork=self.fork, status="ok")
        record.build = testbed.builds.get(first.variant.id, record.build)
        record.missing |= dict(missing.of_build(record.build))
        folder = testbed.raw_folder(first, self.fork)
        testbed.observer.phase(first, self.fork, START)
        try:
            check_services(testbed, first, "an earlier case")
            running = stack.enter_context(started(testbed, Start.of(first), folder))
        except CaseError as error:
            self._fail(first, record, str(error), folder)
            return None
        driver = Driver(testbed, running, folder)
        process = RoundProcess(Standing(testbed, driver, first.variant), [*cases], record, stack)
        try:
            measure_start(testbed, first, record, driver)
        except CaseError as error:
            self._fail(first, record, process.end(error), folder)
            return None
        process.server.stand_still()
        return process

    def _measure(
        self, processes: Sequence[RoundProcess], load: tuple[str, int]
    ) -> list[RoundProcess]:
        """One load of all that have it; those that did not survive it."""
        having = [
            (process, case) for process in processes if (case := process.case_of(load)) is not None
        ]
        measured, lost = [], []
        for process, case in rotated(having, self.fork):
            record = process.record()
            try:
                with process.server.awake():
                    self._alone(process, case, record)
            except CaseError as error:
                self._fail(case, record, process.end(error), process.home)
                lost.append(process)
                continue
            if case.takes_turns:
                measured.append((process, case, record))
                continue
            self.done(case, record)
            if _after(process, load) and not _has_drained(process, case):
                process.end()
                lost.append(process)
        failures = take_turns([Entry(p.server, c, r) for p, c, r in measured])
        for process, case, record in measured:
            if failure := failures.get(case.id):
                self._fail(case, record, process.end(failure), process.home)
                lost.append(process)
            else:
                self.done(case, record)
        return lost

    def _alone(self, process: RoundProcess, case: Case, record: ForkRecord) -> None:
        """Warm-up, and a window while the others stand still.

        Where turns follow, it tells what they cannot: latencies, and whether the compilers rest.
        """
        driver, route = process.driver(case), case.warmup_route
        testbed, alone = process.server.testbed, case.before_turns
        measure_load(testbed, alone, record, driver, is_warm=route in process.warm)
        process.warm.add(route)

    def _fail(self, case: Case, record: ForkRecord, reason: str, home: Path) -> None:
        record.status, record.reason = "failed", reason
        record.log_tail = log_tail(home)
        self.done(case, record)


def _has_drained(process: RoundProcess, case: Case) -> bool:
    """Whether nothing of a load is still queued in the server, where it would meet the next."""
    server = process.server
    try:
        with server.awake():
            ceiling_s = ROUTE_CEILING_S + case.workload.delay_s
            server.driver.server.check_route(case.route, ceiling_s)
    except CaseError:
        return False
    return True


def _after(process: RoundProcess, load: tuple[str, int]) -> list[Case]:
    """Cases that a process has not come to."""
    at = next(i for i, case in enumerate(process.cases) if case.load == load)
    return process.cases[at + 1 :]
