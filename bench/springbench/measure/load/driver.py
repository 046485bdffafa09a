"""One load against a server, watched while it lasts, whatever generates it."""

from __future__ import annotations

import json
import signal
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Generic

from springbench.errors import CaseError
from springbench.matrix.templates import RequestTemplate
from springbench.measure.load.generator import (
    LoadGenerator,
    Place,
    Requests,
    RunningLoad,
    Summary,
)
from springbench.measure.load.open_schedule import Schedule, Window, cut_window
from springbench.measure.load.probe import Probe, Probed
from springbench.measure.load.sampler import Sampler, Watched
from springbench.measure.load.timeline import Timeline
from springbench.measure.readings.connections import Received, accepted, received
from springbench.measure.server.process import ServerProcess
from springbench.measure.services.declared import services_cpu_s
from springbench.measure.services.http import in_url
from springbench.measure.testbed import Testbed
from springbench.results.records import LoadSummary

TICK_S = 0.2
# how long a generator may take to end after its time is up, and once it is asked to
OVERTIME_S = 20.0
ENDING_S = 30.0
# how long before its time is up a load is looked at that nothing has ended before
LAST_SAMPLE_S = 2 * TICK_S
# how long before the window of an open loop compilers go back
BACK_BEFORE_S = 0.3

Condition = Callable[[Timeline], bool]


@dataclass(frozen=True)
class Connections:
    """The server's at the end of a load: how many it had accepted, and what each of the load's
    had received; None if not known."""

    accepted: int | None = None
    received: Received | None = None


@dataclass(frozen=True)
class LoadRun(Generic[Summary]):
    """Yield of a load."""

    summary: Summary
    timeline: Timeline
    loaded_s: float | None = None
    """How long it lasted; None for as long as there are samples."""
    began_at_s: float = 0.0
    """When it began, on the clock of `time.perf_counter`."""
    connections: Connections = Connections()
    between: Callable[[float, float], Summary] | None = None
    """The summary of a part of it, on that clock, where its generator can tell."""
    probed: tuple[Probed, ...] = ()
    """What single requests beside the load were answered."""

    def within(self, begin_s: float, end_s: float) -> Summary:
        """The summary of a part of it, in seconds since it began; of all of it where nothing
        tells."""
        if self.between is None:
            return self.summary
        return self.between(self.began_at_s + begin_s, self.began_at_s + end_s)


# in a closed loop
Driven = LoadRun[LoadSummary]


@dataclass(frozen=True)
class OpenRun:
    """Yield of an open loop; `unanswered` are the requests of all of it that got no answer."""

    window: Window
    unanswered: int
    timeline: Timeline


