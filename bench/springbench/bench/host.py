"""The host of a measurement: its facts, its CPUs, its memory limit, and warnings about it."""

from __future__ import annotations

import os
import sys
from collections.abc import Collection, Iterator, Mapping
from dataclasses import asdict, dataclass, field, replace

from springbench.bench.load_host import RemoteLoadHost
from springbench.github.step import on_hosted_runner
from springbench.host.cpus import (
    CpuPartition,
    beside_another_host,
    given_partition,
    partition,
    usable_kinds,
)
from springbench.host.facts.facts import (
    HostFacts,
    Limits,
    LoadFrom,
    fingerprint,
    host_class,
    host_facts,
)
from springbench.host.memory_limit.choose import (
    MemoryLimit,
    choose_memory_limit,
)
from springbench.host.shell import Shell
from springbench.host.tools.find import Jdk
from springbench.limits import MEMORY_LIMIT_BYTES
from springbench.results.run import Caution, HostInfo, LimitsInfo


@dataclass(frozen=True)
class Host:
    """Facts that a run needs of its host, read before the harness pins itself."""

    facts: HostFacts
    cpus: CpuPartition
    memory_limit: MemoryLimit
    load_host: RemoteLoadHost | None = None
    """The host that the load comes from, where it is another one."""
    other_memory_limits: Mapping[int, MemoryLimit] = field(default_factory=dict)
    """By their bytes: of the variants that name a limit of their own."""

    @classmethod
    def read(
        cls,
        shell: Shell,
        cpus: str | None = None,
        memory_bytes: int | None = None,
        load_host: RemoteLoadHost | None = None,
        ladder_bytes: Collection[int] = (),
    ) -> Host:
        """The host; `cpus` is a person's own partition, as in `2-3:1:0`; `ladder_bytes` are the
        memory limits that variants name."""
        return cls(
            facts=host_facts(shell),
            cpus=_partition(cpus, load_host),
            memory_limit=choose_memory_limit(memory_bytes or MEMORY_LIMIT_BYTES, shell),
            load_host=load_host,
            other_memory_limits={
                size_bytes: choose_memory_limit(size_bytes, shell)
                for size_bytes in sorted(ladder_bytes)
            },
        )

    def pin_harness(self) -> None:
        """Keep the harness itself off the server's CPUs."""
        others = self.cpus.load | self.cpus.upstream
        if others:
            os.sched_setaffinity(0, others)

    def info(self, jdk: Jdk) -> HostInfo:
        """The part of `run.json`."""
        facts, cpus = self.facts, self.cpus
        limit_bytes = self.memory_limit.limit_bytes
        # a limit that only the JVM keeps to is not the same as one that the kernel enforces
        held_bytes = limit_bytes if self.memory_limit.enforced else None
        limits = Limits(len(cpus.server) or None, held_bytes)
        there = self.load_host.info() if self.load_host else None
        load_from = LoadFrom(there.cpu_model, len(there.load_cpus)) if there else None
        shared = HostInfo.model_fields.keys() & asdict(facts).keys()
        return HostInfo.model_validate(
            {
                **{name: value for name, value in asdict(facts).items() if name in shared},
                "fingerprint": fingerprint(
                    facts, jdk_version=jdk.version, limits=limits, load_from=load_from
                ),
                "class": host_class(facts, jdk_major=jdk.major, limits=limits, load_from=load_from),
                "limits": LimitsInfo(
                    server_cpus=sorted(cpus.server),
                    load_cpus=sorted(cpus.load),
                    upstream_cpus=sorted(cpus.upstream),
                    cpus_enforced_by="sched_setaffinity" if cpus.server else "nothing",
                    memory_limit_bytes=limit_bytes,
                    memory_enforced_by=self.memory_limit.how,
                ).model_dump(),
                "load_host": there.model_dump() if there else None,
            }
        )

    def warnings(self) -> Iterator[Caution]:
        """Warnings about this host for the reader of a result."""
        if short := self.memory_limit.warning:
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
        if roles := self.cpus.of_several_kinds(self.facts.core_kinds):
            yield Caution(
                code="core-kinds",
                message=f"the CPUs of {' and '.join(roles)} are of several kinds: threads run at "
                "several speeds, and where each runs is the kernel's choice",
                remedy="give --cpus of one kind each; `springbench doctor` names them",
            )


def _partition(cpus: str | None, load_host: RemoteLoadHost | None) -> CpuPartition:
    there = load_host.load_cpus if load_host else 0
    if cpus:
        own = given_partition(cpus, frozenset(os.sched_getaffinity(0)))
        return replace(own, load_there=there)
    kinds = usable_kinds()
    return beside_another_host(kinds, there) if load_host else partition(kinds)
