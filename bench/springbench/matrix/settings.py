"""Settings that a load row lists, so that each variant is measured at each: memory, CPUs, JDK and
pool size.

Each is a row of `SETTINGS`. Checks, names of cases, plans and the axes of questions follow from it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import product
from typing import NamedTuple

from springbench import units
from springbench.limits import MEMORY_LIMIT_BYTES
from springbench.matrix.fields import (
    Count,
    CpuLimit,
    JdkRelease,
    MemorySize,
    Row,
    cpu_name,
    cpu_quota,
    memory_bytes,
    memory_name,
)

FIRST_COMPILER = "-XX:TieredStopAtLevel=1"
"""Option of a JVM that has C1 alone: what it costs is comparable, and not what it can do."""


class SettingLists(Row):
    """Of a load row, and of `springbench.toml`.

    `memory`: memory limits; without it, that of the run. `cpus`: whole CPUs, or a quota; without
    it, all of the server's. `jdks`: releases; without it, the JDK of the run. `pool_sizes`:
    connections of a server's pool to its database; without it, what it has by itself.
    """

    memory: tuple[MemorySize, ...] = ()
    cpus: tuple[CpuLimit, ...] = ()
    jdks: tuple[JdkRelease, ...] = ()
    pool_sizes: tuple[Count, ...] = ()

    def texts(self, setting: Setting) -> list[str]:
        """What it lists of a setting, each as its shortest text."""
        return [setting.shortest(f"{value}") for value in getattr(self, setting.key)]


class Settings(NamedTuple):
    """Those of a variant, as their shortest texts; None for what all have that name none."""

    memory: str | None = None
    cpus: str | None = None
    jdk: str | None = None
    pool_size: str | None = None

    @property
    def parts(self) -> list[str]:
        """How a case names those that differ: `256m`, `0.5q`, `2cpu`, `jdk21`, `pool100`."""
        texts = ((setting, getattr(self, setting.name)) for setting in SETTINGS)
        return [setting.part(text) for setting, text in texts if text is not None]


NO_SETTINGS = Settings()


@dataclass(frozen=True)
class Setting:
    """One of them. `name` is that of the axis of questions, `key` the one of a load row."""

    name: str
    key: str
    usual: str
    """What variants have that name none."""
    part: Callable[[str], str]
    """How a case names a value."""
    size: Callable[[str], float] = float
    """By which values are in order."""
    label: Callable[[str], str] = str
    """How a sentence names a value."""
    shortest: Callable[[str], str] = str
    """One text for each value."""
    least: str | None = None
    """With less nothing starts."""

    def in_order(self, texts: Iterable[str]) -> list[str]:
        """The least first: of one size, as a CPU and a quota of one, in the order of letters."""
        return sorted(texts, key=lambda text: (self.size(text), text))


def _cpu_part(text: str) -> str:
    quota = cpu_quota(text)
    return f"{text}cpu" if quota is None else f"{quota:g}q"


SETTINGS = (
    Setting(
        "memory",
        "memory",
        usual=memory_name(MEMORY_LIMIT_BYTES),
        part=str,
        size=memory_bytes,
        label=lambda text: units.memory_limit(memory_bytes(text)),
        shortest=lambda text: memory_name(memory_bytes(text)),
        least="64m",
    ),
    Setting("cpus", "cpus", "all CPUs", _cpu_part, shortest=cpu_name, least="0.05"),
    Setting("jdk", "jdks", "JDK of the run", "jdk{}".format, label="JDK {}".format, least="8"),
    Setting("pool_size", "pool_sizes", "no pool", "pool{}".format),
)


def usual_settings(pool_size: int | None) -> dict[str, str]:
    """By name, what variants have that name none; `pool_size` is that of a `[database]`."""
    usual = {setting.name: setting.usual for setting in SETTINGS}
    return usual | ({"pool_size": f"{pool_size}"} if pool_size else {})


def combinations(lists: SettingLists, usual: Mapping[str, str]) -> Iterator[Settings]:
    """Every combination of what is listed. A case names only what differs from the usual."""
    listed = (
        [None if text == usual[setting.name] else text for text in lists.texts(setting)] or [None]
        for setting in SETTINGS
    )
    return (Settings(*values) for values in product(*listed))
