"""Rows of how it is measured: profiles and their loads."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from springbench.matrix.fields import Connections, Id, Part, Row, Seconds
from springbench.matrix.settings import SettingLists

# of a case's capacity: with these it may be loaded in an open loop, at a constant arrival rate
CapacityPercent = Literal[50, 80]
Weekday = Literal["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]
Begin = Literal["spread", "together"]
CAPACITY_PERCENTS: tuple[CapacityPercent, ...] = (50, 80)
# with a third of one CPU they took 74 s on a quiet host, and more than this on an uneven one
COMPILING_MAX_S = 120.0
# by how much compilers make warm-up longer than `warmup_min_s` where they have a CPU of their own
COMPILING_ESTIMATE_S = 10.0
RATE_WINDOW_S = 8.0


class Load(SettingLists):
    """A part of a profile: axes to multiply, and how to measure what they give.

    `compiling_max_s`: what warm-up takes in all, at most, until JIT compilation has settled. Where
    they rested late, a window still has `warmup_max_s` less `warmup_min_s` to become steady.
    `compiling_s`: how long that mostly takes, for estimates alone.
    `weekday`: scheduled workflows measure it on that day (UTC) alone.
    `rates`: after its window the server is loaded at these percents of its capacity, each for
    `rate_window_s`.
    Each variant is measured at each combination of the settings that it lists.
    """

    workload: Id
    connections: tuple[Connections, ...] = Field(min_length=1)
    boots: Literal["newest", "all"] | Annotated[tuple[Part, ...], Field(min_length=1)] = "all"
    servers: tuple[Part, ...] = ()
    models: tuple[Id, ...] = ()
    runtimes: tuple[Id, ...] = ()
    protocols: Annotated[tuple[Id, ...], Field(min_length=1)] = ("http1",)
    forks: Annotated[int, Field(strict=True, ge=1, le=100)] = 1
    warmup_min_s: Seconds = 8.0
    warmup_max_s: Seconds = 60.0
    compiling_max_s: Annotated[float, Field(strict=True, ge=0, le=3600)] = COMPILING_MAX_S
    compiling_s: Annotated[float, Field(strict=True, ge=0, le=3600)] = COMPILING_ESTIMATE_S
    window_s: Seconds = 10.0
    rates: tuple[CapacityPercent, ...] = ()
    rate_window_s: Seconds = RATE_WINDOW_S
    bursts: Annotated[int, Field(ge=1, le=100)] = 5
    heap_now: Annotated[bool, Field(strict=True)] = False
    weekday: Weekday | None = None
    cold_s: Annotated[int, Field(strict=True, ge=1, le=600)] | None = None


class Profile(Row):
    """A named selection of cases.

    `interleaved`: `springbench run` has all variants up at once, a round of fresh processes for
    each fork, and interleaves their loads.
    `share_processes`: the cases of a variant that one process can answer are measured in one, which
    a large application would otherwise have to start and to warm up for each of its routes.
    `limit_s`: a further round is begun with as many processes as there is time for until then.
    `begin`: where requests wait by design, the connections of a load begin one after the other over
    a delay, or all at once.
    """

    id: Id
    description: str
    budget_s: Seconds = 600.0
    interleaved: Annotated[bool, Field(strict=True)] = False
    share_processes: Annotated[bool, Field(strict=True)] = False
    limit_s: Seconds | None = None
    begin: Begin = "spread"
    java_options: tuple[str, ...] = ()
    loads: tuple[Load, ...] = Field(min_length=1)
