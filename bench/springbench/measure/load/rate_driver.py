"""One load at a constant rate against a server, watched while it lasts."""

from __future__ import annotations

import signal
import time
from collections.abc import Callable
from dataclasses import dataclass

from springbench.errors import CaseError
from springbench.host.shell import Running
from springbench.measure.load import oha
from springbench.measure.load.driver import OVERTIME_S, TICK_S, Driver, has_ended
from springbench.measure.load.oha import OhaLoad
from springbench.measure.load.open_schedule import Schedule, Window, cut_window
from springbench.measure.load.timeline import Timeline
from springbench.measure.load.wrk import IdSequence
from springbench.measure.services.http import in_url

# how long it may take to write its list, a row for each answer
WRITING_S = 30.0
# how long before the window compilers go back
BACK_BEFORE_S = 0.3

Meanwhile = Callable[[float], None]


def _nothing(since_s: float) -> None:
    """What happens beside a load, unless somebody asks for more."""


@dataclass(frozen=True)
class RateLoad:
    """Load that is asked for. `delay_s` is what a request waits by design."""

    name: str
    route: str
    connections: int
    delay_s: float
    schedule: Schedule
    ids: IdSequence | None = None


@dataclass(frozen=True)
class RateDriven:
    """Yield of such a load; `unanswered` are the requests of all of it that got no answer."""

    window: Window
    unanswered: int
    timeline: Timeline


def drive_at_rate(driver: Driver, load: RateLoad, meanwhile: Meanwhile = _nothing) -> RateDriven:
    """Run oha. `meanwhile` is told several times a second how long the load has lasted.

    Raises `CaseError` where the server or oha ends early, or no list of answers comes. The timeline
    is kept as `<name>.json`, what oha printed as `<name>.txt`; its list is not, since it has many
    megabytes.
    """
    testbed, answers = driver.testbed, driver.folder / f"{load.name}.csv"
    if testbed.oha is None:
        raise CaseError("oha is not here")
    host = testbed.load
    asked = _asked(driver, load, host.place(answers))
    with (driver.folder / f"{load.name}.txt").open("wb") as output:
        command = oha.command(host.bring(testbed.oha, runs=True), asked)
        running = host.start(command, output)
        try:
            with driver.sampled(load.name, running) as sampler:
                _wait(driver, running, load, meanwhile)
        finally:
            running.stop(0.5)
    host.collect(answers)
    if not answers.is_file():
        raise CaseError(f"oha wrote no list of answers; {load.name}.txt may say why")
    answered = oha.parse(answers.read_text(encoding="ascii", errors="replace"))
    answers.unlink()
    return RateDriven(
        cut_window(answered, load.schedule, load.connections),
        max(0, asked.requests - len(answered.sent_s)),
        sampler.timeline,
    )


def _asked(driver: Driver, load: RateLoad, answers: str) -> OhaLoad:
    host, file = driver.testbed.load, driver.folder / f"{load.name}.urls"
    base = f"http://{in_url(host.server_address)}:{driver.server.port}"
    return OhaLoad(
        url=base + load.route,
        connections=load.connections,
        rate_rps=load.schedule.rate_rps,
        requests=load.schedule.requests,
        answers=answers,
        addresses=host.bring(oha.write_addresses(file, base, load.ids)) if load.ids else None,
    )


def _wait(driver: Driver, running: Running, load: RateLoad, meanwhile: Meanwhile) -> None:
    """Until all have their answer; a server that cannot keep up is not waited for for ever.

    Until the window begins compilers have CPUs of their own: new connections wake them.
    """
    cpus, compilers = driver.testbed.cpus, driver.server.compilers
    begin_s = time.monotonic()
    stop_s = load.schedule.duration_s + load.delay_s + OVERTIME_S
    compilers.lend(cpus.beside_server)
    lent, stopped = True, False
    while not has_ended(running, TICK_S):
        driver.server.check_alive(load.name)
        since_s = time.monotonic() - begin_s
        meanwhile(since_s)
        if lent and since_s > load.schedule.lead_s - BACK_BEFORE_S:
            compilers.give_back(cpus.server)
            lent = False
        if not stopped and since_s > stop_s:
            # it writes what it has
            running.signal(signal.SIGINT)
            stopped = True
        elif since_s > stop_s + WRITING_S:
            raise CaseError(f"oha did not end {WRITING_S:.0f} s after it was told to")
    driver.server.check_alive(load.name)
    if code := running.poll():
        raise CaseError(f"oha ended with code {code}; {load.name}.txt may say why")
