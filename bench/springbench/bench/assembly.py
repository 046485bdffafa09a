"""`open_bench`: the one place that assembles what servers are measured on.

A run, a comparison, a profile, the self-check and the evaluations say what they measure
(`BenchOptions`); the steps and their order are the same for all of them.
"""

from __future__ import annotations

import logging
import os
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Literal

import psutil

from springbench import units
from springbench.bench.environment import cautions, check_requests
from springbench.bench.host import Host
from springbench.bench.load_host import connect
from springbench.bench.profilers import find_samplers
from springbench.bench.services import (
    Services,
    check_seed_option,
    check_upstream,
    needed_services,
    service_modules,
    start_declared_services,
)
from springbench.bench.tools import Tools, find_tools, jdk_cautions, with_oha
from springbench.build.availability import missing_images, too_old, unavailable
from springbench.build.jars import artifacts, find_jars, missing_jars, upstream_jar
from springbench.build.maven import build, source_digest
from springbench.build.prepared import PreparationContext, with_prepared
from springbench.errors import BuildError, ConfigurationError, HostError
from springbench.host import git
from springbench.host.cpus import affinity_restored
from springbench.host.facts.kernel_limits import (
    accept_queue,
    files_needed,
    port_range,
    raise_file_limit,
)
from springbench.host.ports import free_port
from springbench.host.shell import Shell
from springbench.host.tools.find import NO_JDK, find_h2load
from springbench.host.tools.search import tools_dir
from springbench.measure.interleave import can_interleave
from springbench.measure.pair import is_sampled
from springbench.measure.server.key_store import KeyStore, provide_key_store
from springbench.measure.services.declared import RunningService
from springbench.measure.testbed import Sampler, Testbed, artifact_of
from springbench.paths import IN_CLONE, ROOT
from springbench.plan.plan import Plan
from springbench.results.run import Caution

logger = logging.getLogger(__name__)

BuildCache = dict[tuple[str, ...], Path]
"""By digest of the sources and modules: the folder in which they have been built."""


@dataclass(frozen=True)
class Side:
    """What is started, and where its artifacts are: a run has one side, a comparison two."""

    plan: Plan
    root: Path = ROOT
    jars: Path | None = None
    commit: str | None = None
    """It is built in a work tree of its own."""
    is_built: bool = False
    label: str = ""


@dataclass(frozen=True)
class BenchOptions:
    """What is to be measured, and with what."""

    plan: Plan
    sides: tuple[Side, ...] = ()
    """Without any: the plan itself, from `jars` or built here."""
    jars: Path | None = None
    """A folder with built jars, the services' among them."""
    port: int | None = None
    cpus: str | None = None
    memory_bytes: int | None = None
    load_host: str | None = None
    """USER@HOST that the load comes from."""
    seed_database: bool = False
    keep_going: bool = False
    """A case whose jar is missing fails; the others are measured."""
    partial: bool = False
    """Cases that this host cannot run, or that cannot be prepared, are left out; else each of
    them ends everything."""
    canary: Literal["no", "possible", "required"] = "no"
    """Whether the slow upstream is built, although no case needs it: it is the known target."""
    connections: int = 1
    """Of the largest load, where no case says it."""
    samples: bool = False
    """Whether JVMs are looked into while they are loaded."""
    built: BuildCache = field(default_factory=dict)
    """Carries what was built over to the next bench."""

    @property
    def all_sides(self) -> tuple[Side, ...]:
        """At least one."""
        is_built = self.jars is not None or not self.plan.modules
        return self.sides or (Side(self.plan, jars=self.jars, is_built=is_built),)

    @property
    def most_connections(self) -> int:
        """Of the largest load."""
        return max((case.connections for case in self.plan.cases), default=self.connections)

    @property
    def builds_services(self) -> bool:
        """Whether the services' jars must be built."""
        required = self.canary == "required" or bool(needed_services(self.plan))
        return required and self.jars is None


@dataclass(frozen=True)
class Bench:
    """A host with its tools, on which everything is ready but the services of springbench's own."""

    plan: Plan
    """What is left to measure."""
    tools: Tools
    host: Host
    warnings: tuple[Caution, ...]
    skipped: Mapping[str, str]
    """By case: why this host cannot run it."""
    failed: Mapping[str, str]
    """By case: why it could not be built or prepared."""
    target_jar: Path | None
    """Of the target of known throughput, where it is there and a JDK too."""
    _options: BenchOptions
    _prepared: tuple[Testbed, ...]
    _stack: ExitStack

    def start(self, raw: Path) -> tuple[Testbed, ...]:
        """Start database and slow upstream; the testbed of each side, which can measure.

        `raw` is where raw output goes. It is the last step: from here on this process keeps off
        the server's CPUs, and what can be wrong with the host or a build has been found.
        """
        self.host.pin_harness()
        shell = self._prepared[0].shell
        services = Services(
            self._stack, self.plan, self.tools, shell, self.host, raw, self._options.jars
        )
        data = services.start_database(seed_existing=self._options.seed_database)
        running = services.start_upstream()
        return tuple(
            replace(testbed, raw=raw, database=data, upstream=running) for testbed in self._prepared
        )


