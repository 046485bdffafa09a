"""One wrk run against a server, watched while it lasts."""

from __future__ import annotations

import json
import signal
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from springbench.errors import CaseError
from springbench.host.shell import Running
from springbench.measure.load import wrk
from springbench.measure.load.probe import Probe, Probed
from springbench.measure.load.sampler import Sampler, Watched
from springbench.measure.load.timeline import Timeline
from springbench.measure.load.wrk import IdSequence, WrkLoad
from springbench.measure.readings.connections import Received, received
from springbench.measure.readings.sockets import accepted
from springbench.measure.server.process import ServerProcess
from springbench.measure.services.http import in_url
from springbench.measure.testbed import Testbed
from springbench.results.records import WrkSummary

TICK_S = 0.2
# how long wrk may take to print its summary after its time is up
OVERTIME_S = 20.0
# how long before its time is up a load is looked at that nothing has ended before
LAST_LOOK_S = 2 * TICK_S


@dataclass(frozen=True)
class Driven:
    """Yield of a load."""

    summary: WrkSummary
    timeline: Timeline
    loaded_s: float | None = None
    """How long it lasted; None for as long as there are samples."""
    began_at_s: float = 0.0
    """When it began, on the clock of `time.perf_counter`."""
    connections_accepted: int | None = None
    """How many connections the server had accepted when the load ended; None if not known."""
    received: Received | None = None
    """What each of wrk's connections had received then; None if not known."""
    probed: tuple[Probed, ...] = ()
    """What single requests beside the load were answered."""


class _End(NamedTuple):
    """For how many seconds wrk was at work, and the connections that it then had."""

    loaded_s: float
    accepted: int | None = None
    received: Received | None = None


