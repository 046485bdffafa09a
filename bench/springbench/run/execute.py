"""A run, from a plan to a saved folder, its table and its page."""

from __future__ import annotations

import logging
from collections.abc import Callable, Collection, Hashable, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import chain, count
from pathlib import Path

from rich.console import Console

from springbench import units
from springbench.bench.assembly import Bench, BenchOptions, open_bench
from springbench.bench.environment import passed_variables
from springbench.bench.records import new_result, new_run, new_run_id
from springbench.errors import ConfigurationError, HostError
from springbench.history.condense import condense
from springbench.history.offline import page_of, read_template
from springbench.host.screen import show
from springbench.host.shell import RealShell
from springbench.matrix.rows import Matrix
from springbench.measure.selfcheck import Target, check, probe_cpu_s
from springbench.measure.testbed import NullObserver, Testbed
from springbench.paths import ROOT, shown
from springbench.plan.cases import Case
from springbench.plan.countdown import Countdown
from springbench.plan.plan import Filters, Plan, make_plan
from springbench.report.console import print_run
from springbench.report.markdown import render
from springbench.report.progress import following
from springbench.results.recording import Recording
from springbench.results.run import CanaryInfo, Caution, Result, Run
from springbench.results.store import LATEST, RunFolder, write_atomically
from springbench.run.profiling import CaseProfiler
from springbench.run.scheduler import LiveForks, RecordedForks, RunScheduler, replayed_run
from springbench.untrusted import one_line

logger = logging.getLogger(__name__)

TARGET = Target(delay_ms=100, connections=1000)
WINDOW_S = 8.0
CANARY_ESTIMATE_S = 15.0
"""Of the target, with its start and its ramp."""
# a shorter run would spend a notable part of its time on it
LONG_RUN_S = 900.0
ALLOWED_ERROR_RATIO = 0.01


@dataclass(frozen=True)
class RunOptions:
    """Options of a run, apart from those of its bench."""

    results: Path
    resume: Path | None = None
    id: str | None = None
    # with a matrix elsewhere the commit is that of its folder
    sources: Path = ROOT
    # ids of the runs before it of one bisection
    continues: tuple[str, ...] = ()
    # where there is a screen
    open_page: bool = False
    # one of many: no table and no page of its own
    brief: bool = False
    # a flame graph of each case, from a process that does not count
    profile_cpu: bool = False
    # measurements made earlier, which take the place of measuring
    recording: Recording | None = None


def execute(
    bench_options: BenchOptions, options: RunOptions, unfinished: Run | None, out: Console
) -> int:
    """Build, start, measure, save and print; or replay a recording. The exit code.

    `unfinished` is a run to go on with. Raises `ConfigurationError` and `HostError` before anything
    is measured.
    """
    if options.recording:
        return _replay(bench_options.plan, options, options.recording, out)
    return _measure(
        replace(bench_options, partial=True, canary="possible"), options, unfinished, out
    )


def _measure(
    bench_options: BenchOptions, options: RunOptions, unfinished: Run | None, out: Console
) -> int:
    shell, full_plan = RealShell(), bench_options.plan
    with open_bench(bench_options, shell) as bench:
        plan, tools = bench.plan, bench.tools
        run = new_run("", full_plan, bench.host, tools, shell, options.sources, bench_options.jars)
        run.warnings += bench.warnings
        run, folder = _folder(run, options, unfinished, full_plan.service)
        run.results += list(_not_measured(run, full_plan, bench.skipped, bench.failed))
        finished = _finished(run)
        _announce(plan, bench.skipped, out, finished)
        [testbed] = bench.start(folder.raw)
        with following(plan, out, finished) as observer:
            testbed = replace(testbed, observer=observer)
            if run.canary is None:
                _measure_canary(run, bench, testbed)
            scheduler = RunScheduler(plan, LiveForks(testbed, plan, run), folder, run, observer)
            code = scheduler.execute()
            if options.profile_cpu and not scheduler.interrupted:
                measured = [case for case in plan.cases if _is_measured(run, case)]
                silent = replace(testbed, observer=NullObserver())
                CaseProfiler(silent, tools).profile(measured)
    _report(scheduler, options, out)
    return int(code)


def _replay(plan: Plan, options: RunOptions, recording: Recording, out: Console) -> int:
    """Execute a plan with recorded forks: nothing is built or started."""
    run, plan = replayed_run(plan, recording, options.sources)
    run, folder = _folder(run, options, None, plan.service)
    _announce(plan, {}, out)
    scheduler = RunScheduler(plan, RecordedForks(recording), folder, run)
    code = scheduler.execute()
    _report(scheduler, options, out)
    return int(code)


