"""Rows of what is asked of a server: workloads, and the limits that more requests meet."""

from __future__ import annotations

from typing import Annotated, Literal, Self

from pydantic import Field, PrivateAttr

from springbench.matrix.fields import Count, Id, Part, Route, Row
from springbench.matrix.requests import HeaderName, HeaderValue, Login, RequestRow, Weights
from springbench.matrix.servers import HTTP1, HttpProtocol
from springbench.matrix.templates import ID_PLACE, RequestTemplate, parse

# what PostgreSQL keeps for its administrator, and one for whoever watches
KEPT_CONNECTIONS = 4
Need = Literal["upstream", "database", "sink"]
"""A service that a workload needs: the slow upstream, the database, or a sink for traces."""
# by which service a need is met, where that has another name
_SERVED_BY: dict[Need, Need] = {"sink": "upstream"}


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


class Workload(RequestRow):
    """One route, one question."""

    # between slashes in a case id, so that a dash is no hindrance
    id: Id
    route: Route
    question: str
    delay_ms: Annotated[float, Field(strict=True, gt=0, le=60_000)] | None = None
    warmup_route: Route | None = None
    needs: tuple[Need, ...] = ()
    servers: tuple[Part, ...] = ()
    runtimes: tuple[Id, ...] = ()
    properties: dict[str, str] = {}
    server_properties: dict[Part, dict[str, str]] = {}
    login: Login | None = None
    ids: Literal["sequence"] | Annotated[int, Field(strict=True, ge=1)] | None = None
    _protocol: HttpProtocol = PrivateAttr(HTTP1)

    @property
    def protocol(self) -> HttpProtocol:
        """What it is asked over."""
        return self._protocol

    def over(self, protocol: HttpProtocol) -> Self:
        """The same over a protocol: a workload of its own, which no other is ranked with."""
        if protocol.id == HTTP1.id:
            return self
        found = self.model_copy(
            update={
                "id": f"{self.id}-{protocol.id}",
                "question": f"{self.question} Over {protocol.description}.",
                "properties": self.properties | protocol.properties | protocol.key_properties,
            }
        )
        found._protocol = protocol
        return found

    @property
    def services(self) -> frozenset[Need]:
        """The services that have to run for it."""
        return frozenset(_SERVED_BY.get(need, need) for need in self.needs)

    def of_server(self, server: str) -> Self:
        """The same with what that server is started with for it."""
        properties = self.server_properties.get(server, {})
        return self.model_copy(update={"properties": self.properties | properties})

    @property
    def delay_s(self) -> float:
        """How long a request waits by design, in seconds; 0 where it does not."""
        return (self.delay_ms or 0.0) / 1000

    def applies_to(self, server: str, runtime: str) -> bool:
        """Whether `server` on `runtime` has what this workload asks for."""
        return (not self.servers or server in self.servers) and (
            not self.runtimes or runtime in self.runtimes
        )

    def request(self, rows: int | None) -> RequestTemplate:
        """What is asked. A sequence of ids asks for another row of the table each time, of 1 to
        `rows`."""
        row = f"{{random:1:{rows or 1}}}" if self.ids == "sequence" else str(self.ids)
        return self.template(self.id, self.route.replace(ID_PLACE, row))

    def warmup(self, rows: int | None) -> RequestTemplate:
        """What warms the same code without its wait: a plain GET, or what is asked itself."""
        if self.warmup_route is None:
            return self.request(rows)
        return RequestTemplate(name=self.id, path=parse(self.warmup_route))

    @property
    def identity(self) -> list[object]:
        """As that of a request; places in a route make another one too."""
        found, varies = super().identity, "{" in self.route.replace(ID_PLACE, "")
        return [*found, self.route] if found or varies else []


class Mix(Row):
    """Several workloads as one load. A weight is relative to those of the others.

    Each of them is asked with the `headers` of the mix too, of a server that is started with its
    `properties` too, after its `login`.
    """

    id: Id
    workloads: Weights
    question: str
    headers: dict[HeaderName, HeaderValue] = {}
    properties: dict[str, str] = {}
    needs: tuple[Need, ...] = ()
    login: Login | None = None

    def part(self, workload: Workload) -> Workload:
        """A workload as the mix asks it."""
        return workload.model_copy(
            update={
                "headers": {**workload.headers, **self.headers},
                "properties": workload.properties | self.properties,
                "needs": tuple(dict.fromkeys((*workload.needs, *self.needs))),
                "login": self.login or workload.login,
            }
        )


class DatabaseTable(Row):
    """The table behind the database workloads, and the pool through which it is read."""

    rows: Annotated[int, Field(strict=True, ge=1, le=100_000_000)]
    pool_size: Count
    max_connections: Annotated[int, Field(strict=True, ge=10, le=10_000)]

    @property
    def connections(self) -> int:
        """How many servers may open."""
        return self.max_connections - KEPT_CONNECTIONS
