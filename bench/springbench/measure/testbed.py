"""Testbed of a run, shared by its forks: tools, CPUs, folders, services, and who is watching."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from glob import glob
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from springbench.archives import is_runnable
from springbench.errors import ConfigurationError
from springbench.host.cpus import CpuPartition
from springbench.host.memory_limit.choose import MemoryLimit, not_enforced
from springbench.host.shell import Shell
from springbench.host.tools.find import Jdk
from springbench.limits import MEMORY_LIMIT_BYTES, Resources
from springbench.matrix.servers import HTTP1, HttpProtocol
from springbench.measure.load.generator import LoadGenerator
from springbench.measure.load.h2load import H2load
from springbench.measure.load.load_host import LoadHost, SameHost
from springbench.measure.load.oha import Oha
from springbench.measure.load.open_schedule import Answered
from springbench.measure.load.wrk import Wrk
from springbench.measure.server.key_store import KeyStore
from springbench.measure.services.database import Database
from springbench.measure.services.declared import RunningService
from springbench.measure.services.upstream import Upstream
from springbench.paths import is_glob
from springbench.plan.cases import Case, Variant
from springbench.results.comparison import ProfiledEvent
from springbench.results.records import BuildRecord, ForkRecord, LoadSummary
from springbench.results.stacks import StackTree

if TYPE_CHECKING:
    from springbench.measure.server.process import ServerProcess


class Observer(Protocol):
    """Receives what happens while it happens."""

    def phase(self, case: Case, fork: int, name: str) -> None:
        """A phase of a fork begins: start, warm-up, load."""

    def part(self, ratio: float) -> None:
        """So much of a phase is done, from 0 to 1; of most nobody knows."""

    def rate(self, throughput_rps: float) -> None:
        """Rate of the load at this moment, failed answers included."""

    def compiling(self, cpu_s: float) -> None:
        """Just-in-time compilers are at work; CPU time that they have had since the start."""

    def finished(self, case: Case, record: ForkRecord) -> None:
        """A fork has ended, well or not."""

    def left_out(self, case: Case, fork: int) -> None:
        """A fork that was planned is not measured."""


class NullObserver:
    """An observer that does not look."""

    def phase(self, case: Case, fork: int, name: str) -> None:
        """Nothing."""

    def part(self, ratio: float) -> None:
        """Nothing."""

    def rate(self, throughput_rps: float) -> None:
        """Nothing."""

    def compiling(self, cpu_s: float) -> None:
        """Nothing."""

    def finished(self, case: Case, record: ForkRecord) -> None:
        """Nothing."""

    def left_out(self, case: Case, fork: int) -> None:
        """Nothing."""


class Sampling(Protocol):
    """A server that is sampled. Both raise `CaseError`."""

    def stop(self) -> None:
        """End it."""

    def trees(self) -> dict[ProfiledEvent, StackTree]:
        """What was sampled until then."""


class Sampler(Protocol):
    """Samples what a running server spends its CPU time on, and of a JVM what it allocates."""

    def start(self, testbed: Testbed, server: ServerProcess, folder: Path) -> Sampling:
        """Begin. Raises `CaseError`."""


@dataclass(frozen=True)
class Testbed:
    """The set-up of a run."""

    root: Path
    raw: Path
    java: Path
    wrk: Path
    shell: Shell
    cpus: CpuPartition
    upstream: Upstream | None = None
    database: Database | None = None
    services: tuple[RunningService, ...] = ()
    """What the servers need beside them, and nothing of springbench's own."""
    oha: Path | None = None
    """The load generator at a constant rate; None where nothing asks for it, or it is not here."""
    h2load: Path = Path("h2load")
    """The load generator over HTTP/2."""
    key_store: KeyStore | None = None
    """What servers prove who they are with; None where nothing is encrypted."""
    jars: Path | None = None
    port: int | None = None
    memory_limit: MemoryLimit = field(default_factory=lambda: not_enforced(MEMORY_LIMIT_BYTES))
    other_memory_limits: Mapping[Resources, MemoryLimit] = field(default_factory=dict)
    """Of the variants that name what they are held to."""
    observer: Observer = field(default_factory=NullObserver)
    samplers: Mapping[bool, Sampler] = field(default_factory=dict)
    """What looks into the servers of a comparison: into JVMs, and into those that are none; without
    those that are not here, or that nothing asks for."""
    prepared: Mapping[str, Path] = field(default_factory=dict)
    """By variant id: the folder with what its runtime made of the artifact."""
    builds: Mapping[str, BuildRecord] = field(default_factory=dict)
    """By variant id: what is started, and what making it took."""
    java_major: int | None = None
    """Release of the JDK, where it is known."""
    jdks: Mapping[str, Jdk] = field(default_factory=dict)
    """By release: those that variants name."""
    load_host: LoadHost | None = None
    """Another host that the load comes from; None for this one."""
    helpers: tuple[int, ...] = ()
    """Processes of the harness's own beside itself, as ssh."""

    @property
    def java_home(self) -> Path | None:
        """The folder of the JDK; None where there is none."""
        return self.java.parent.parent if self.java.is_absolute() else None

    @property
    def load(self) -> LoadHost:
        """Whence the load comes."""
        return self.load_host or SameHost(self.shell, str(self.wrk), self.cpus.load)

    def closed_loop(self, protocol: HttpProtocol = HTTP1) -> LoadGenerator[LoadSummary]:
        """The generator whose connections ask again as soon as they are answered."""
        return Wrk() if protocol.generator == "wrk" else H2load(self.h2load, protocol)

    def open_loop(
        self, protocol: HttpProtocol = HTTP1, certificate: Path | None = None
    ) -> LoadGenerator[Answered] | None:
        """The generator at a constant rate; None where it is not here."""
        return Oha(self.oha, protocol, certificate) if self.oha else None

    def certificate(self, variant: Variant) -> Path | None:
        """What a server answers with over TLS: its own, or that of the key that it is given."""
        if variant.server.certificate:
            return Path(variant.server.certificate)
        return self.key_store.certificate if self.key_store else None

    def memory_limit_of(self, variant: Variant) -> MemoryLimit:
        """Its own, or that of all."""
        if variant.resources == Resources():
            return self.memory_limit
        return self.other_memory_limits[variant.resources]

    def for_variant(self, variant: Variant) -> Testbed:
        """The same with the CPUs that this variant is held to, and the JDK that it names."""
        jdk = self.jdks.get(variant.settings.jdk or "")
        return replace(
            self,
            cpus=self.cpus.held(variant.whole_cpus, variant.cpu_quota),
            java=jdk.java if jdk else self.java,
            java_major=jdk.major if jdk else self.java_major,
        )

    @property
    def is_alone(self) -> bool:
        """Whether nothing else has a part in it: a database, or what a service needs beside it.

        The CPU time of these is not known: containers, say, are no children of who starts them.
        """
        return self.database is None and not self.services

    def artifact(self, variant: Variant) -> Path:
        """The file that is started, as `artifact_of` finds it."""
        return artifact_of(variant, self.root, self.jars)

    def raw_folder(self, case: Case, fork: int) -> Path:
        """Folder of this fork's raw output; made when missing."""
        folder = self.raw / case.id / f"fork-{fork}"
        folder.mkdir(parents=True, exist_ok=True)
        return folder


