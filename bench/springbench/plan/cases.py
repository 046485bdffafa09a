"""Variants, and cases of it with so many connections. Pure."""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import product

from springbench.limits import Resources
from springbench.matrix.fields import cpu_quota, memory_bytes, whole_cpus
from springbench.matrix.profiles import (
    COMPILING_ESTIMATE_S,
    COMPILING_MAX_S,
    RATE_WINDOW_S,
    Begin,
    CapacityPercent,
)
from springbench.matrix.rows import Matrix
from springbench.matrix.servers import HTTP1, HttpProtocol, Model, Runtime, Server
from springbench.matrix.service_name import SERVICE_BOOT
from springbench.matrix.settings import FIRST_COMPILER, NO_SETTINGS, Settings, usual_settings
from springbench.matrix.templates import RequestTemplate
from springbench.matrix.workloads import Cap, DatabaseTable, Workload

# what a fork costs beside its warm-up and its window, in seconds; measured on two cores
STARTUP_ESTIMATE_S = 4.5
STOP_ESTIMATE_S = 0.5
RAMP_S = 1.0
# servers close connections on which nothing was asked for 20 s
BEGIN_MAX_S = 10.0
# connecting, the first answers, and writing the list of answers
RATE_LEAD_ESTIMATE_S = 3.0
RATE_WARMING_ESTIMATE_S = 8.0
# what interleaving takes, each server's part: settling before it, and blocks measured again
SETTLING_ESTIMATE_S = 3.0
# what a handshake calls is compiled a few methods a second
SETTLING_TLS_ESTIMATE_S = 35.0
INTERLEAVED_RATIO = 1.2

# methods of requests that change nothing (RFC 9110, 9.2.1)
SAFE_METHODS = frozenset({"GET", "HEAD", "OPTIONS"})

# the phases of a fork, by which an observer is notified of them
START, COLD_LOAD, WARM_UP, LOAD = "start", "cold load", "warm-up", "load"
SETTLING, INTERLEAVED = "settling", "interleaved"
RATE_WARM_UP = "warm-up at a constant rate"


def at_rate(percent: int) -> str:
    """The phase of a load at so many percent of what a server can do."""
    return f"at {percent} % of capacity"


@dataclass(frozen=True)
class Variant:
    """One thing that is built and started."""

    boot: str
    server: Server
    model: Model
    runtime: Runtime
    image: Model | None = None
    settings: Settings = NO_SETTINGS
    """What differs from what all have: its memory limit, CPUs, JDK and pool."""

    @cached_property
    def id(self) -> str:
        return f"{self.boot}-{self.server.id}-{self.model.id}-{self.runtime_name}"

    @property
    def runtime_name(self) -> str:
        """How it is run: its runtime, and what differs from the default: `jvm`, `jvm_256m`,
        `jvm_2cpu`, `jvm_0.5q_jdk21`.

        No other id has an underscore, so a name comes apart there, now and for ever.
        """
        return "_".join([self.runtime.id, *self.settings.parts])

    @property
    def memory_bytes(self) -> int | None:
        """Its memory limit, where that is not the one of all."""
        return memory_bytes(self.settings.memory) if self.settings.memory else None

    @property
    def cpu_quota(self) -> float | None:
        """The quota that it is held to, in CPUs; None for none."""
        return cpu_quota(self.settings.cpus) if self.settings.cpus else None

    @property
    def whole_cpus(self) -> int | None:
        """How many CPUs it is pinned to; None for all that the server has."""
        return whole_cpus(self.settings.cpus) if self.settings.cpus else None

    @property
    def resources(self) -> Resources:
        """What its control group holds it to."""
        return Resources(self.memory_bytes, self.cpu_quota)

    def processors(self, server_cpus: int) -> int:
        """How many processors its JVM counts, where the server has so many CPUs.

        A quota is rounded up, as HotSpot does in a container (`CgroupUtil::processor_count`).
        """
        cpus = math.ceil(self.cpu_quota) if self.cpu_quota else self.whole_cpus
        return min(server_cpus, cpus or server_cpus)

    def set_to(self, **settings: str | None) -> Variant:
        """The same with other settings, by name."""
        return replace(self, settings=self.settings._replace(**settings))

    @property
    def is_of_service(self) -> bool:
        """Whether a springbench.toml describes it, and no matrix."""
        return self.boot == SERVICE_BOOT

    @property
    def prepared_as(self) -> Variant:
        """The variant whose AOT cache or native image serves this one too.

        A cache is trained with the heap and the JDK that it will have, on all CPUs, as in a build;
        an image has any heap.
        """
        shared = self.set_to(cpus=None, pool_size=None)
        shared = shared.set_to(memory=None) if self.runtime.is_native else shared
        return replace(shared, model=self.image, image=None) if self.image else shared

    @property
    def is_made_for_connections(self) -> bool:
        """Whether a property of its model holds how many connections there will be."""
        properties = self.model.properties_for(self.server.id, 1)
        return properties != self.model.properties_for(self.server.id, 2)

    @property
    def module(self) -> str:
        """The Maven module, relative to the top of the repository."""
        return self.server.module.format(boot=self.boot, server=self.server.id)

    @property
    def artifact(self) -> str:
        """The built file, relative to the module."""
        return self.server.artifact.format(boot=self.boot, server=self.server.id)


