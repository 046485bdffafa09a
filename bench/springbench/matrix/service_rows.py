"""The rows of `springbench.toml`, which describes one service, as frozen records."""

from __future__ import annotations

import re
from typing import Annotated, Literal

from pydantic import Field

from springbench.matrix.fields import (
    Connections,
    HealthStatus,
    Id,
    Route,
    Row,
    VariableName,
    Word,
)
from springbench.matrix.requests import Login, RequestRow, Weights
from springbench.matrix.servers import Limits, ServiceSpec, SlowUpstream
from springbench.matrix.service_name import ServiceName
from springbench.matrix.settings import SettingLists

CONNECTIONS = 64
_MAX_ID_LENGTH = 40


class ServiceRoute(RequestRow):
    """A route, how it is asked, and how many connections ask for it at once.

    `delay_ms`: how long an answer waits by design; the theoretical maximum throughput follows from
    it.
    """

    path: Route
    name: Id | None = None
    connections: Annotated[tuple[Connections, ...], Field(min_length=1)] = (CONNECTIONS,)
    delay_ms: Annotated[float, Field(strict=True, gt=0, le=60_000)] | None = None

    @property
    def id(self) -> str:
        """Its name; made of the path where none is given: `/orders/17` is `orders-17`."""
        return self.name or named_after(self.path)


class ServiceMix(Row):
    """Several routes as one load, each by its name with its weight.

    A route that names no `connections` of its own is loaded in its mixes only.
    """

    name: Id
    routes: Weights
    connections: Annotated[tuple[Connections, ...], Field(min_length=1)] = (CONNECTIONS,)


class Service(SettingLists):
    """The whole file. Either `jar` or `command` says what is started, from the file's folder.

    `models` other than `own` set `spring.threads.virtual.enabled`; `own` leaves it as it is.
    `protocols`: each route is measured over each of them, at each combination of the settings that
    are listed. `certificate` is the file (PEM) that the service answers with over TLS; without it a
    jar is given a key.
    """

    schema_: Literal[1] = Field(1, alias="schema")
    name: ServiceName = "service"
    jar: Word | None = None
    command: Annotated[tuple[Word, ...], Field(min_length=1)] | None = None
    health: Route | None = None
    health_status: HealthStatus = 200
    environment: dict[str, str] = {}
    pass_env: tuple[VariableName, ...] = ()
    properties: dict[str, str] = {}
    java_options: tuple[Word, ...] = ()
    models: Annotated[tuple[Literal["own", "platform", "virtual"], ...], Field(min_length=1)] = (
        "own",
    )
    runtimes: Annotated[tuple[Literal["jvm", "jvm-aot"], ...], Field(min_length=1)] = ("jvm",)
    protocols: Annotated[
        tuple[Literal["http1", "https1", "h2c", "h2"], ...], Field(min_length=1)
    ] = ("http1",)
    certificate: Word | None = None
    routes: tuple[ServiceRoute, ...] = Field(min_length=1)
    mixes: tuple[ServiceMix, ...] = ()
    login: Login | None = None
    services: tuple[ServiceSpec, ...] = ()
    slow_upstream: SlowUpstream | None = None
    limits: Limits | None = None


SERVICE_ROW_TYPES: dict[str, type[Row]] = {
    "": Service,
    "routes": ServiceRoute,
    "mixes": ServiceMix,
    "login": Login,
    "services": ServiceSpec,
    "slow_upstream": SlowUpstream,
    "limits": Limits,
}


def named_after(path: str) -> str:
    """An id made of a route's words: letters and digits with dashes between them."""
    words = re.findall(r"[a-z0-9]+", path.lower())
    name = "-".join(words)[:_MAX_ID_LENGTH].strip("-")
    if not name:
        return "root"
    return name if name[0].isalpha() else f"route-{name}"
