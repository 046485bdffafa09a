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
    listed,
    partition,
    partition_from_option,
    partition_with_load_host,
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
from springbench.limits import MEMORY_LIMIT_BYTES, Resources
from springbench.plan.cases import Variant
from springbench.results.run import Caution, HostInfo, LimitsInfo


@dataclass(frozen=True)
class Host:
    """Facts that a run needs of its host, read before the harness pins itself."""

    facts: HostFacts
    cpus: CpuPartition
    memory_limit: MemoryLimit
    load_host: RemoteLoadHost | None = None
    """The host that the load comes from, where it is another one."""
    other_memory_limits: Mapping[Resources, MemoryLimit] = field(default_factory=dict)
    """Of the variants that name what they are held to."""

    @classmethod
    def read(
        cls,
        shell: Shell,
        cpus: str | None = None,
        memory_bytes: int | None = None,
        load_host: RemoteLoadHost | None = None,
        resources: Collection[Resources] = (),
    ) -> Host:
        """The host; `cpus` is a person's own partition, as in `2-3:1:0`; `resources` are what
        variants are held to that name it."""
        of_all_bytes = memory_bytes or MEMORY_LIMIT_BYTES
        return cls(
            facts=host_facts(shell),
            cpus=_partition(cpus, load_host),
            memory_limit=choose_memory_limit(of_all_bytes, shell),
            load_host=load_host,
            other_memory_limits={
                limits: choose_memory_limit(
                    limits.memory_bytes or of_all_bytes, shell, cpu_quota=limits.cpu_quota
                )
                for limits in sorted(resources, key=str)
            },
        )

    def shortfall(self, variant: Variant) -> str | None:
        """Why it cannot have here the CPUs that it names; None where it can, or names none."""
        cpus = variant.settings.cpus
        if cpus is None:
            return None
        quota, had = variant.cpu_quota, sorted(self.cpus.server)
        if not had:
            return f"cpus {cpus}: this host cannot pin a server to CPUs; measure on Linux"
        if (quota or variant.whole_cpus or 0) > len(had):
            return (
                f"cpus {cpus}: the server has {len(had)} here (CPU {listed(had)}), beside "
                "those of the load generator; measure on a host with more, or divide them by --cpus"
            )
        limit = self.other_memory_limits[variant.resources] if quota else self.memory_limit
        if quota and limit.warning:
            return (
                f"cpus {cpus}: a quota needs a control group with the cpu controller, "
                f"which cannot be made here: {limit.warning.remedy}"
            )
        return None

    def pin_harness(self) -> None:
        """Keep the harness itself off the server's CPUs."""
        harness_cpus = self.cpus.load | self.cpus.upstream
        if harness_cpus:
            os.sched_setaffinity(0, harness_cpus)

    def info(self, jdk: Jdk) -> HostInfo:
        """The part of `run.json`."""
        facts, cpus = self.facts, self.cpus
        limit_bytes = self.memory_limit.limit_bytes
        # a limit that only the JVM keeps to is not the same as one that the kernel enforces
        held_bytes = limit_bytes if self.memory_limit.enforced else None
        limits = Limits(len(cpus.server) or None, held_bytes)
        load_host = self.load_host.info() if self.load_host else None
        load_from = LoadFrom(load_host.cpu_model, len(load_host.load_cpus)) if load_host else None
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
                "load_host": load_host.model_dump() if load_host else None,
            }
        )

    def warnings(self) -> Iterator[Caution]:
        """Warnings about this host for the reader of a result."""
        if memory_warning := self.memory_limit.warning:
            yield Caution(
                code="memory-limit", message=memory_warning.message, remedy=memory_warning.remedy
            )
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
        if roles := self.cpus.roles_with_mixed_cores(self.facts.core_kinds):
            yield Caution(
                code="core-kinds",
                message=f"the CPUs of {' and '.join(roles)} are of several kinds: threads run at "
                "several speeds, and where each runs is the kernel's choice",
                remedy="give --cpus of one kind each; `springbench doctor` names them",
            )


def _partition(cpus: str | None, load_host: RemoteLoadHost | None) -> CpuPartition:
    load_host_cpus = load_host.load_cpus if load_host else 0
    if cpus:
        option_partition = partition_from_option(cpus, frozenset(os.sched_getaffinity(0)))
        return replace(option_partition, load_there=load_host_cpus)
    kinds = usable_kinds()
    return partition_with_load_host(kinds, load_host_cpus) if load_host else partition(kinds)