@dataclass(frozen=True)
class Driver:
    """Drives one server of one fork."""

    testbed: Testbed
    server: ServerProcess
    folder: Path
    """Of what wrk says, and of timelines."""

    @property
    def home(self) -> Path:
        """Folder of the server's own logs: another one where it goes through several cases."""
        return self.server.folder or self.folder

    def drive(
        self,
        name: str,
        route: str,
        connections: int,
        duration_s: float,
        enough: Callable[[Timeline], bool] | None = None,
        ids: IdSequence | None = None,
        hold: Callable[[Timeline], bool] | None = None,
        begin_over_s: float = 0.0,
    ) -> Driven:
        """Run wrk for `duration_s`, or until `enough` says so. It stands still while `hold` does.

        Whoever watches is told the rate meanwhile. Connections begin one after the other over
        `begin_over_s`.
        Raises `CaseError` when the server or wrk ends early. wrk's output and the timeline are
        kept as `<name>.txt` and `<name>.json`.
        """
        command = self.command(route, connections, duration_s, ids, begin_over_s)
        output_file = self.folder / f"{name}.txt"
        with output_file.open("wb") as output, ExitStack() as stack:
            running = self.testbed.load.start(command, output)
            stack.callback(running.stop, 0.5)
            sampler = stack.enter_context(self.sampled(name, running))
            asked = route.replace("{id}", "1")
            asking = Probe(self.server.port, asked, sampler.now_s, self.server.address)
            probe = stack.enter_context(asking)
            end = self._watch(name, running, sampler, duration_s, enough, hold)
        text = output_file.read_text(encoding="utf-8", errors="replace")
        return Driven(
            wrk.parse(text),
            sampler.timeline,
            end.loaded_s,
            sampler.began_at_s,
            end.accepted,
            end.received,
            probe.seen,
        )

    @contextmanager
    def sampled(self, name: str, generator: Running) -> Iterator[Sampler]:
        """Look at the processes of a load; the timeline is kept, however it ends."""
        upstream, load = self.testbed.upstream, self.testbed.load
        away = load.away(generator)
        watched = Watched(
            wrk=None if away else generator.pid,
            server=self.server.readings,
            upstream=upstream.running.pid if upstream and not away else None,
            away=away,
            upstream_away=load.away(upstream.running) if upstream else None,
            helpers=self.testbed.helpers,
            compilers=self.server.compilers,
            cpus=self.testbed.cpus.used,
            alone=self.testbed.is_alone,
            server_cpus=self.testbed.cpus.server,
        )
        sampler = Sampler(watched)
        try:
            with sampler:
                yield sampler
        finally:
            self._keep(name, sampler.timeline)

    def command(
        self,
        route: str,
        connections: int,
        duration_s: float,
        ids: IdSequence | None = None,
        begin_over_s: float = 0.0,
    ) -> list[str]:
        """The wrk command that loads the server."""
        host = self.testbed.load
        url = f"http://{in_url(host.server_address)}:{self.server.port}{route}"
        host.bring(wrk.REPORT_SCRIPT)  # other scripts read it from beside themselves
        threads = self.testbed.cpus.counts.load
        script = host.bring(wrk.script_of(ids, begin_over_s))
        load = WrkLoad(url, connections, threads, duration_s, ids, begin_over_s, script)
        return wrk.command(host.wrk, load)

    def _watch(
        self,
        name: str,
        running: Running,
        sampler: Sampler,
        duration_s: float,
        enough: Callable[[Timeline], bool] | None,
        hold: Callable[[Timeline], bool] | None,
    ) -> _End:
        """Wait for wrk's end."""
        deadline_s = time.monotonic() + duration_s + OVERTIME_S
        end: _End | None = None
        held = told = False
        while not has_ended(running, TICK_S):
            if told:
                # just after SIGCONT a signal may reach a thread that does not end the wait
                running.signal(signal.SIGINT)
            self.server.check_alive(name)
            if time.monotonic() > deadline_s:
                raise CaseError(f"wrk did not end {OVERTIME_S:.0f} s after its time was up")
            self.testbed.observer.rate(_rate_now(sampler.timeline))
            seen = sampler.timeline
            # connections are counted after the window: to list thousands costs milliseconds
            # on a busy host wrk asks for seconds before it takes a signal, which would kill it
            if enough and end is None and enough(seen) and self._takes_end(running):
                # the length that was judged, so that the window cut later is the one judged here
                judged_s = seen.samples[-1].at_s if seen.samples else sampler.now_s()
                end = self._end(judged_s)
                running.signal(signal.SIGCONT)
                running.signal(signal.SIGINT)
                told = True
            elif enough and end is None and sampler.now_s() > duration_s - LAST_LOOK_S:
                end = self._end(duration_s)
            if hold and end is None:
                # it must run to come to its end
                stand_still = sampler.now_s() < duration_s - 1 and hold(seen)
                if stand_still != held:
                    running.signal(signal.SIGSTOP if stand_still else signal.SIGCONT)
                held = stand_still
        self.server.check_alive(name)
        if (code := running.poll()) is not None and code < 0:
            raise CaseError(f"wrk was killed by {signal.Signals(-code).name} during {name}")
        return end or _End(duration_s)

    def _end(self, loaded_s: float) -> _End:
        port, shell = self.server.port, self.testbed.load.shell
        return _End(loaded_s, accepted(port), received(shell, port))

    def _takes_end(self, running: Running) -> bool:
        return self.testbed.load.catches(running, signal.SIGINT)

    def _keep(self, name: str, timeline: Timeline) -> None:
        columns = {
            field: [getattr(sample, field) for sample in timeline.samples]
            for field in (timeline.samples[0]._fields if timeline.samples else ())
        }
        path = self.folder / f"{name}.json"
        path.write_text(json.dumps(columns, separators=(",", ":")), encoding="utf-8")


def has_ended(running: Running, wait_s: float) -> bool:
    try:
        running.wait(wait_s)
    except subprocess.TimeoutExpired:
        return False
    return True


def _rate_now(timeline: Timeline) -> float:
    """Answers per second over the last two seconds."""
    recent = timeline.since(timeline.end_s - 2.0).points("requests")
    if len(recent) < 2 or recent[-1][0] <= recent[0][0]:
        return 0.0
    return (recent[-1][1] - recent[0][1]) / (recent[-1][0] - recent[0][0])