def _folder(
    run: Run, options: RunOptions, unfinished: Run | None, service: str | None
) -> tuple[Run, RunFolder]:
    """The run to go on with, or this new one in a folder that `latest` points to from now on."""
    if unfinished and options.resume:
        return resume(unfinished, run), RunFolder.open(options.resume)
    run_id = options.id or new_run_id(run.run.profile, run.commit, service)
    if options.continues:
        run_id += f"-step{len(options.continues) + 1}"
        run.run.continues = [*options.continues]
    run.run.id = run_id if options.id else _untaken(options.results, run_id)
    folder = RunFolder.create(options.results, run.run.id)
    folder.save(run)
    return run, folder


def _untaken(results: Path, run_id: str) -> str:
    """The id, with a number where a run has it that began within the same second."""
    ids = chain([run_id], (f"{run_id}-{number}" for number in count(2)))
    return next(candidate for candidate in ids if not (results / candidate).exists())


def _is_measured(run: Run, case: Case) -> bool:
    result = run.find(case.id)
    return result is not None and result.status == "ok"


def _finished(run: Run) -> set[Hashable]:
    """The forks that a run has which is resumed."""
    return {(result.case, fork.fork) for result in run.results for fork in result.forks}


def _measure_canary(run: Run, bench: Bench, testbed: Testbed) -> None:
    """What the host can do before anything else is measured, by its slow upstream."""
    estimate_s = bench.plan.estimate_s
    if bench.target_jar and estimate_s >= LONG_RUN_S:
        logger.info(
            f"first a target of known throughput, about {units.duration(CANARY_ESTIMATE_S)}"
        )
    canary_testbed = replace(testbed, java=bench.tools.harness_jdk.java)
    run.canary = measure_canary(canary_testbed, bench.target_jar, estimate_s)
    if caution := canary_warning(run.canary, estimate_s):
        run.warnings.append(caution)


def measure_canary(testbed: Testbed, upstream_jar: Path | None, estimate_s: float) -> CanaryInfo:
    """The CPU probe, and in a long run the known target too, if there is one."""
    probe_s = probe_cpu_s()
    if estimate_s < LONG_RUN_S or upstream_jar is None:
        return CanaryInfo(cpu_probe_s=probe_s)
    checked = check(testbed, upstream_jar, TARGET, WINDOW_S)
    return CanaryInfo(
        cpu_probe_s=probe_s,
        target=TARGET.name,
        measured_rps=checked.measured_rps,
        error_ratio=checked.below_known_ratio,
    )


def canary_warning(canary: CanaryInfo, estimate_s: float = 0.0) -> Caution | None:
    """Where the known target was off, or was not measured although the run is long."""
    error = canary.error_ratio
    if canary.target is None and estimate_s >= LONG_RUN_S:
        return Caution(
            code="canary-left-out",
            message="no target of known throughput was measured: that takes a JDK and Maven, and "
            "this run needed neither. Nothing tells a host that has drifted",
            remedy="measure from a clone of springbench, where `make setup` brings both",
        )
    if error is None or abs(error) <= ALLOWED_ERROR_RATIO:
        return None
    off, allowed = units.apart(units.share, abs(error), ALLOWED_ERROR_RATIO, 2)
    return Caution(
        code="canary",
        message=f"a target of known throughput was measured {off} off (limit: {allowed}): "
        "what follows may be off as much",
        remedy="stop what else runs on this host, then `springbench selfcheck`",
    )


def _not_measured(
    run: Run, plan: Plan, skipped: Mapping[str, str], failed: Mapping[str, str]
) -> Iterator[Result]:
    """Results of what this host cannot run, and of what could not be built or prepared."""
    for case in plan.cases:
        if run.find(case.id) is not None:
            continue
        if case.id in skipped:
            yield new_result(case, status="skipped", reason=skipped[case.id])
        elif case.id in failed:
            yield new_result(case, status="failed", reason=failed[case.id])


def line_printer(out: Console) -> Callable[[str], None]:
    """A function that prints a line as it is."""
    return lambda line: out.print(line, markup=False)


def _announce(
    plan: Plan,
    skipped: Mapping[str, str],
    out: Console,
    finished: Collection[Hashable] = (),
) -> None:
    for reason in dict.fromkeys(skipped.values()):
        count = sum(other_reason == reason for other_reason in skipped.values())
        out.print(
            f"skipping {units.counted(count, 'case')}: {reason}", markup=False, soft_wrap=True
        )
    forks: set[Hashable] = {(case.id, fork) for fork, case in plan.rounds()}
    done = forks & {*finished}
    before = f", {len(done)} of them measured before" if done else ""
    left = units.duration(Countdown(plan.steps(), finished=done).left.total_s)
    # nobody knows before its first start how long a service starts and compiles
    is_known = done or not plan.is_of_a_service
    measuring = f"about {left} of measuring" if is_known else f"{left} of measuring or more"
    cases, processes = units.counted(len(plan.cases), "case"), units.counted(len(forks), "fork")
    out.print(
        f"profile {plan.profile}: {cases}, {processes}{before}, {measuring}",
        markup=False,
    )