# --- The file that is started: where it lies, and which of several files a glob means -------------


def artifact_of(variant: Variant, root: Path, jars: Path | None) -> Path:
    """The file in its module's folder, or by name in the folder of `--jars`.

    What nothing builds may lie where it is beside that folder. Raises `ConfigurationError` where
    a glob means several files; one that means none stays as it is.
    """
    module_folder = root / variant.module
    if jars is None:
        return matching_file(module_folder, variant.artifact)
    prebuilt = matching_file(jars, Path(variant.artifact).name)
    if variant.server.built_by == "nothing" and not prebuilt.is_file():
        return matching_file(module_folder, variant.artifact)
    return prebuilt


def matching_file(folder: Path, name: str) -> Path:
    """The file that a path or a glob means in a folder. Raises `ConfigurationError` where it means
    several; one that means none stays as it is."""
    exact = folder / name
    if exact.is_file() or not is_glob(name):
        return exact
    # Path.glob takes no pattern of an absolute path
    names = glob(name, root_dir=folder, recursive=True)  # noqa: PTH207
    found = sorted(names)
    if len(found) > 1:
        # next to the jar that runs, a build leaves some that cannot: sources, stubs, plain classes
        found = [path for path in found if is_runnable(folder / path)] or found
    if len(found) > 1:
        raise ConfigurationError(
            f"{exact}: several files are meant by it: {', '.join(found)}; name one, or remove "
            "those of older builds"
        )
    return folder / found[0] if found else exact
