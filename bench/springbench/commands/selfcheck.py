"""`springbench selfcheck`: measure targets whose throughput is known, and say how far off."""

from __future__ import annotations

import json
import logging
from collections.abc import Callable, Sequence
from dataclasses import asdict, replace
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Annotated, TypeVar

import typer

from springbench import units
from springbench.bench.assembly import BenchOptions, open_bench
from springbench.build.jars import upstream_jar
from springbench.build.oha import provide_oha
from springbench.commands.options import LoadHostOption, WaitOption
from springbench.errors import CaseError, ExitCode, HostError
from springbench.host.interrupts import ended_by_signals
from springbench.host.lock import measuring_alone
from springbench.host.shell import RealShell
from springbench.host.tools.find import find_h2load
from springbench.measure.selfcheck import (
    Checked,
    RateChecked,
    RateTarget,
    Target,
    check,
    check_at_rate,
    probe_cpu_s,
)
from springbench.measure.testbed import Testbed
from springbench.messages import show_messages
from springbench.paths import RESULTS, shown
from springbench.plan.plan import Plan
from springbench.report.console import console, print_rows
from springbench.results.store import AGAIN, full_disk_reported

logger = logging.getLogger(__name__)

T = TypeVar("T", Target, RateTarget)
R = TypeVar("R")

COLUMNS = (
    "target",
    "known",
    "counted",
    "measured",
    "error",
    "below known",
    "second client",
    "CPU/req",
    "load CPU/req",
    "late mean",
    "late p99",
    "slowest",
    "",
)
STALL_S = 0.2
TARGETS = (
    *(
        Target(delay_ms, connections)
        for delay_ms in (100, 1000)
        for connections in (100, 1000, 3000)
    ),
    Target(1000, 5000),
    Target(100, 1000, at_once=200),
    Target(20, 100, stall_s=STALL_S),
)
H2LOAD_TARGETS = (
    *(Target(100, streams, generator="h2load") for streams in (100, 1000)),
    # at 30,000 a second, frames take the target all of its CPU
    Target(1000, 3000, generator="h2load"),
    Target(20, 100, generator="h2load", stall_s=STALL_S),
)
RATE_COLUMNS = (
    "at a constant rate",
    "achieved",
    "oha's CPU",
    "p50 off by",
    "p99 off by",
    "slowest",
    "wrk's p99",
    "",
)
RATE_TARGETS = (
    *(RateTarget(Target(100, connections)) for connections in (100, 1000, 3000)),
    RateTarget(Target(1000, 5000)),
    RateTarget(Target(20, 100, stall_s=STALL_S)),
)
# more than was due in a window was left over from before it
ALLOWED_ACHIEVED_RATIO = 0.01
# of the delay
ALLOWED_P50_RATIO = 0.02
# of the stall: the slowest answer tells how long it was
ALLOWED_STALL_RATIO = 0.1
# against the target's own count
ALLOWED_ERROR_RATIO = 0.005
# what a generator may take from an answer to its next request, of the delay: h2load takes half a
# millisecond, and more at 30,000 a second
ALLOWED_BELOW_KNOWN_RATIO = {"wrk": 0.005, "h2load": 0.02}
# an interpreter carries the second client's rate, and is late itself
ALLOWED_DISAGREEMENT_RATIO = 0.02


def selfcheck(
    window: Annotated[
        float, typer.Option("--window", min=2, max=600, help="Length of a window in seconds.")
    ] = 10.0,
    jars: Annotated[
        Path | None, typer.Option("--jars", help="A folder with the built slow-upstream.jar.")
    ] = None,
    json_: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
    load_host: LoadHostOption = None,
    wait: WaitOption = 0.0,
    results: Annotated[Path, typer.Option("--results", help="Where raw output goes.")] = RESULTS,
) -> None:
    """Measure targets whose throughput is known and say how far off the harness is.

    Example: `springbench selfcheck --window 20`

    Exits with 3 when the harness is off by more than 0.5 % of what a target counted itself, the
    load by more than 0.5 % (h2load: 2 %) of the known rate, the second client by more than 2 %, or
    when at a constant rate the achieved rate is off by more than 1 %, p50 by more than 2 % of the
    delay, or a stall is not found in the slowest answer. Exits with 4 when a target could not be
    measured; the others are shown.
    """
    out = console()
    shell = RealShell()

    show_messages((lambda _: None) if json_ else partial(out.print, markup=False, soft_wrap=True))
    ended_by_signals()
    options = BenchOptions(
        Plan("selfcheck", ()),
        jars=jars,
        load_host=load_host,
        canary="required",
        connections=max(target.connections for target in TARGETS),
    )
    alone = measuring_alone(wait)
    with full_disk_reported(results, AGAIN), alone, open_bench(options, shell) as bench:
        [testbed] = bench.start(results / f"{datetime.now(UTC):%Y%m%dT%H%M%SZ}-selfcheck" / "raw")
        link_s = bench.host.load_host.link.round_trip_s if bench.host.load_host else 0.0
        failures: dict[str, str] = {}
        h2load = find_h2load()
        if h2load is None or load_host:
            logger.info("not checked: h2load, which is not here, or not on the load host")
        else:
            testbed = replace(testbed, h2load=h2load.path)
        by_h2load = () if h2load is None or load_host else H2LOAD_TARGETS
        jar = upstream_jar(jars)
        checked = [
            replace(result, round_trip_s=link_s)
            for result in measure_each(
                (*TARGETS, *by_h2load),
                lambda target: check(testbed, jar, target, window),
                window,
                failures,
            )
        ]
        at_rates = _check_rates(testbed, jar, window, failures)
        probe_s = probe_cpu_s()
    if json_:
        typer.echo(json.dumps(as_data(checked, at_rates, failures, probe_s), indent=2))
    else:
        out.print()
        print_rows(COLUMNS, [_row(result) for result in checked], {"target", ""}, out)
        if at_rates:
            print_rows(RATE_COLUMNS, list(map(_rate_row, at_rates)), {RATE_COLUMNS[0], ""}, out)
        for name, reason in failures.items():
            logger.error(f"not measured: {name}: {reason}")
        logger.info(f"CPU probe {probe_s:.3f} s; raw output in {shown(testbed.raw)}")
    if failures:
        raise typer.Exit(ExitCode.CASES_FAILED)
    if not all((*map(passed, checked), *map(rate_passed, at_rates))):
        raise typer.Exit(ExitCode.HOST)


