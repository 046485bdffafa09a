"""The rows of `matrix.toml`, as frozen records. What each key means stands in the file itself."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import chain
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, StringConstraints

Id = Annotated[str, StringConstraints(pattern=r"^[a-z][a-z0-9]*(-[a-z0-9]+)*$")]
# an id that is one part of a variant's, which is joined with dashes
Part = Annotated[str, StringConstraints(pattern=r"^[a-z][a-z0-9]*$")]
Route = Annotated[str, StringConstraints(pattern=r"^/[!-~]*$")]
# stands in braces in a command
PlaceName = Annotated[str, StringConstraints(pattern=r"^[a-z]+(_[a-z]+)*$")]
# the option by which a native image tells its collections
PRINT_GC = "-XX:+PrintGC"
JAVA_PLACES = ("{java}", "{jcmd}", "{maven}")
# strict: a number in quotes, or true, is a mistake and not a number
DelayMs = Annotated[float, Field(strict=True, ge=0, le=60_000)]
Seconds = Annotated[float, Field(strict=True, gt=0, le=3600)]
Connections = Annotated[int, Field(strict=True, ge=1, le=60_000)]
Count = Annotated[int, Field(strict=True, ge=1)]
# of a case's capacity: at these it may be asked at a constant rate
RateShare = Literal["half", "four-fifths"]
Begin = Literal["spread", "together"]
RATE_SHARES: Mapping[RateShare, float] = {"half": 0.5, "four-fifths": 0.8}
# with a third of one CPU they took 74 s on a quiet host, and more than this on an uneven one
COMPILING_MAX_S = 120.0
RATE_WINDOW_S = 8.0


Word = Annotated[str, Field(min_length=1)]


class Row(BaseModel):
    """A row: unknown keys are refused, nothing changes after it was read."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class Boot(Row):
    """A Spring Boot line. The first row is the newest."""

    id: Part


class Need(Row):
    """A program that a server needs beside it: started once for a run, before any server.

    It is ready when something listens on `port`, or answers `health` there with 200, within
    `ready_s`. One that leaves something in the background is ended by `stop`.
    """

    name: Id
    command: Annotated[tuple[Word, ...], Field(min_length=1)]
    port: Annotated[int, Field(strict=True, ge=1, le=65_535)]
    health: Route | None = None
    environment: dict[str, str] = {}
    ready_s: Seconds = 60.0
    stop: tuple[Word, ...] = ()


class SlowUpstream(Row):
    """springbench's own slow upstream beside a server, and what tells the server its address.

    `delay_ms`: how long each answer takes, or the least and the most of delays drawn evenly.
    """

    delay_ms: DelayMs | tuple[DelayMs, DelayMs]
    property: Word | None = None
    variable: Word | None = None

    def as_option(self) -> str:
        """The delay as the slow upstream's command line takes it."""
        if isinstance(self.delay_ms, tuple):
            least, most = self.delay_ms
            return f"uniform({least:g},{most:g})"
        return f"{self.delay_ms:g}"


class Server(Row):
    """A server: how it is built and which axes it has.

    With `routes` it has only the workloads named there, each on its own route. `built_by` other
    than Maven: its artifact is a file as it stands, built by nobody, or by whoever calls; the
    latter is one jar each time, and a folder of `--jars` has to hold it. It starts in the folder
    of its artifact, or in `run_in`.
    """

    id: Part
    boots: tuple[Part, ...] = Field(min_length=1)
    models: tuple[Id, ...] = Field(min_length=1)
    runtimes: tuple[Id, ...] = Field(min_length=1)
    module: str
    artifact: str
    health: Route
    built_by: Literal["maven", "nothing", "caller"] = "maven"
    routes: dict[Id, Route] = {}
    environment: dict[str, str] = {}
    run_in: str | None = None
    needs: tuple[Need, ...] = ()
    slow_upstream: SlowUpstream | None = None


