"""Rows of what is measured: Spring Boot's lines, servers, thread models and runtimes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import chain
from typing import Annotated, Literal

from pydantic import Field

from springbench.matrix.fields import (
    Count,
    DelayMs,
    HealthStatus,
    Id,
    Part,
    Route,
    Row,
    Seconds,
    VariableName,
    Word,
)
from springbench.matrix.profiles import CapacityPercent
from springbench.matrix.requests import Login

# the option by which a native image tells its collections
PRINT_GC = "-XX:+PrintGC"
# the first release that knows them; a cache made in one step, from a process that answers requests
OPTIONS_SINCE = {"-XX:AOTCache": 25, "-XX:+UseCompactObjectHeaders": 25}
JAVA_PLACES = ("{java}", "{jcmd}", "{maven}")


class Boot(Row):
    """A Spring Boot line. The first row is the newest."""

    id: Part


class ServiceSpec(Row):
    """A program that a server needs beside it: started once for a run, before any server.

    It is ready when something listens on `port`, or answers `health` there with 200, within
    `ready_s`. One that leaves something in the background is ended by `stop`. Its environment is
    that of a server: `environment` adds to it, `pass_env` names variables of the caller.
    """

    name: Id
    command: Annotated[tuple[Word, ...], Field(min_length=1)]
    port: Annotated[int, Field(strict=True, ge=1, le=65_535)]
    health: Route | None = None
    environment: dict[str, str] = {}
    pass_env: tuple[VariableName, ...] = ()
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


class Limits(Row):
    """What an owner asks of a service on each of its routes. `p99_ms` is of the closed loop, or of
    the load at `p99_at_rate` percent of the capacity."""

    p99_ms: Annotated[float, Field(strict=True, gt=0)] | None = None
    p99_at_rate: CapacityPercent | None = None
    error_ratio: Annotated[float, Field(strict=True, ge=0, le=1)] | None = None
    startup_s: Annotated[float, Field(strict=True, gt=0)] | None = None
    memory_mib: Annotated[float, Field(strict=True, gt=0)] | None = None
    throughput_rps: Annotated[float, Field(strict=True, gt=0)] | None = None


class Server(Row):
    """A server: how it is built and which axes it has. `name` is what people call it.

    With `routes` it has only the workloads named there, each on its own route. `built_by` other
    than Maven: its artifact is a file as it stands, built by nobody, or by whoever calls; the
    latter is one jar each time, and a folder of `--jars` has to hold it. It starts in the folder
    of its artifact, or in `run_in`. `environment` adds variables to the few that every server gets,
    and `pass_env` names those of the caller that it gets too. It is up once `health` is answered
    with `health_status`. `certificate` is the file (PEM) of
    one that has a key of its own.
    """

    id: Part
    name: Word | None = None
    boots: tuple[Part, ...] = Field(min_length=1)
    models: tuple[Id, ...] = Field(min_length=1)
    runtimes: tuple[Id, ...] = Field(min_length=1)
    module: str
    artifact: str
    health: Route
    health_status: HealthStatus = 200
    built_by: Literal["maven", "nothing", "caller"] = "maven"
    routes: dict[Id, Route] = {}
    environment: dict[str, str] = {}
    pass_env: tuple[VariableName, ...] = ()
    run_in: str | None = None
    services: tuple[ServiceSpec, ...] = ()
    slow_upstream: SlowUpstream | None = None
    login: Login | None = None
    certificate: str | None = None
    limits: Limits | None = None


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


class HttpProtocol(Row):
    """What requests are sent over. The properties turn it on in a server.

    `key_properties` give it the key of this run: in a value `{key_store}` is its file,
    `{key_store_password}` its password. `streams` of HTTP/2 share a connection at most; a load of
    64 requests at once and eight streams has eight connections. `generator`: what loads it in a
    closed loop. `servers` and `runtimes`: those that have it, all where empty.
    """

    id: Id
    description: str
    tls: Annotated[bool, Field(strict=True)] = False
    streams: Count | None = None
    generator: Literal["wrk", "h2load"] = "wrk"
    properties: dict[str, str] = {}
    key_properties: dict[str, str] = {}
    servers: tuple[Part, ...] = ()
    runtimes: tuple[Id, ...] = ()

    def is_of(self, server: str, runtime: str) -> bool:
        """Whether `server` on `runtime` has it."""
        return (not self.servers or server in self.servers) and (
            not self.runtimes or runtime in self.runtimes
        )

    def streams_of(self, at_once: int) -> int:
        """How many requests share a connection, so that all of them are `at_once` exactly."""
        return max(n for n in range(1, (self.streams or 1) + 1) if at_once % n == 0)

    @property
    def is_http2(self) -> bool:
        """Whether requests may share connections."""
        return self.streams is not None

    @property
    def scheme(self) -> str:
        """As an address begins."""
        return "https" if self.tls else "http"


HTTP1 = HttpProtocol(id="http1", description="HTTP/1.1")
"""What nobody needs to turn on."""


class Runtime(Row):
    """How a variant is started: a command with places to fill in. `boots`: on all where empty.
    `name` is what people call it.

    What must be made of the artifact first is made once, in a folder that {prepared} stands for:
    by the commands of `prepare`, then by a process (`train`) that gets `train_requests`, is
    asked to end by `train_end`, and is stopped. `makes` names the file that must be there
    afterwards.
    """

    id: Id
    name: Word | None = None
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
    def starts_java(self) -> bool:
        """Whether what it starts is a JVM."""
        return "{java}" in self.start

    @property
    def needed_jdk(self) -> int:
        """The first JDK that knows its options; 0 for any."""
        words = " ".join((*self.start, *self.train))
        return max((since for option, since in OPTIONS_SINCE.items() if option in words), default=0)

    @property
    def needs_java(self) -> bool:
        """Whether any of its commands asks for a JDK."""
        commands = (self.start, self.train, self.train_end, *self.prepare)
        return any(
            place in word for command in commands for word in command for place in JAVA_PLACES
        )