def passed(checked: Checked) -> bool:
    """Whether the harness is as near as it promises, and the second client says so too."""
    if checked.target.stall_s:
        return _is_found(checked)
    second_rps = checked.second_client_rps
    agree = (
        second_rps is None
        or abs(second_rps / checked.measured_rps - 1) <= ALLOWED_DISAGREEMENT_RATIO
    )
    return (
        abs(checked.error_ratio) <= ALLOWED_ERROR_RATIO
        and abs(checked.below_known_ratio) <= ALLOWED_BELOW_KNOWN_RATIO[checked.target.generator]
        and agree
    )


def _is_found(checked: Checked) -> bool:
    """Whether the slowest answer took as long as the stall; one that was asked for at its begin
    waits for the delay as well."""
    allowed_s = ALLOWED_STALL_RATIO * checked.stalled_s
    least_s, most_s = checked.stalled_s, checked.stalled_s + checked.target.delay_s
    slowest_s = checked.slowest_s or 0.0
    return least_s - allowed_s <= slowest_s <= most_s + allowed_s


def rate_passed(checked: RateChecked) -> bool:
    """Whether a load at a constant rate reported what its target did."""
    if abs(checked.achieved_ratio - 1) > ALLOWED_ACHIEVED_RATIO:
        return False
    if checked.stalled_s:
        return abs(checked.stall_found_s / checked.stalled_s - 1) <= ALLOWED_STALL_RATIO
    return abs(checked.p50_error_s) <= ALLOWED_P50_RATIO * checked.rate_target.target.delay_s


def measure_each(
    targets: Sequence[T], measure: Callable[[T], R], window_s: float, failures: dict[str, str]
) -> list[R]:
    """What was measured of each target. One that could not be measured does not end the others:
    its reason is put into `failures`, by its name."""
    results = []
    for number, target in enumerate(targets, 1):
        logger.info(f"{number} of {len(targets)}: {target.name}, {units.duration(window_s)}")
        try:
            results.append(measure(target))
        except CaseError as error:
            failures[target.name] = str(error)
    return results


def _check_rates(
    testbed: Testbed, jar: Path, window_s: float, failures: dict[str, str]
) -> list[RateChecked]:
    """Each target at a constant rate; none, and that is said, where there is no oha."""
    try:
        oha = provide_oha(testbed.shell)
    except HostError as error:
        logger.info(f"not checked at a constant rate: {error}")
        return []
    with_oha = replace(testbed, oha=oha.path)
    return measure_each(
        RATE_TARGETS,
        lambda target: check_at_rate(with_oha, jar, target, window_s),
        window_s,
        failures,
    )


def as_data(
    checked: list[Checked],
    at_rates: list[RateChecked],
    failures: dict[str, str],
    probe_s: float,
) -> dict[str, object]:
    """The result for programs."""
    return {
        "cpu_probe_s": probe_s,
        "not_measured": failures,
        "constant_rates": [
            {
                **asdict(result),
                "rate_rps": result.rate_target.rate_rps,
                "p50_error_s": result.p50_error_s,
                "p99_error_s": result.p99_error_s,
                "passed": rate_passed(result),
            }
            for result in at_rates
        ],
        "targets": [
            {
                **asdict(result),
                "known_rps": result.target.known_rps,
                "error_ratio": result.error_ratio,
                "below_known_ratio": result.below_known_ratio,
                "passed": passed(result),
            }
            for result in checked
        ],
    }


def _row(checked: Checked) -> tuple[str, ...]:
    second, stalled = checked.second_client_rps, checked.target.stall_s > 0
    return (
        checked.target.name,
        f"{units.rate(checked.target.known_rps)}/s",
        f"{units.rate(checked.counted_rps)}/s",
        f"{units.rate(checked.measured_rps)}/s",
        units.ABSENT if stalled else f"{100 * checked.error_ratio:+.2f} %",
        units.ABSENT if stalled else f"{100 * checked.below_known_ratio:+.2f} %",
        f"{units.rate(second)}/s" if second is not None else units.ABSENT,
        units.microseconds(checked.cpu_per_request_s),
        units.microseconds(checked.load_cpu_per_request_s),
        units.milliseconds(checked.lateness_mean_s),
        units.milliseconds(checked.lateness_p99_s),
        units.milliseconds(checked.slowest_s),
        "" if passed(checked) else "off",
    )


def _rate_row(checked: RateChecked) -> tuple[str, ...]:
    stalled = checked.stalled_s > 0
    return (
        checked.rate_target.name,
        units.share(checked.achieved_ratio),
        units.share(checked.load_cpu_ratio, 0),
        units.milliseconds(checked.p50_error_s),
        units.ABSENT if stalled else units.milliseconds(checked.p99_error_s),
        units.milliseconds(checked.max_s),
        units.milliseconds(checked.wrk_p99_s),
        "" if rate_passed(checked) else "off",
    )
