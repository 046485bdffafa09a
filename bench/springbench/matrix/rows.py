"""The rows of `matrix.toml`, as frozen records. What each key means stands in the file itself."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from springbench.matrix.fields import PlaceName, Row
from springbench.matrix.profiles import Load, Profile
from springbench.matrix.requests import Login
from springbench.matrix.servers import (
    Boot,
    HttpProtocol,
    Model,
    Runtime,
    Server,
    ServiceSpec,
    SlowUpstream,
)
from springbench.matrix.settings import usual_settings
from springbench.matrix.workloads import Cap, DatabaseTable, Mix, PerCpu, Workload


class Matrix(Row):
    """The whole file."""

    schema_: Literal[1] = Field(alias="schema")
    boots: tuple[Boot, ...] = Field(min_length=1)
    servers: tuple[Server, ...] = Field(min_length=1)
    models: tuple[Model, ...] = Field(min_length=1)
    runtimes: tuple[Runtime, ...] = Field(min_length=1)
    protocols: tuple[HttpProtocol, ...] = ()
    word_lists: dict[PlaceName, tuple[str, ...]] = {}
    caps: tuple[Cap, ...] = ()
    caches: tuple[Cap, ...] = ()
    database: DatabaseTable | None = None
    workloads: tuple[Workload, ...] = Field(min_length=1)
    mixes: tuple[Mix, ...] = ()
    profiles: tuple[Profile, ...] = Field(min_length=1)

    @property
    def usual_settings(self) -> dict[str, str]:
        """By name, what variants have that name none."""
        return usual_settings(self.database.pool_size if self.database else None)


ROW_TYPES: dict[str, type[Row]] = {
    "": Matrix,
    "boots": Boot,
    "servers": Server,
    "servers.services": ServiceSpec,
    "servers.slow_upstream": SlowUpstream,
    "servers.login": Login,
    "models": Model,
    "runtimes": Runtime,
    "protocols": HttpProtocol,
    "caps": Cap,
    "caps.at_once": PerCpu,
    "caches": Cap,
    "caches.at_once": PerCpu,
    "database": DatabaseTable,
    "workloads": Workload,
    "workloads.login": Login,
    "mixes": Mix,
    "mixes.login": Login,
    "profiles": Profile,
    "profiles.loads": Load,
}
