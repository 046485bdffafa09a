"""Options that several commands share, and how their texts become values."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, nullcontext
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any, Literal

import typer

from springbench.errors import ConfigurationError, ExitCode
from springbench.host.lock import measuring_alone
from springbench.host.switches import prepared_host
from springbench.matrix import fields
from springbench.matrix.load import load_matrix, parse_service
from springbench.matrix.profiles import CAPACITY_PERCENTS, CapacityPercent
from springbench.matrix.rows import Matrix
from springbench.paths import ABOUT_A_SERVICE, MATRIX, SERVICE
from springbench.plan.plan import Filters
from springbench.results.comparison import HeadLimitRecord, Statement
from springbench.results.recording import Recording

MAX_CONNECTIONS = 60_000
_RUN_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,99}")


FailOn = Literal["never", "regression", "suspected"]
"""Findings of a history that make a command end with 1."""


class FailOnVerdict(StrEnum):
    """The mildest verdict of a comparison that makes a command fail."""

    NEVER = "never"
    REGRESSION = "regression"
    SUSPECTED = "suspected"
    UNDECIDED = "undecided"

    def exit_code(
        self, statements: Iterable[Statement], limits: Iterable[HeadLimitRecord] = ()
    ) -> ExitCode:
        """That of the gravest verdict, which tells it; `OK` for milder ones than this."""
        of_limits = {limit.verdict for limit in limits}
        found = {
            statement.verdict
            for statement in statements
            if statement.verdict != "suspected" or statement.is_worse
        }
        # from the gravest on
        codes = {
            FailOnVerdict.REGRESSION: (
                ExitCode.REGRESSION,
                "regression" in found or "broken" in of_limits,
            ),
            FailOnVerdict.SUSPECTED: (ExitCode.SUSPECTED, "suspected" in found),
            FailOnVerdict.UNDECIDED: (ExitCode.UNDECIDED, "undecided" in found | of_limits),
        }
        levels = list(FailOnVerdict)
        met = (
            code
            for verdict, (code, is_met) in codes.items()
            if is_met and levels.index(verdict) <= levels.index(self)
        )
        return next(met, ExitCode.OK)


FailOnOption = Annotated[
    FailOnVerdict,
    typer.Option(
        "--fail-on",
        help="Fail from this verdict on: exit with 1 on a confirmed regression or a broken limit, "
        "6 on a suspected one, 7 where something is undecided.",
    ),
]
ProfileOption = Annotated[
    str, typer.Option("--profile", "-p", help="Which cases: a profile of the matrix.")
]
OnlyOption = Annotated[
    list[str] | None,
    typer.Option("--only", help="Keep the cases whose id matches this glob. Repeatable."),
]
ConnectionsOption = Annotated[
    str | None,
    typer.Option("--connections", help="Instead of the profile's connections, e.g. `100,500`."),
]
ForksOption = Annotated[
    int | None, typer.Option("--forks", min=1, max=100, help="Fresh processes for each case.")
]
DurationOption = Annotated[
    float | None,
    typer.Option("--duration", min=1, max=3600, help="Length of the window in seconds."),
]
# how they were called before the first release
_EARLIER_RATES: dict[str, CapacityPercent] = {"half": 50, "four-fifths": 80}
RatesOption = Annotated[
    str | None,
    typer.Option(
        "--rates",
        help="Constant rates to load at too (open loop), in percent of the capacity: `50,80`.",
    ),
]
CpusOption = Annotated[
    str | None,
    typer.Option("--cpus", help="CPUs as server:load:upstream, e.g. `2-3:1:0`, not the default."),
]
MemoryOption = Annotated[
    str | None,
    typer.Option("--memory", help="A server's memory limit, e.g. `2g` or `512m`; 1g if left out."),
]
WaitOption = Annotated[
    float,
    typer.Option("--wait", min=0, max=86400, help="Seconds to wait for another measurement here."),
]
PrepareHostOption = Annotated[
    bool,
    typer.Option(
        "--prepare-host",
        help="Turn off what makes CPUs' speed vary while measuring, as far as this user may.",
    ),
]
LoadHostOption = Annotated[
    str | None,
    typer.Option(
        "--load-host",
        envvar="SPRINGBENCH_LOAD_HOST",
        help="USER@HOST that the load comes from, over ssh; this host, if left out.",
    ),
]
SeedDatabaseOption = Annotated[
    bool,
    typer.Option(
        "--seed-database", help="Make the table on the server of SPRINGBENCH_DB_URL if it lacks it."
    ),
]
RecordingOption = Annotated[
    Path | None,
    typer.Option(
        "--recording",
        envvar="SPRINGBENCH_RECORDING",
        help="Measure nothing: take what an earlier run.json or comparison.json (or a folder of "
        "them) has measured. For trying out what follows from a measurement.",
    ),
]
MatrixOption = Annotated[
    Path,
    typer.Option(
        "--matrix", help="Where the axes, or one service, are declared; a springbench.toml here."
    ),
]
# these describe a service on the command line, in the place of a file
JarOption = Annotated[
    Path | None, typer.Option("--jar", help="Measure this jar, in the place of a matrix.")
]
CommandOption = Annotated[
    str | None,
    typer.Option(
        "--command", help="Measure what this starts, e.g. `./serve --port {port}`; no shell."
    ),
]
BuildOption = Annotated[
    str | None,
    typer.Option(
        "--build",
        help="The command that builds a commit of a service of your own, in a shell, in its "
        "folder.",
    ),
]
RouteOption = Annotated[
    list[str] | None,
    typer.Option("--route", help="With --jar or --command: a route to load. Repeatable."),
]
HealthOption = Annotated[
    str | None,
    typer.Option("--health", help="With --jar or --command: asked until it answers 200."),
]
JarsOption = Annotated[
    Path | None, typer.Option("--jars", help="A folder with built jars, instead of a build.")
]
ResumeOption = Annotated[
    Path | None,
    typer.Option("--resume", help="Finish this run, e.g. `results/latest`; filters are its."),
]
LabelsOption = Annotated[
    str | None,
    typer.Option("--runner-labels", help="Which runner measures, e.g. `self-hosted,bench`."),
]
RepoOption = Annotated[
    str | None, typer.Option("--repo", envvar="GITHUB_REPOSITORY", help="OWNER/NAME.")
]
SiteOption = Annotated[
    str | None,
    typer.Option("--site", envvar="SPRINGBENCH_SITE", help="The dashboard, to be linked."),
]
FailOnEventOption = Annotated[
    FailOn,
    typer.Option(
        "--fail-on", help="Exit with 1 while a confirmed regression is open, or a suspected."
    ),
]
DEFAULT_MATRIX = SERVICE if ABOUT_A_SERVICE else MATRIX


def recording(place: Path | None) -> Recording | None:
    """What `--recording` names. Raises `ConfigurationError`."""
    return Recording.read(place) if place else None


def check_id(text: str | None) -> None:
    """Raises `ConfigurationError` where `text` cannot be the name of a run and of its folder."""
    if text is not None and not _RUN_ID.fullmatch(text):
        raise ConfigurationError(
            f"--id {text!r}: no name for a run; allowed: letters, digits, dots, dashes and "
            "underscores, a letter or digit first, at most 100 in all"
        )


@contextmanager
def host_to_measure_on(*, wait_s: float, prepare: bool) -> Iterator[None]:
    """The host for oneself and, if that was asked for, prepared; as it was at the end."""
    with measuring_alone(wait_s), prepared_host() if prepare else nullcontext():
        yield


def filters(
    only: list[str] | None,
    connections: str | None,
    forks: int | None,
    duration: float | None,
    rates: str | None = None,
) -> Filters:
    """The filters that the options ask for."""
    return Filters(tuple(only or ()), _connections(connections), forks, duration, _rates(rates))


def memory_bytes(text: str | None) -> int | None:
    """`512m` or `2g` in bytes. Raises `ConfigurationError` for anything else."""
    if text is None:
        return None
    size_bytes = fields.memory_bytes(text) if re.fullmatch(r"[0-9]{1,6}[mg]", text) else 0
    if size_bytes < fields.MIN_MEMORY_BYTES:
        raise ConfigurationError(
            f"--memory {text!r}: no memory limit; allowed: a whole number with m or g, "
            "64m or more, like 512m or 2g"
        )
    return size_bytes


def _rates(text: str | None) -> tuple[CapacityPercent, ...]:
    named = [part.strip() for part in text.split(",")] if text is not None else []
    known = {str(percent): percent for percent in CAPACITY_PERCENTS} | _EARLIER_RATES
    for part in named:
        if part not in known:
            raise ConfigurationError(
                f"--rates {text!r}: {part!r} is no percentage of the capacity that is offered; "
                f"allowed: {', '.join(map(str, CAPACITY_PERCENTS))}, with commas between them"
            )
    chosen = {known[part] for part in named}
    return tuple(percent for percent in CAPACITY_PERCENTS if percent in chosen)


def _connections(text: str | None) -> tuple[int, ...]:
    if text is None:
        return ()
    numbers = []
    for part in text.split(","):
        # int() reads more than a person means: other scripts' digits, signs, underscores
        if not re.fullmatch(r"\s*[0-9]{1,9}\s*", part) or not 1 <= int(part) <= MAX_CONNECTIONS:
            raise ConfigurationError(
                f"--connections {text!r}: {part.strip()!r} is no number of connections; allowed: "
                f"whole numbers from 1 to {MAX_CONNECTIONS}, with commas between them, like 100,500"
            )
        numbers.append(int(part))
    return tuple(dict.fromkeys(numbers))


def described_matrix(
    file: Path, jar: Path | None, command: str | None, routes: list[str] | None, health: str | None
) -> Matrix:
    """The matrix of the service that the options describe, else that of the file.

    Raises `ConfigurationError` for a description that is not whole.
    """
    if jar is None and command is None:
        if routes or health:
            raise ConfigurationError(
                "--route and --health describe a service: add --jar or --command, "
                "or write them into springbench.toml"
            )
        return load_matrix(file)
    if not routes:
        raise ConfigurationError("--route is missing: which route is to be loaded, e.g. /orders/17")
    if jar is not None and not jar.is_file():
        raise ConfigurationError(f"--jar {jar}: there is no such file; build it first")
    described: dict[str, Any] = {"routes": [{"path": route} for route in routes]}
    if jar is not None:
        described["jar"] = str(jar.absolute())
    if command is not None:
        described["command"] = words_of(command)
    if health is not None:
        described["health"] = health
    return parse_service(described, "command line", Path.cwd())


def words_of(command: str) -> list[str]:
    """The words of `--command`, as a shell would part them. Raises `ConfigurationError`."""
    try:
        return shlex.split(command)
    except ValueError as error:
        raise ConfigurationError(f"--command {command!r}: {error}") from error