def _report(scheduler: RunScheduler, options: RunOptions, out: Console) -> None:
    """Table, files and page of a run that has ended.

    Raises what ended it early, where that was the host, after all that was measured.
    """
    if scheduler.failure:
        print_run(scheduler.run, out)
        raise HostError(
            f"{scheduler.failure}\nwhat was measured is kept; `springbench run --resume "
            f"{shown(scheduler.folder.path)}` finishes it"
        )
    measured = units.duration(scheduler.run.run.measured_s)
    if options.brief:
        out.print(f"measured in {measured}", markup=False)
        return
    print_run(scheduler.run, out)
    report = scheduler.folder.path.with_name(f"{scheduler.run.run.id}.md")
    write_atomically(report, render(scheduler.run))
    page, why_not = _write_page(scheduler.run, report.with_suffix(".html"))
    out.print()
    state = "interrupted after" if scheduler.interrupted else "measured in"
    out.print(
        f"{state} {measured}: {shown(scheduler.folder.file)}, {shown(report)} "
        f"(also {shown(options.results / LATEST)})",
        markup=False,
        soft_wrap=True,
    )
    if page is None:
        out.print(f"no report page: {why_not}", markup=False, soft_wrap=True)
        return
    out.print(f"report page: {shown(page)}", markup=False, soft_wrap=True)
    if options.open_page and not scheduler.interrupted:
        show(page)


def _write_page(run: Run, file: Path) -> tuple[Path | None, str]:
    """The report as a page, or why there is none; the run is saved all the same."""
    template = read_template()
    if template is None:
        return None, "`make site` in a clone of springbench builds what it is made from"
    try:
        write_atomically(file, page_of(template, [condense([run])]))
    except ConfigurationError as error:
        # as of a run without a single case
        return None, one_line(str(error))
    except OSError as error:
        return None, f"{error.strerror}; `springbench report --format page` makes it"
    return file, ""


# --- Goes on with a run that was interrupted: no case lost, none measured twice -------------------


def plan_of(run: Run, matrix: Matrix) -> Plan:
    """The plan that the run was made for.

    Raises `ConfigurationError` when `matrix.toml` has changed since, so that it would be another.
    """
    filters = run.run.filters
    plan = make_plan(
        matrix,
        run.run.profile,
        Filters(
            only=tuple(filters.only),
            connections=tuple(filters.connections),
            forks=filters.forks,
            window_s=filters.window_s,
            rates=tuple(filters.rates),
        ),
    )
    if plan.digest != run.run.plan_digest:
        raise ConfigurationError(
            f"--resume: matrix.toml selects other cases than when {run.run.id} began; "
            "start a new run"
        )
    for case in plan.cases:
        if (then := run.find(case.id)) and then.planned and _passed_now(case) != _passed(then):
            raise ConfigurationError(
                f"--resume: the variables of pass_env have other values than when {run.run.id} "
                "began; set them as they were, or start a new run"
            )
    return plan


def _passed_now(case: Case) -> object:
    return passed_variables(case.variant).get("passed_digest")


def _passed(result: Result) -> object:
    return result.planned.passed_digest if result.planned else None


def resume(unfinished: Run, now: Run) -> Run:
    """The run to go on with, once it is known that the host and the sources are still the same.

    Raises `ConfigurationError` when they are not: half a run must not stand for another thing.
    """
    same_jdks = unfinished.tools.jdks == now.tools.jdks
    if unfinished.host.fingerprint != now.host.fingerprint or not same_jdks:
        raise ConfigurationError(
            f"--resume: {unfinished.run.id} was measured on another host or with other tools "
            f"({unfinished.host.host_class}, now {now.host.host_class}); start a new run"
        )
    if unfinished.host.limits.cpus != now.host.limits.cpus:
        raise ConfigurationError(
            f"--resume: {unfinished.run.id} was measured on other CPUs than now: ask for the same "
            f"with --cpus {unfinished.host.limits.cpus} (now {now.host.limits.cpus}), or start a "
            "new run"
        )
    then = unfinished.commit.sha if unfinished.commit else None
    if then != (now.commit.sha if now.commit else None):
        raise ConfigurationError(
            f"--resume: {unfinished.run.id} measured commit {then or 'none'}, which is not checked "
            "out now; check it out or start a new run"
        )
    if any(run.commit and run.commit.dirty for run in (unfinished, now)):
        unfinished.warnings.append(
            Caution(
                code="resumed-dirty",
                message="the run was interrupted and finished on sources with uncommitted changes: "
                "nothing shows that they were the same",
                remedy="commit, and start a new run",
            )
        )
    unfinished.results = [result for result in unfinished.results if result.status != "skipped"]
    unfinished.run.finished_at = None
    unfinished.run.interrupted = False
    return unfinished