class Model(Row):
    """A thread model: the properties it sets, for all servers and for single ones.

    In a property's value `{connections}` stands for the connections of a case.
    """

    id: Id
    description: str
    image: Id | None = None
    system_properties: dict[str, str] = {}
    properties: dict[str, str] = {}
    server_properties: dict[Part, dict[str, str]] = {}
    server_notes: dict[Part, str] = {}

    def properties_for(self, server: str, connections: int) -> dict[str, str]:
        """All properties that this model sets on `server` for so many connections."""
        properties = {**self.properties, **self.server_properties.get(server, {})}
        return {
            key: value.format_map({"connections": connections}) for key, value in properties.items()
        }


class Runtime(Row):
    """How a variant is started: a command with places to fill in. `boots`: on all where empty.

    What must be made of the artifact first is made once, in a folder that {prepared} stands for:
    by the commands of `prepare`, then by a process (`train`) that gets `train_requests`, is told
    so by `train_end`, and is stopped. `makes` names the file that must be there afterwards.
    """

    id: Id
    description: str
    start: tuple[str, ...] = Field(min_length=1)
    boots: tuple[Part, ...] = ()
    needs: tuple[Literal["native-image"], ...] = ()
    prepare: tuple[Annotated[tuple[str, ...], Field(min_length=1)], ...] = ()
    train: tuple[str, ...] = ()
    train_requests: dict[Route, Count] = {}
    train_end: tuple[str, ...] = ()
    makes: str | None = None

    def is_on(self, boot: str) -> bool:
        """Whether this Spring Boot line has the runtime."""
        return not self.boots or boot in self.boots

    def spelled_out(self, word_lists: Mapping[str, Sequence[str]]) -> Runtime:
        """The same, with the words of each list in the place of its name."""

        def spell_out(command: Sequence[str]) -> tuple[str, ...]:
            lists = {f"{{{name}}}": words for name, words in word_lists.items()}
            return tuple(chain.from_iterable(lists.get(word, (word,)) for word in command))

        return self.model_copy(
            update={
                "start": spell_out(self.start),
                "train": spell_out(self.train),
                "prepare": tuple(spell_out(command) for command in self.prepare),
            }
        )

    @property
    def is_native(self) -> bool:
        """Whether it starts an image that GraalVM makes."""
        return "native-image" in self.needs

    @property
    def prints_collections(self) -> bool:
        """Whether it tells its collections among its other output, as an image does."""
        return PRINT_GC in self.start

    @property
    def needs_java(self) -> bool:
        """Whether any of its commands asks for a JDK."""
        commands = (self.start, self.train, self.train_end, *self.prepare)
        return any(place in word for each in commands for word in each for place in JAVA_PLACES)


class PerCpu(Row):
    """A limit that grows with the CPUs a server may use."""

    per_cpu: Count
    min_cpus: Count = 1


class Cap(Row):
    """For how many requests at once a server has something, and what more of them meet."""

    server: Part
    models: tuple[Id, ...] = Field(min_length=1)
    at_once: Count | PerCpu
    property: str
    reason: str

    def requests_at_once(self, server_cpus: int) -> int:
        """The limit on a server that may use `server_cpus` CPUs."""
        if isinstance(self.at_once, PerCpu):
            return self.at_once.per_cpu * max(server_cpus, self.at_once.min_cpus)
        return self.at_once


class Workload(Row):
    """One route, one question."""

    # between slashes in a case id, so that a dash is no hindrance
    id: Id
    route: Route
    question: str
    delay_ms: Annotated[float, Field(strict=True, gt=0, le=60_000)] | None = None
    warmup_route: Route | None = None
    needs: tuple[Literal["upstream", "database"], ...] = ()
    servers: tuple[Part, ...] = ()
    runtimes: tuple[Id, ...] = ()
    properties: dict[str, str] = {}
    ids: Literal["sequence"] | Annotated[int, Field(strict=True, ge=1)] | None = None

    @property
    def delay_s(self) -> float:
        """How long a request waits by design, in seconds; 0 where it does not."""
        return (self.delay_ms or 0.0) / 1000

    def applies_to(self, server: str, runtime: str) -> bool:
        """Whether `server` on `runtime` has what this workload asks for."""
        return (not self.servers or server in self.servers) and (
            not self.runtimes or runtime in self.runtimes
        )