@contextmanager
def open_bench(options: BenchOptions, shell: Shell) -> Iterator[Bench]:
    """All that measuring takes, for as long as the block lasts. The harness' CPUs are restored.

    Raises `ConfigurationError`, `HostError` and `BuildError` before anything is measured.
    """
    _check(options)
    tools, tool_warnings = _find_tools(options, shell)
    samplers, sampler_warnings = _find_samplers(options, tools, shell)
    limit_warnings = list(check_limits(options.most_connections))
    absent = _unavailable(options, tools)
    sides = [_side_without(side, absent) for side in options.all_sides]
    sides = build_sides(options, sides, tools, shell)
    lost = _find_jars(options, sides)
    sides = [_side_without(side, lost) for side in sides]
    plan = _without(options.plan, {*absent, *lost})
    with ExitStack() as stack:
        stack.enter_context(affinity_restored())
        load_host = stack.enter_context(connect(options.load_host, plan, options.most_connections))
        # its CPUs are read before this process leaves some of them
        resources = plan.resources
        host = Host.read(shell, options.cpus, options.memory_bytes, load_host, resources)
        beyond = _beyond(options, sides, host, tools)
        sides = [_side_without(side, beyond) for side in sides]
        plan, absent = _without(plan, beyond), absent | beyond
        declared = stack.enter_context(start_declared_services(plan, shell, host))
        # training an AOT cache sends requests to the service, which needs what it needs
        prepared, broken = _prepare(options, sides, host, tools, shell, declared, samplers)
        plan = _without(plan, broken)
        interleaving: list[Caution] = []
        if not options.sides:
            limit_bytes = host.memory_limit.limit_bytes
            plan, interleaving = one_by_one_if_needed(plan, limit_bytes, options.port)
        images = _missing_images(options)
        yield Bench(
            plan=plan,
            tools=tools,
            host=host,
            warnings=(
                *limit_warnings,
                *cautions(options.plan),
                *tool_warnings,
                *sampler_warnings,
                *(load_host.warnings(plan) if load_host else ()),
                *interleaving,
            ),
            skipped={case: why for case, why in absent.items() if case not in images},
            failed={**lost, **images, **broken},
            target_jar=_target_jar(options, tools),
            _options=options,
            _prepared=prepared,
            _stack=stack,
        )


def _check(options: BenchOptions) -> None:
    """Raises `ConfigurationError` or `HostError` where options ask for what cannot be."""
    check_seed_option(options.seed_database)
    check_upstream(options.plan, options.jars)
    check_requests(options.plan)
    by_h2load = [case.id for case in options.plan.cases if case.protocol.generator == "h2load"]
    if options.load_host and by_h2load:
        raise ConfigurationError(
            f"--load-host: {by_h2load[0]} is loaded by h2load, whose answers are counted where the "
            "server runs; leave out --load-host, or these cases by --only"
        )
    if options.memory_bytes and any(resources.memory_bytes for resources in options.plan.resources):
        raise ConfigurationError(
            "--memory: the profile measures memory limits of its own; leave out --memory, or leave "
            "out these cases by --only"
        )
    free_port(options.port)


def _find_tools(options: BenchOptions, shell: Shell) -> tuple[Tools, list[Caution]]:
    plan, sides = options.plan, options.all_sides
    builds = options.builds_services or not all(side.is_built for side in sides)
    tools = find_tools(
        with_maven=builds,
        optional_maven=options.canary == "possible" and options.jars is None and IN_CLONE,
        with_java=builds or plan.needs_java or options.canary == "required",
        plan=plan if plan.cases else None,
        artifacts=[file for side in sides for file in artifacts(side.plan, side.jars, side.root)],
    )
    tools, without_oha = with_oha(tools, plan, shell)
    if any(case.protocol.generator == "h2load" for side in sides for case in side.plan.cases):
        tools = replace(tools, h2load=find_h2load())
    return tools, [*jdk_cautions(tools), *without_oha]


def _find_samplers(
    options: BenchOptions, tools: Tools, shell: Shell
) -> tuple[dict[bool, Sampler], list[Caution]]:
    """Profilers of JVMs, and of what is none, where a comparison has loads of them whose CPU is
    what bounds them."""
    cases = [case for side in options.all_sides for case in side.plan.cases]
    kinds = {case.variant.runtime.needs_java for case in cases if is_sampled(case)}
    return find_samplers(kinds, tools, shell) if options.samples else ({}, [])


