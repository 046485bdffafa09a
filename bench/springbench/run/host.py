"""From a plan to a bench that can measure it: tools, limits, CPUs, jars, and who the host is."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path

from springbench import __version__
from springbench.errors import ConfigurationError, HostError
from springbench.github.step import on_hosted_runner
from springbench.host import git
from springbench.host.cpus import CpuPartition, cores, given_partition, partition
from springbench.host.facts.facts import HostFacts, host_facts
from springbench.host.facts.host_class import Limits, fingerprint, host_class
from springbench.host.facts.kernel_limits import (
    accept_queue,
    files_needed,
    port_range,
    raise_file_limit,
)
from springbench.host.memory_limit.choose import Enclosure, choose_enclosure
from springbench.host.shell import Shell
from springbench.host.tools.find import Jdk, Tool, find_jdk, find_maven, find_wrk
from springbench.host.tools.packages import remedy
from springbench.host.tools.platforms import this_platform
from springbench.measure.services import database, upstream
from springbench.measure.testbed import MEMORY_LIMIT_BYTES
from springbench.paths import ROOT
from springbench.plan.plan import Plan
from springbench.results.run import (
    Caution,
    CommitInfo,
    FiltersInfo,
    HostInfo,
    LimitsInfo,
    Run,
    RunInfo,
    ToolsInfo,
)

_NAMES = {"jdk": "a JDK 25 or newer", "wrk": "wrk", "maven": "Maven 3.8 or newer"}


@dataclass(frozen=True)
class Tools:
    """The programs that a run needs. Maven is there only when something is to be built."""

    jdk: Jdk
    wrk: Tool
    maven: Tool | None


def find_tools(*, with_maven: bool) -> Tools:
    """The tools of this host. Raises `HostError` with a line for each that is missing."""
    jdk, wrk = find_jdk(), find_wrk()
    maven = find_maven() if with_maven else None
    needed = {"jdk": jdk, "wrk": wrk} | ({"maven": maven} if with_maven else {})
    missing = [name for name, found in needed.items() if found is None]
    if jdk is None or wrk is None or missing:
        platform = this_platform()
        raise HostError(
            "\n".join(f"missing: {_NAMES[name]}; {remedy(name, platform)}" for name in missing)
        )
    return Tools(jdk, wrk, maven)


def check_limits(plan: Plan) -> Iterator[Caution]:
    """Raise the limits as far as this process may; fail when the largest load cannot fit.

    Raises `HostError` before the first connection, not half-way through a load.
    """
    connections = max(case.connections for case in plan.cases)
    files = raise_file_limit(files_needed(connections))
    if not files.ok:
        raise HostError(
            f"{connections} connections need {files.needed} open files, "
            f"this process may have {files.soft}: {files.remedy}"
        )
    ports = port_range(connections)
    if not ports.ok:
        raise HostError(
            f"{connections} connections need as many local ports, {ports.free} are free: "
            f"{ports.remedy}"
        )
    queue = accept_queue(min(connections, 4096))
    if queue and not queue.ok:
        yield Caution(
            code="somaxconn",
            message=f"the kernel lets {queue.somaxconn} connections wait to be accepted",
            remedy=queue.remedy,
        )


def find_jars(plan: Plan, jars: Path | None, root: Path = ROOT) -> None:
    """Raises `ConfigurationError` naming every jar of the plan that is not there."""
    if jars is not None and not jars.is_dir():
        raise ConfigurationError(f"--jars {jars}: there is no such folder")
    missing = []
    for case in plan.cases:
        built = root / case.variant.module / case.variant.artifact
        by_maven = case.variant.server.built_by == "maven"
        path = jars / built.name if jars and by_maven else built
        if not path.is_file():
            missing.append(path.name)
    if plan.needs("database") and not database_jar(jars).is_file():
        missing.append(Path(database.ARTIFACT).name)
    if plan.needs("upstream") and not upstream_jar(jars).is_file():
        missing.append(Path(upstream.ARTIFACT).name)
    if missing:
        where = f"--jars {jars}" if jars else "the build"
        names = ", ".join(dict.fromkeys(missing))
        raise ConfigurationError(f"{where}: not there: {names}")


def upstream_jar(jars: Path | None) -> Path:
    """The slow upstream's jar, from the folder of `--jars` where that has one."""
    return _party_jar(ROOT / upstream.MODULE / upstream.ARTIFACT, jars)


def database_jar(jars: Path | None) -> Path:
    """The database's jar, from the folder of `--jars` where that has one."""
    return _party_jar(ROOT / database.MODULE / database.ARTIFACT, jars)


def _party_jar(built: Path, jars: Path | None) -> Path:
    given = jars / built.name if jars else built
    return given if given.is_file() else built