@dataclass(frozen=True)
class Driver:
    """Drives one server of one fork."""

    testbed: Testbed
    server: ServerProcess
    folder: Path
    """Of what generators say, and of timelines."""

    @property
    def home(self) -> Path:
        """Folder of the server's own logs: another one where it goes through several cases."""
        return self.server.folder or self.folder

    def place(self, name: str) -> Place:
        """Where a load of that name runs, and what it asks."""
        host = self.testbed.load
        scheme = self.server.protocol.scheme
        base_url = f"{scheme}://{in_url(host.server_address)}:{self.server.port}"
        return Place(host, base_url, self.testbed.cpus.counts.load, self.folder, name)

    @property
    def closed_loop(self) -> LoadGenerator[LoadSummary]:
        """The generator whose connections ask again as soon as they are answered."""
        return self.testbed.closed_loop(self.server.protocol)

    def drive(
        self,
        name: str,
        templates: Sequence[RequestTemplate],
        connections: int,
        duration_s: float,
        enough: Condition | None = None,
        hold: Condition | None = None,
        begin_over_s: float = 0.0,
    ) -> Driven:
        """A closed loop for `duration_s`, or until `enough` says so; paused while `hold` does.

        The observer receives the rate meanwhile. Connections begin one after the other over
        `begin_over_s`.
        Raises `CaseError` when the server or the generator ends early. What it printed and the
        timeline are kept as `<name>.txt` and `<name>.json`.
        """
        session = self.server.session
        requests = Requests(
            session.filled(templates),
            connections,
            duration_s,
            begin_over_s,
            first_number=session.first_number(),
        )
        probe = partial(Probe, self.server.ask, tuple(templates))
        return self._run(self.closed_loop, name, requests, enough, hold, probe)

    def drive_open(
        self,
        name: str,
        templates: Sequence[RequestTemplate],
        connections: int,
        schedule: Schedule,
        delay_s: float,
        each_tick: Callable[[float], None] | None = None,
    ) -> OpenRun:
        """An open loop: requests are sent as the schedule has them, each waiting for `delay_s`.

        Until the window begins compilers have CPUs of their own: new connections wake them.
        `each_tick` receives the duration of the load so far. A server that cannot keep up is not
        waited for for ever. Raises `CaseError` as above, and where no list of answers comes.
        """
        generator = self.testbed.open_loop(self.server.protocol, self.server.certificate)
        if generator is None:
            raise CaseError("oha is not here")
        cpus, compilers = self.testbed.cpus, self.server.compilers
        lent = True

        def tick(timeline: Timeline) -> bool:
            nonlocal lent
            if each_tick:
                each_tick(timeline.end_s)
            if lent and timeline.end_s > schedule.lead_s - BACK_BEFORE_S:
                compilers.restore_affinity(cpus.server)
                lent = False
            return False

        requests = Requests(
            self.server.session.filled(templates),
            connections,
            schedule.duration_s + delay_s,
            rate_rps=schedule.rate_rps,
            count=schedule.requests,
        )
        compilers.widen_affinity(cpus.outside_server)
        run = self._run(generator, name, requests, tick, None)
        window = cut_window(run.summary, schedule, connections, templates[0].status)
        unanswered = max(0, schedule.requests - len(run.summary.sent_s))
        return OpenRun(window, unanswered, run.timeline)

    def _run(
        self,
        generator: LoadGenerator[Summary],
        name: str,
        requests: Requests,
        enough: Condition | None,
        hold: Condition | None,
        probing: Callable[[Callable[[], float]], Probe] | None = None,
    ) -> LoadRun[Summary]:
        with ExitStack() as stack:
            load = stack.enter_context(generator.start(requests, self.place(name)))
            sampler = stack.enter_context(self._sampled(name, load))
            probe = stack.enter_context(probing(sampler.now_s)) if probing else None
            loaded_s, connections = self._watch(name, load, requests, sampler, enough, hold)
        return LoadRun(
            load.summary(),
            sampler.timeline,
            loaded_s,
            sampler.began_at_s,
            connections,
            load.between,
            probe.seen if probe else (),
        )

    def _watch(
        self,
        name: str,
        load: RunningLoad[Summary],
        requests: Requests,
        sampler: Sampler,
        enough: Condition | None,
        hold: Condition | None,
    ) -> tuple[float, Connections]:
        """Wait for its end: for how long it was at work, and the connections that it then had."""
        duration_s, is_open = requests.duration_s, requests.rate_rps is not None
        end: tuple[float, Connections] | None = None
        held = ending = False
        while not load.has_ended(TICK_S):
            if ending:
                load.end()
            self.server.check_alive(name)
            now_s, seen = sampler.now_s(), sampler.timeline
            if now_s > duration_s + OVERTIME_S + ENDING_S:
                raise CaseError(f"{load.program} did not end within {ENDING_S:.0f} s of a request")
            if now_s > duration_s + OVERTIME_S:
                ending = True  # it tells what it has
            if not is_open:
                self.testbed.observer.rate(_rate_now(seen))
            # connections are counted after the window: to list thousands costs milliseconds
            if enough and end is None and enough(seen) and load.can_end:
                # the length that was evaluated, so that the window cut later is the one evaluated
                # here
                evaluated_s = seen.samples[-1].at_s if seen.samples else sampler.now_s()
                end = evaluated_s, self.connections(load.program, now_s)
                load.end()
                ending = True
            elif enough and not is_open and end is None and now_s > duration_s - LAST_SAMPLE_S:
                end = duration_s, self.connections(load.program, now_s)
            if hold and end is None:
                # it must run to come to its end
                pause = now_s < duration_s - 1 and hold(seen)
                if pause != held:
                    load.pause() if pause else load.resume()
                held = pause
        self.server.check_alive(name)
        code = load.running.poll()
        if code is not None and code < 0 and -code != load.killed_by:
            killer = signal.Signals(-code).name
            raise CaseError(f"{load.program} was killed by {killer} during {name}")
        return end or (duration_s, Connections())

    def connections(self, program: str, lasted_s: float) -> Connections:
        """Those that the server has at this moment, so long after a load began."""
        port, shell = self.server.port, self.testbed.load.shell
        return Connections(accepted(port), received(shell, port, program, lasted_s))

    @contextmanager
    def _sampled(self, name: str, running_load: RunningLoad[Summary]) -> Iterator[Sampler]:
        """Look at the processes of a load; the timeline is kept, however it ends."""
        upstream, load = self.testbed.upstream, self.testbed.load
        generator = running_load.running
        away = load.away(generator)
        watched = Watched(
            load=None if away else generator.pid,
            server=self.server.readings,
            upstream=upstream.running.pid if upstream and not away else None,
            away=away,
            upstream_away=load.away(upstream.running) if upstream else None,
            counted=running_load.counted,
            helpers=self.testbed.helpers,
            compilers=self.server.compilers,
            cpus=self.testbed.cpus.used,
            alone=self.testbed.is_alone,
            server_cpus=self.testbed.cpus.server,
            services_cpu_s=partial(services_cpu_s, self.testbed.services),
            throttling=self.server.group.throttling,
        )
        sampler = Sampler(watched)
        try:
            with sampler:
                yield sampler
        finally:
            keep_timeline(self.folder / f"{name}.json", sampler.timeline)


def keep_timeline(file: Path, timeline: Timeline) -> None:
    """A column for each field."""
    columns = {
        field: [getattr(sample, field) for sample in timeline.samples]
        for field in (timeline.samples[0]._fields if timeline.samples else ())
    }
    file.write_text(json.dumps(columns, separators=(",", ":")), encoding="utf-8")


def _rate_now(timeline: Timeline) -> float:
    """Answers per second over the last two seconds."""
    recent = timeline.since(timeline.end_s - 2.0).points("requests")
    if len(recent) < 2 or recent[-1][0] <= recent[0][0]:
        return 0.0
    return (recent[-1][1] - recent[0][1]) / (recent[-1][0] - recent[0][0])