def _unavailable(options: BenchOptions, tools: Tools) -> dict[str, str]:
    """By case: why this host cannot run it. Raises `HostError` where that ends everything."""
    absent: dict[str, str] = {}
    for side in options.all_sides:
        absent |= unavailable(side.plan, side.jars, tools.jdk, tools.jdks)
    _check_left(options, options.plan, absent)
    return absent


def _beyond(
    options: BenchOptions, sides: Sequence[Side], host: Host, tools: Tools
) -> dict[str, str]:
    """By case: why this host cannot hold it to the CPUs that it names, or the JDK that it names
    cannot start it. Raises as above."""
    beyond: dict[str, str] = {}
    for side in sides:
        for variant in (case.variant for case in side.plan.cases):
            jdk = tools.jdks.get(variant.settings.jdk or "")
            artifact = artifact_of(variant, side.root, side.jars) if jdk else Path()
            if why := host.shortfall(variant) or too_old(jdk, artifact):
                beyond |= {c.id: why for c in side.plan.cases if c.variant == variant}
    _check_left(options, sides[0].plan, beyond)
    return beyond


def _check_left(options: BenchOptions, plan: Plan, absent: Mapping[str, str]) -> None:
    """Raises `HostError` where cases are absent, and either all are or none may be."""
    left = any(case.id not in absent for case in plan.cases)
    if absent and not (options.partial and left):
        raise HostError("\n".join(dict.fromkeys(absent.values())))


def build_sides(
    options: BenchOptions, sides: Sequence[Side], tools: Tools, shell: Shell
) -> list[Side]:
    """The sides with their folders, built where that is to be done; the services too.

    A commit is built in a work tree of its own, kept for the next time; one whose sources are
    those of another is not built again.
    """
    maven, jdk = tools.maven, tools.harness_jdk
    if maven is None:
        return list(sides)
    with_services = options.builds_services or (options.canary != "no" and options.jars is None)
    services = service_modules(options.plan) if with_services else []
    built = []
    for side in sides:
        if side.is_built:
            built.append(side)
            continue
        root = work_tree(side.commit, shell) if side.commit else ROOT
        modules = side.plan.modules
        # the digest is of what Maven reads: another commit's own artifact may lie elsewhere
        has_own_artifacts = any(case.variant.server.built_by != "maven" for case in side.plan.cases)
        key = (str(root),) if has_own_artifacts else (source_digest(root), *modules)
        if key in options.built:
            logger.info(f"{side.label}: has the same sources, and is not built again")
        elif modules:
            if side.label:
                logger.info(f"{side.label}:")
            # Maven takes a while to start
            root_services, services = (services, []) if root == ROOT else ([], services)
            build([*modules, *root_services], jdk, maven, root, shell)
        built.append(replace(side, root=options.built.setdefault(key, root)))
    if services:
        build(services, jdk, maven, ROOT, shell)
    return built


def work_tree(commit: str, shell: Shell) -> Path:
    """The folder with the sources of a commit, checked out where it is not yet."""
    root = tools_dir(ROOT) / "worktrees" / commit[:12]
    git.check_out(commit, root, ROOT, shell)
    return root


def _find_jars(options: BenchOptions, sides: Sequence[Side]) -> dict[str, str]:
    """By case: why it has no jar. Raises `ConfigurationError` where that ends everything."""
    missing = missing_jars(sides[0].plan, options.jars) if options.keep_going else {}
    # where nothing is left there is nothing to go on with
    lost = missing if len(missing) < len(sides[0].plan.cases) else {}
    for side in sides:
        find_jars(_without(side.plan, lost), side.jars, side.root)
    if options.canary == "required" and not (jar := upstream_jar(options.jars)).is_file():
        raise ConfigurationError(f"--jars {options.jars}: not there: {jar.name}")
    return {case: _not_built(name) for case, name in lost.items()}


def _missing_images(options: BenchOptions) -> dict[str, str]:
    """By case: what was made elsewhere, as jars were, and is not there: no lack of this host."""
    if not (options.keep_going and options.jars):
        return {}
    missing = missing_images(options.plan, options.jars)
    return {case: _not_built(name) for case, name in missing.items()}


def _not_built(name: str) -> str:
    return f"{name} is not there: its build has failed"