@dataclass(frozen=True)
class Host:
    """What a run needs to know of its host, read before the harness pins itself."""

    facts: HostFacts
    cpus: CpuPartition
    enclosure: Enclosure

    @classmethod
    def read(cls, shell: Shell, cpus: str | None = None, memory_bytes: int | None = None) -> Host:
        """The host; `cpus` is a person's own partition, as in `2-3:1:0`."""
        usable = frozenset(os.sched_getaffinity(0)) if cpus else frozenset()
        return cls(
            facts=host_facts(shell),
            cpus=given_partition(cpus, usable) if cpus else partition(cores()),
            enclosure=choose_enclosure(memory_bytes or MEMORY_LIMIT_BYTES, shell),
        )

    def pin_harness(self) -> None:
        """Keep the harness itself off the server's CPUs."""
        others = self.cpus.load | self.cpus.upstream
        if others:
            os.sched_setaffinity(0, others)

    def info(self, jdk: Jdk) -> HostInfo:
        """The part of `run.json`."""
        facts, cpus = self.facts, self.cpus
        limit_bytes = self.enclosure.limit_bytes
        # a limit that only the JVM keeps to is not the same as one that the kernel enforces
        held_bytes = limit_bytes if self.enclosure.enforced else None
        limits = Limits(len(cpus.server) or None, held_bytes)
        wanted = HostInfo.model_fields.keys() & asdict(facts).keys()
        return HostInfo.model_validate(
            {
                **{name: value for name, value in asdict(facts).items() if name in wanted},
                "fingerprint": fingerprint(facts, jdk_version=jdk.version, limits=limits),
                "class": host_class(facts, jdk_major=jdk.major, limits=limits),
                "limits": LimitsInfo(
                    server_cpus=sorted(cpus.server),
                    load_cpus=sorted(cpus.load),
                    upstream_cpus=sorted(cpus.upstream),
                    cpus_enforced_by="sched_setaffinity" if cpus.server else "nothing",
                    memory_limit_bytes=limit_bytes,
                    memory_enforced_by=self.enclosure.how,
                ).model_dump(),
            }
        )

    def warnings(self) -> Iterator[Caution]:
        """What about this host the reader of a result must know."""
        if short := self.enclosure.warning:
            yield Caution(code="memory-limit", message=short.message, remedy=short.remedy)
        if on_hosted_runner():
            yield Caution(
                code="shared-host",
                message="measured on one of GitHub's own runners: others use the same machine, "
                "and the next run may get another one",
                remedy="name a runner of your own in the variable SPRINGBENCH_RUNNER",
            )
        if sys.platform == "darwin":
            yield Caution(
                code="macos",
                message="measured on macOS: nothing is pinned to CPUs, and throughput is wrk's "
                "own mean with connecting and the tail in it, which reads low where "
                "requests wait a second",
                remedy="measure on Linux",
            )
        elif not self.cpus.separate:
            yield Caution(
                code="shared-cpu",
                message="the server shares a CPU with the load generator or the upstream: "
                "they slow each other",
                remedy="use a host with two CPUs or more, or --cpus that are apart",
            )


def new_run(
    run_id: str, plan: Plan, host: Host, tools: Tools, shell: Shell, sources: Path = ROOT
) -> Run:
    """A run with nothing measured yet, of the commit that `sources` are of."""
    commit = git.head(sources, shell) or git.head(ROOT, shell)
    return Run(
        run=RunInfo(
            id=run_id,
            started_at=datetime.now(UTC).isoformat(timespec="seconds"),
            profile=plan.profile,
            plan_digest=plan.digest,
            filters=FiltersInfo.model_validate(asdict(plan.filters)),
            trigger=os.environ.get("GITHUB_EVENT_NAME", "manual"),
            estimate_s=plan.estimate_s,
        ),
        commit=CommitInfo(**asdict(commit)) if commit else None,
        host=host.info(tools.jdk),
        tools=ToolsInfo(
            jdk=tools.jdk.version,
            wrk=tools.wrk.version,
            springbench=__version__,
            boots=boot_versions(plan),
        ),
        warnings=list(host.warnings()),
    )


def boot_versions(plan: Plan, root: Path = ROOT) -> dict[str, str]:
    """The version of each Spring Boot line of the plan, which stands once, in pom.xml."""
    try:
        text = (root / "pom.xml").read_text(encoding="utf-8")
    except OSError:
        return {}
    versions = dict(re.findall(r"<(\w+)\.version>([^<]+)</", text))
    boots = dict.fromkeys(case.variant.boot for case in plan.cases)
    return {boot: versions[boot] for boot in boots if boot in versions}


def new_run_id(profile: str, commit: CommitInfo | None) -> str:
    """Sorts by time, and says what it is: `20261121T093000Z-quick-1a2b3c4d`."""
    now = datetime.now(UTC).strftime("%Y%m%dT%H%M%SZ")
    return "-".join([now, profile, *([commit.sha[:8]] if commit else [])])