class DatabaseTable(Row):
    """The table behind the database workloads, and the pool through which it is read."""

    rows: Annotated[int, Field(strict=True, ge=1, le=100_000_000)]
    pool_size: Count
    max_connections: Annotated[int, Field(strict=True, ge=10, le=10_000)]


class Load(Row):
    """A part of a profile: axes to multiply, and how to measure what they give.

    `compiling_max_s`: what warm-up takes in all, at most, until just-in-time compilers rest. Where
    they rested late, a window still has `warmup_max_s` less `warmup_min_s` to become steady.
    `rates`: after its window the server is loaded at these constant rates, each for
    `rate_window_s`.
    """

    workload: Id
    connections: tuple[Connections, ...] = Field(min_length=1)
    boots: Literal["newest", "all"] | Annotated[tuple[Part, ...], Field(min_length=1)] = "all"
    servers: tuple[Part, ...] = ()
    models: tuple[Id, ...] = ()
    runtimes: tuple[Id, ...] = ()
    forks: Annotated[int, Field(strict=True, ge=1, le=100)] = 1
    warmup_min_s: Seconds = 8.0
    warmup_max_s: Seconds = 60.0
    compiling_max_s: Annotated[float, Field(strict=True, ge=0, le=3600)] = COMPILING_MAX_S
    window_s: Seconds = 10.0
    rates: tuple[RateShare, ...] = ()
    rate_window_s: Seconds = RATE_WINDOW_S
    bursts: Annotated[int, Field(ge=1, le=100)] = 5
    heap_now: Annotated[bool, Field(strict=True)] = False
    cold_s: Annotated[int, Field(strict=True, ge=1, le=600)] | None = None


class Profile(Row):
    """A named selection of cases.

    `in_turn`: `springbench run` has all variants up at once, a round of fresh processes for each
    fork, and loads them in turn.
    `begin`: where requests wait by design, the connections of a load begin one after the other over
    a delay, or all at once.
    """

    id: Id
    description: str
    budget_s: Seconds = 600.0
    in_turn: Annotated[bool, Field(strict=True)] = False
    begin: Begin = "spread"
    java_options: tuple[str, ...] = ()
    loads: tuple[Load, ...] = Field(min_length=1)


class Matrix(Row):
    """The whole file."""

    schema_: Literal[1] = Field(alias="schema")
    boots: tuple[Boot, ...] = Field(min_length=1)
    servers: tuple[Server, ...] = Field(min_length=1)
    models: tuple[Model, ...] = Field(min_length=1)
    runtimes: tuple[Runtime, ...] = Field(min_length=1)
    word_lists: dict[PlaceName, tuple[str, ...]] = {}
    caps: tuple[Cap, ...] = ()
    caches: tuple[Cap, ...] = ()
    database: DatabaseTable | None = None
    workloads: tuple[Workload, ...] = Field(min_length=1)
    profiles: tuple[Profile, ...] = Field(min_length=1)


ROW_TYPES: dict[str, type[Row]] = {
    "": Matrix,
    "boots": Boot,
    "servers": Server,
    "servers.needs": Need,
    "servers.slow_upstream": SlowUpstream,
    "models": Model,
    "runtimes": Runtime,
    "caps": Cap,
    "caps.at_once": PerCpu,
    "caches": Cap,
    "caches.at_once": PerCpu,
    "database": DatabaseTable,
    "workloads": Workload,
    "profiles": Profile,
    "profiles.loads": Load,
}