def _prepare(
    options: BenchOptions,
    sides: Sequence[Side],
    host: Host,
    tools: Tools,
    shell: Shell,
    declared: tuple[RunningService, ...],
    samplers: Mapping[bool, Sampler],
) -> tuple[tuple[Testbed, ...], dict[str, str]]:
    """The testbed of each side, with what its variants need made; and by case why that failed.

    Raises `BuildError` where nothing is left.
    """
    failures: dict[str, str] | None = {} if options.partial else None
    context = PreparationContext(tools.jdk, tools.maven, failures=failures)
    load_host = host.load_host
    testbed = Testbed(
        root=ROOT,
        # until raw output has a folder
        raw=tools_dir(ROOT),
        java=tools.jdk.java,
        java_major=tools.jdk.major or None,
        jdks=tools.jdks,
        wrk=tools.wrk.path,
        oha=tools.oha.path if tools.oha else None,
        h2load=tools.h2load.path if tools.h2load else Path("h2load"),
        key_store=_key_store(sides, tools, shell),
        shell=shell,
        cpus=host.cpus,
        memory_limit=host.memory_limit,
        other_memory_limits=host.other_memory_limits,
        services=declared,
        samplers=samplers,
        port=options.port,
        load_host=load_host.other_host if load_host else None,
        helpers=(load_host.connection.pid,) if load_host else (),
    )
    testbeds = tuple(
        with_prepared(
            replace(testbed, root=side.root, jars=side.jars),
            [case.variant for case in side.plan.cases],
            context,
        )
        for side in sides
    )
    cases = [case for side in sides for case in side.plan.cases]
    broken = {case.id: why for case in cases if (why := (failures or {}).get(case.variant.id))}
    if broken and len(broken) == len(cases):
        raise BuildError("\n".join(dict.fromkeys(broken.values())))
    # what failed, and the line that says why; all of it has been reported
    return testbeds, {case: " ".join(why.splitlines()[:2]) for case, why in broken.items()}


def _key_store(sides: Sequence[Side], tools: Tools, shell: Shell) -> KeyStore | None:
    """The key of the servers over TLS that have none; None for none. Raises `HostError`."""
    cases = [case for side in sides for case in side.plan.cases if case.protocol.tls]
    if all(case.variant.server.certificate for case in cases):
        return None
    return provide_key_store(tools_dir(ROOT) / "tls", tools.harness_jdk.home, shell)


def _target_jar(options: BenchOptions, tools: Tools) -> Path | None:
    jar = upstream_jar(options.jars)
    return jar if tools.harness_jdk is not NO_JDK and jar.is_file() else None


def _side_without(side: Side, cases: Collection[str]) -> Side:
    return replace(side, plan=_without(side.plan, cases))


def _without(plan: Plan, cases: Collection[str]) -> Plan:
    return replace(plan, cases=tuple(case for case in plan.cases if case.id not in cases))


# --- What a host allows of a plan: its largest load, and all servers of it at once ----------------


# of the host's memory, for wrk, the harness and everything else
SPARE_BYTES = 1 << 30


def check_limits(connections: int) -> Iterator[Caution]:
    """Raise the limits as far as this process may; fail when the largest load cannot fit.

    Raises `HostError` before the first connection, not half-way through a load.
    """
    files = raise_file_limit(files_needed(connections))
    if not files.ok:
        raise HostError(
            f"{connections} connections need {files.required_files} open files, "
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


def one_by_one_if_needed(
    plan: Plan, memory_limit_bytes: int, port: int | None, available_bytes: int | None = None
) -> tuple[Plan, list[Caution]]:
    """The plan, its variants one after the other where they cannot be up at once, and why."""
    if not plan.interleaved:
        return plan, []
    if available_bytes is None:
        available_bytes = int(psutil.virtual_memory().available)
    rounds = [plan.processes(fork) for fork in range(plan.cases[0].forks)]
    servers = max(map(len, rounds))
    required_bytes = SPARE_BYTES + max(
        sum(group[0].variant.memory_bytes or memory_limit_bytes for group in groups)
        for groups in rounds
    )
    if port is not None:
        why = "--port names one port, and all servers would be up at once"
    elif not can_interleave(os.getpid()):
        why = "this host does not tell what a process did that was stopped"
    elif required_bytes > available_bytes:
        demand, available = units.apart(_mebibytes, required_bytes, available_bytes)
        why = f"{servers} servers up at once need {demand} of memory, and {available} are available"
    else:
        return plan, []
    caution = Caution(
        code="one-by-one",
        message=f"servers were measured one after the other, not interleaved: {why}; "
        "each met its own minute of the host",
    )
    alone = tuple(replace(case, interleaved=False) for case in plan.cases)
    return replace(plan, cases=alone), [caution]


def _mebibytes(value_bytes: float, digits: int) -> str:
    return f"{value_bytes / (1 << 20):,.{digits}f} MiB"