@dataclass(frozen=True)
class Case:
    """A variant under a workload with so many connections, and how it is to be measured.

    The workload of a mix stands for all of it: it has its name, its needs and its mean delay.
    """

    variant: Variant
    workload: Workload
    connections: int
    forks: int
    warmup_min_s: float
    warmup_max_s: float
    window_s: float
    bursts: int = 1
    java_options: tuple[str, ...] = ()
    cap: Cap | None = None
    cache: Cap | None = None
    database: DatabaseTable | None = None
    cold_s: int | None = None
    heap_now: bool = False
    compiling_max_s: float = COMPILING_MAX_S
    compiling_s: float = COMPILING_ESTIMATE_S
    rates: tuple[CapacityPercent, ...] = ()
    rate_window_s: float = RATE_WINDOW_S
    interleaved: bool = False
    """Whether the variants of a round are up at once, and their loads interleaved."""
    shares_process: bool = False
    """Whether it is measured in one process with others of its variant, one after the other."""
    stage_of: tuple[str, int] | None = None
    """The load that it is interleaved with in a round; None for its own."""
    begin: Begin = "spread"
    """How the connections of a load begin where requests wait by design."""
    mix: tuple[tuple[Workload, int], ...] = ()
    """Several workloads as one load, each with its weight."""

    @property
    def begin_over_s(self) -> float:
        """Over how long they begin, one after the other; 0 for all at once.

        Equal waits that begin together end together, and each such wave waits for the CPU: a
        throughput then tells of the generator. Spread over a delay, they stay apart. The load that
        asks for another row each time begins together.
        """
        if self.begin == "together" or self.workload.ids == "sequence":
            return 0.0
        return min(self.workload.delay_s, BEGIN_MAX_S)

    @cached_property
    def templates(self) -> tuple[RequestTemplate, ...]:
        """The requests of its load, each with its weight."""
        return tuple(
            replace(workload.request(self._rows), weight=weight)
            for workload, weight in self.mix or ((self.workload, 1),)
        )

    @cached_property
    def warmup_templates(self) -> tuple[RequestTemplate, ...]:
        """The requests that warm the same code without its wait."""
        return tuple(
            replace(workload.warmup(self._rows), weight=weight)
            for workload, weight in self.mix or ((self.workload, 1),)
        )

    @property
    def _rows(self) -> int | None:
        return self.database.rows if self.database else None

    @property
    def identity(self) -> str:
        """What tells its requests from others, in a text; empty for plain GETs.

        No secret is in it, nor how much of an answer is looked at.
        """
        if not self.mix:
            return repr(self.workload.identity) if self.workload.identity else ""
        return repr(
            [(workload.identity or workload.route, weight) for workload, weight in self.mix]
        )

    @cached_property
    def id(self) -> str:
        return f"{self.variant.id}/{self.workload.id}/{self.connections}"

    @property
    def load(self) -> tuple[str, int]:
        """Workload and connections: what servers are compared under."""
        return self.workload.id, self.connections

    @property
    def stage(self) -> tuple[str, int]:
        """The same for cases of a round that are interleaved: each of another process."""
        return self.stage_of or self.load

    @property
    def process(self) -> tuple[Hashable, ...]:
        """The same for cases of one variant that one process can answer, one after the other."""
        made_for = [self.connections] if self.variant.is_made_for_connections else []
        # what one writes, another would read
        writes = any(template.method not in SAFE_METHODS for template in self.templates)
        alone = [self.workload.id] if writes and self.variant.is_of_service else []
        return (self.variant.id, *made_for, *alone, self.process_needs)

    @property
    def process_needs(self) -> tuple[Hashable, ...]:
        """What its workload asks of the process: properties of the server, a protocol, a login.

        Each workload of a database has a process for itself: what one writes, another would read.
        """
        if "database" in self.workload.needs:
            return (self.workload.id,)
        login = [repr(self.workload.login)] if self.workload.login else []
        protocols = [] if self.protocol.id == HTTP1.id else [self.protocol.id]
        return (*protocols, *login, *sorted(self.workload.properties.items()))

    @property
    def protocol(self) -> HttpProtocol:
        """What its requests are sent over."""
        return self.workload.protocol

    @property
    def streams(self) -> int:
        """How many of its requests share a connection."""
        return self.protocol.streams_of(self.connections)

    @property
    def can_pause(self) -> bool:
        """Whether it may be paused under load. Not where requests wait by design; nor under a
        quota, of which a slice would get what was left of one period and all of the next."""
        return not self.workload.delay_s and self.variant.cpu_quota is None

    @property
    def settings(self) -> dict[str, str]:
        """By name, also those that all have."""
        values = self.variant.settings._asdict()
        usual = usual_settings(self.database.pool_size if self.database else None)
        return {name: values[name] or usual[name] for name in usual}

    @property
    def theoretical_max_rps(self) -> float | None:
        """connections ÷ delay (Little, 1961); None where nothing waits by design."""
        return self.connections / self.workload.delay_s if self.workload.delay_s else None

    @property
    def ramp_s(self) -> float:
        """From the start of the load to the start of the window: connecting and two delays."""
        return RAMP_S + 2 * self.workload.delay_s

    @cached_property
    def fork_phases_s(self) -> dict[str, float]:
        """Expected time of each phase of a fork, from process start to its end, where nothing is
        slow."""
        settling_s = self.warmup_max_s - self.warmup_min_s
        return {
            START: self._startup_s,
            **({COLD_LOAD: float(self.cold_s)} if self.cold_s else {}),
            WARM_UP: self._compiling_s + self.warmup_min_s,
            LOAD: settling_s + self._load_s + STOP_ESTIMATE_S,
            **self.rate_phases_s,
        }

    @property
    def warms_for_rates(self) -> bool:
        """Whether compilers would be at work in its first load at a constant rate, whose requests
        have other headers. The first compiler alone is done with them before the window."""
        return not self.by_first_compiler

    @property
    def by_first_compiler(self) -> bool:
        """Whether the first compiler (C1) alone works."""
        return FIRST_COMPILER in self.java_options

    @property
    def rate_phases_s(self) -> dict[str, float]:
        """Of the loads at constant rates alone."""
        lead_s = RATE_LEAD_ESTIMATE_S + self.workload.delay_s
        warming_s = RATE_WARMING_ESTIMATE_S if self.rates and self.warms_for_rates else 0.0
        return {
            **({RATE_WARM_UP: warming_s} if warming_s else {}),
            **{at_rate(percent): lead_s + self.rate_window_s for percent in self.rates},
        }

    @property
    def fork_estimate_s(self) -> float:
        """The same of all of them."""
        return sum(self.fork_phases_s.values())

    def round_phases_s(self, *, starts: bool) -> dict[str, float]:
        """The same in a process that it shares: interleaved with others, or a whole window. It is
        up, and warm, unless the case `starts` it."""
        if starts and not self.interleaved:
            return self.fork_phases_s
        starting = {START: self._startup_s} if starts else {}
        warmup_s = self._compiling_s + self.warmup_min_s if starts else self._compiling_s / 2
        interleaved = {
            SETTLING: SETTLING_TLS_ESTIMATE_S if self.protocol.tls else SETTLING_ESTIMATE_S,
            INTERLEAVED: INTERLEAVED_RATIO * self.window_s,
        }
        return {
            **starting,
            WARM_UP: warmup_s,
            **(interleaved if self.interleaved and self.can_pause else {LOAD: self._load_s}),
            **self.rate_phases_s,
        }

    @property
    def _part_of_cpu(self) -> float:
        """What a quota leaves of a CPU to what takes CPU time."""
        return min(1.0, self.variant.cpu_quota or 1.0)

    @property
    def _startup_s(self) -> float:
        return STARTUP_ESTIMATE_S / self._part_of_cpu

    @property
    def _compiling_s(self) -> float:
        return min(self.compiling_s / self._part_of_cpu, self.compiling_max_s)

    @property
    def _load_s(self) -> float:
        return self.ramp_s + self.window_s + self.workload.delay_s

    @property
    def fork_ceiling_s(self) -> float:
        """The same where its compilers take as long as they may."""
        return self.fork_estimate_s + self.compiling_max_s - self._compiling_s


def every_variant(matrix: Matrix) -> Iterator[Variant]:
    """All that the matrix has, in its order."""
    models = {row.id: row for row in matrix.models}
    runtimes = {row.id: row.spelled_out(matrix.word_lists) for row in matrix.runtimes}
    for server in matrix.servers:
        boots = [boot.id for boot in matrix.boots if boot.id in server.boots]
        for boot, model_id, runtime in product(boots, server.models, server.runtimes):
            if runtimes[runtime].is_on(boot):
                model = models[model_id]
                image = models[model.image] if model.image else None
                yield Variant(boot, server, model, runtimes[runtime], image)
