"""What the values of `matrix.toml` may be, and what all its rows have in common."""

from __future__ import annotations

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, StringConstraints

Id = Annotated[str, StringConstraints(pattern=r"^[a-z][a-z0-9]*(-[a-z0-9]+)*$")]
# an id that is one part of a variant's, which is joined with dashes
Part = Annotated[str, StringConstraints(pattern=r"^[a-z][a-z0-9]*$")]
Route = Annotated[str, StringConstraints(pattern=r"^/[!-~]*$")]
# of a server that is up, also of one that wants a login first
HealthStatus = Annotated[int, Field(strict=True, ge=200, le=499)]
# stands in braces in a command
PlaceName = Annotated[str, StringConstraints(pattern=r"^[a-z]+(_[a-z]+)*$")]
VariableName = Annotated[str, StringConstraints(pattern=r"^[A-Za-z_][A-Za-z0-9_]*$")]
Word = Annotated[str, Field(min_length=1)]
# strict: a number in quotes, or true, is a mistake and not a number
DelayMs = Annotated[float, Field(strict=True, ge=0, le=60_000)]
Seconds = Annotated[float, Field(strict=True, gt=0, le=3600)]
MemorySize = Annotated[str, StringConstraints(pattern=r"^[1-9][0-9]{0,5}[mg]$")]
# whole CPUs, or with a decimal point a quota
CpuLimit = Annotated[str, StringConstraints(pattern=r"^([1-9][0-9]{0,2}|[0-9]{1,3}\.[0-9]{1,2})$")]
JdkRelease = Annotated[str, StringConstraints(pattern=r"^[1-9][0-9]?$")]
Connections = Annotated[int, Field(strict=True, ge=1, le=60_000)]
Count = Annotated[int, Field(strict=True, ge=1)]

MIN_MEMORY_BYTES = 64 << 20
_MEMORY_UNITS = {"m": 1 << 20, "g": 1 << 30}


def memory_bytes(text: str) -> int:
    """A `MemorySize` in bytes."""
    return int(text[:-1]) * _MEMORY_UNITS[text[-1]]


def memory_name(size_bytes: int) -> str:
    """The shortest `MemorySize` of so many bytes: `512m`, `2g`."""
    gibibytes, remainder = divmod(size_bytes, _MEMORY_UNITS["g"])
    return f"{size_bytes // _MEMORY_UNITS['m']}m" if remainder else f"{gibibytes}g"


def whole_cpus(text: str) -> int | None:
    """How many CPUs a `CpuLimit` pins a server to; None where it is a quota."""
    return None if "." in text else int(text)


def cpu_quota(text: str) -> float | None:
    """The quota that a `CpuLimit` is, in CPUs; None where it is whole CPUs."""
    return float(text) if "." in text else None


def cpu_name(text: str) -> str:
    """The shortest `CpuLimit` of as much: `2`, `0.5`, `1.0`."""
    return text if cpu_quota(text) is None else f"{float(text)}"


class Row(BaseModel):
    """A row: unknown keys are refused, nothing changes after it was read."""

    model_config = ConfigDict(extra="forbid", frozen=True, defer_build=True)
