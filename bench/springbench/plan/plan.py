"""The ordered list of cases that a profile and its filters select. Pure."""

from __future__ import annotations

import difflib
import hashlib
from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from fnmatch import fnmatchcase
from functools import cached_property
from itertools import product

from springbench.errors import ConfigurationError
from springbench.limits import Resources
from springbench.matrix.profiles import CapacityPercent, Load, Profile, Weekday
from springbench.matrix.rows import Matrix
from springbench.matrix.servers import HTTP1, HttpProtocol, Server
from springbench.matrix.service_name import one_service
from springbench.matrix.settings import combinations
from springbench.matrix.workloads import Cap, DatabaseTable, Workload
from springbench.plan.cases import INTERLEAVED, SETTLING, START, Case, Variant, every_variant
from springbench.plan.countdown import Step

# a window of fewer delays holds too few waves of answers to tell a rate from
MIN_DELAYS = 3


@dataclass(frozen=True)
class Filters:
    """Choice of a person out of a profile, on the command line."""

    only: tuple[str, ...] = ()
    connections: tuple[int, ...] = ()
    forks: int | None = None
    window_s: float | None = None
    rates: tuple[CapacityPercent, ...] = ()

    def keeps(self, case_id: str) -> bool:
        """Whether one of the globs matches it; all are kept where there is none."""
        return not self.only or any(fnmatchcase(case_id, glob) for glob in self.only)


@dataclass(frozen=True)
class Plan:
    """Cases in the order in which they are measured."""

    profile: str
    cases: tuple[Case, ...]
    filters: Filters = field(default=Filters())
    budget_s: float = 600.0
    limit_s: float | None = None
    """When a round after the first must be over; None where a person chose how much to measure."""

    @property
    def interleaved(self) -> bool:
        """Whether the variants of a round are up at once, and their loads interleaved."""
        return any(case.interleaved for case in self.cases)

    @property
    def service(self) -> str | None:
        """The service that all cases are of; None for servers of Spring Boot."""
        return one_service(case.id for case in self.cases)

    @property
    def estimate_s(self) -> float:
        """Expected time of all forks, where nothing is slow."""
        return sum(self.cost_s(fork, case) for fork, case in self.rounds())

    @property
    def ceiling_s(self) -> float:
        """The same where all compilers take as long as they may."""
        extra_s = sum(
            case.forks * (case.fork_ceiling_s - case.fork_estimate_s) for case in self.cases
        )
        return self.estimate_s + extra_s

    def cost_s(self, fork: int, case: Case) -> float:
        """Expected time of one fork of a case; less where another case has started its process."""
        return sum(self.phases_s(fork, case).values())

    def phases_s(self, fork: int, case: Case) -> dict[str, float]:
        """The same of each of its phases."""
        if not (case.interleaved or case.shares_process):
            return case.fork_phases_s
        return case.round_phases_s(starts=(fork, case.id) in self._starts)

    @cached_property
    def _starts(self) -> frozenset[tuple[int, str]]:
        """Of each round the cases that start a process: others of its group find it running."""
        rounds = range(max((case.forks for case in self.cases), default=0))
        return frozenset((fork, group[0].id) for fork in rounds for group in self.processes(fork))

    def steps(self) -> dict[Hashable, Step]:
        """The phases of all forks by their `step_key`, each of the forks that go through it."""
        steps: dict[Hashable, Step] = {}
        for fork, case in self.rounds():
            for phase, planned_s in self.phases_s(fork, case).items():
                key = step_key(case, fork, phase)
                before = steps.get(key, Step("", 0.0))
                # servers start alike, whatever is asked of them later
                kind = phase if phase == START else f"{phase} {case.workload.id}"
                parts = (*before.parts, (case.id, fork))
                steps[key] = Step(kind, before.planned_s + planned_s, parts)
        return steps

    def processes(self, fork: int) -> list[list[Case]]:
        """The cases of a round, those together that one process can answer."""
        groups: dict[Hashable, list[Case]] = {}
        for case in self.cases:
            if fork < case.forks:
                groups.setdefault(case.process, []).append(case)
        return list(groups.values())

    @property
    def resources(self) -> frozenset[Resources]:
        """What variants are held to that name it themselves, here or when their caches are made."""
        variants = [variant for c in self.cases for variant in (c.variant, c.variant.prepared_as)]
        return frozenset(variant.resources for variant in variants) - {Resources()}

    @property
    def jdks(self) -> frozenset[str]:
        """Releases that variants name."""
        named = {case.variant.settings.jdk for case in self.cases}
        return frozenset(release for release in named if release)

    @property
    def digest(self) -> str:
        """The same for the same cases measured in the same way."""
        parts = [
            f"{c.id} {c.forks} {c.warmup_min_s:g} {c.warmup_max_s:g} {c.window_s:g}"
            f" {' '.join(c.java_options)}"
            + (f" {c.database.rows} {c.database.pool_size}" if c.database else "")
            + (f" cold {c.cold_s}" if c.cold_s else "")
            + (" heap" if c.heap_now else "")
            + f" compiling {c.compiling_max_s:g}"
            + (f" ids {c.workload.ids}" if c.workload.ids is not None else "")
            + (f" {sorted(c.workload.properties.items())}" if c.workload.properties else "")
            + (f" rates {' '.join(map(str, c.rates))} {c.rate_window_s:g}" if c.rates else "")
            + (f" begin over {c.begin_over_s:g}" if c.begin_over_s else "")
            + (f" asks {c.identity}" if c.identity else "")
            for c in self.cases
        ]
        shared = any(case.shares_process for case in self.cases)
        how = ["interleaved"] if self.interleaved else ["shared"] if shared else []
        return hashlib.sha256("\n".join([self.profile, *how, *parts]).encode()).hexdigest()[:16]

    def rounds(self) -> Iterator[tuple[int, Case]]:
        """Forks in the order of measuring: each case once, then each again.

        Forks of one case lie far apart in time, so that a slow minute of the host spoils
        one fork of many cases and not every fork of one.
        """
        for fork in range(max((case.forks for case in self.cases), default=0)):
            for case in self.cases:
                if fork < case.forks:
                    yield fork, case

    def by_variant(self) -> dict[str, list[Case]]:
        """The cases of each variant, by its id, in order."""
        groups: dict[str, list[Case]] = {}
        for case in self.cases:
            groups.setdefault(case.variant.id, []).append(case)
        return groups

    def needs(self, what: str) -> bool:
        """Whether any case needs that service."""
        return any(what in case.workload.services for case in self.cases)

    @property
    def has_rates(self) -> bool:
        """Whether any case is loaded at a constant rate too."""
        return any(case.rates for case in self.cases)

    @property
    def needs_java(self) -> bool:
        """Whether any case is started, made or served by a program in Java."""
        return any(case.variant.runtime.needs_java or case.workload.needs for case in self.cases)

    @property
    def is_of_a_service(self) -> bool:
        """Whether nothing of it is springbench's own: whoever calls brings what is started."""
        return not self.modules

    @property
    def modules(self) -> tuple[str, ...]:
        """The Maven modules that the cases need, each once."""
        built = [case.variant for case in self.cases if case.variant.server.built_by == "maven"]
        return tuple(dict.fromkeys(variant.module for variant in built))


def step_key(case: Case, fork: int, phase: str) -> Hashable:
    """The name of a step; interleaved servers go through one together."""
    return (fork, case.stage if phase in (SETTLING, INTERLEAVED) else case.id, phase)


def make_plan(
    matrix: Matrix,
    profile_id: str,
    filters: Filters | None = None,
    weekday: Weekday | None = None,
) -> Plan:
    """The plan of a profile, with a `weekday` without the loads of other days.

    Raises `ConfigurationError` where it would be empty.
    """
    filters = filters or Filters()
    profile = _profile(matrix, profile_id)
    loads = [load for load in profile.loads if _is_due(load, weekday)]
    cases = {case.id: case for load in loads for case in _cases(matrix, profile, load, filters)}
    # ordered first, so that a filter changes which cases there are and not their order
    ordered = _grouped(list(cases.values()))
    chosen = [case for case in ordered if filters.keeps(case.id)]
    if not chosen:
        raise ConfigurationError(_nothing_matches(profile_id, filters.only, list(cases)))
    if short_cases := [
        case for case in chosen if case.window_s < MIN_DELAYS * case.workload.delay_s
    ]:
        raise ConfigurationError(_too_short(short_cases[0]))
    # the first load of a process is not shared with others
    is_cold = any(case.cold_s for case in chosen)
    interleaved = profile.interleaved and not is_cold and _can_be_interleaved(chosen)
    if interleaved and (crowd := _too_many_connections(profile_id, chosen)):
        raise ConfigurationError(crowd)
    stages = _stages(chosen) if interleaved else {}
    cases_ = tuple(
        replace(
            case,
            interleaved=interleaved,
            shares_process=profile.share_processes
            and not (is_cold or any(case.rates for case in chosen)),
            stage_of=stages.get(case.load),
        )
        for case in chosen
    )
    is_own = filters.forks is not None or filters.window_s is not None
    return Plan(profile_id, cases_, filters, profile.budget_s, None if is_own else profile.limit_s)


def _too_many_connections(profile_id: str, cases: Sequence[Case]) -> str:
    """What is said where servers that are up at once want more of the database than it lets in."""
    processes = {case.process: case.database for case in cases if case.database is not None}
    connections = sum(table.pool_size for table in processes.values())
    allowed = min((table.connections for table in processes.values()), default=0)
    if connections <= allowed:
        return ""
    return (
        f"profile {profile_id}: {len(processes)} servers are up at once and open {connections} "
        f"connections to the database, which lets in {allowed}: choose fewer with --only, or give "
        "[database] a smaller pool_size or a larger max_connections"
    )


def _is_due(load: Load, weekday: Weekday | None) -> bool:
    return weekday is None or load.weekday in (None, weekday)


def _can_be_interleaved(cases: Sequence[Case]) -> bool:
    """Whether there are several to be distinguished."""
    return len({case.process for case in cases if case.can_pause}) > 1


def _stages(cases: Sequence[Case]) -> dict[tuple[str, int], tuple[str, int]]:
    """By load, the first of those that it is interleaved with: as many as no process has two of.

    What a protocol costs is then measured as what a server costs: side by side. A process goes
    through its loads in their order.
    """
    by_load: dict[tuple[str, int], list[Case]] = {}
    for case in cases:
        by_load.setdefault(case.load, []).append(case)
    stages: dict[tuple[str, int], set[Hashable]] = {}
    found = {}
    for load, having in by_load.items():
        processes = {case.process for case in having}
        met = [at for at, taken in enumerate(stages.values()) if taken & processes]
        later = list(stages)[max(met, default=-1) + 1 :]
        pausable = all(case.can_pause for case in having)
        joined = [stage for stage in later if pausable and by_load[stage][0].can_pause]
        found[load] = joined[0] if joined else load
        stages.setdefault(found[load], set()).update(processes)
    return found


def _too_short(case: Case) -> str:
    delay_s = case.workload.delay_s
    # a service has no profiles of its own
    option = (
        "--duration" if case.variant.is_of_service else "--duration, or window_s of the profile"
    )
    return (
        f"{option}: {case.window_s:g} s is too short for {case.id}, "
        f"whose answers take {delay_s:g} s; allowed: {MIN_DELAYS * delay_s:g} s and more"
    )


def _profile(matrix: Matrix, profile_id: str) -> Profile:
    for profile in matrix.profiles:
        if profile.id == profile_id:
            return profile
    known = ", ".join(profile.id for profile in matrix.profiles)
    raise ConfigurationError(f"--profile {profile_id!r}: no such profile; allowed: {known}")


def _cases(matrix: Matrix, profile: Profile, load: Load, filters: Filters) -> Iterator[Case]:
    for variant, protocol in product(_variants(matrix, load), _protocols(matrix, load)):
        mix = _mix(matrix, load.workload, variant)
        if not mix or not protocol.is_of(variant.server.id, variant.runtime.id):
            continue
        if any(row.id == load.workload for row in matrix.mixes):
            workload = _as_one(matrix, load, mix)
        else:
            workload, mix = mix[0][0], ()
        workload = workload.over(protocol)
        for connections in filters.connections or load.connections:
            case = Case(
                variant=variant,
                workload=workload,
                connections=connections,
                forks=load.forks,
                warmup_min_s=load.warmup_min_s,
                warmup_max_s=load.warmup_max_s,
                window_s=load.window_s,
                bursts=load.bursts,
                java_options=profile.java_options,
                cap=_cap(matrix.caps, variant),
                cache=_cap(matrix.caches, variant),
                database=_database(matrix, variant) if "database" in workload.needs else None,
                cold_s=load.cold_s,
                compiling_max_s=load.compiling_max_s,
                compiling_s=load.compiling_s,
                heap_now=load.heap_now,
                rates=filters.rates or load.rates,
                rate_window_s=load.rate_window_s,
                begin=profile.begin,
                mix=mix,
            )
            yield replace(
                case,
                forks=filters.forks or case.forks,
                window_s=filters.window_s or case.window_s,
            )


def _protocols(matrix: Matrix, load: Load) -> list[HttpProtocol]:
    rows = {row.id: row for row in matrix.protocols}
    return [rows.get(name, HTTP1) for name in load.protocols]


Weighted = tuple[tuple[Workload, int], ...]


def _mix(matrix: Matrix, name: str, variant: Variant) -> Weighted:
    """The workloads of a load, each with its weight, as this variant has them; none where it has
    not all of them."""
    mix = next((row for row in matrix.mixes if row.id == name), None)
    weights = mix.workloads if mix else {name: 1}
    found = []
    for workload in matrix.workloads:
        if not weights.get(workload.id):
            continue
        server_workload = _on_its_routes(workload.of_server(variant.server.id), variant.server)
        if server_workload is None or not server_workload.applies_to(
            variant.server.id, variant.runtime.id
        ):
            return ()
        found.append((mix.part(server_workload) if mix else server_workload, weights[workload.id]))
    return tuple(found)


def _as_one(matrix: Matrix, load: Load, mix: Weighted) -> Workload:
    """What stands for a mix: its name, what any of it needs, and its mean delay."""
    row = next(row for row in matrix.mixes if row.id == load.workload)
    first, total = mix[0][0], sum(weight for _, weight in mix)
    delay_ms = sum((workload.delay_ms or 0.0) * weight for workload, weight in mix) / total
    properties = {key: value for workload, _ in mix for key, value in workload.properties.items()}
    return Workload(
        id=row.id,
        route=first.route,
        question=row.question,
        delay_ms=delay_ms or None,
        needs=tuple(dict.fromkeys(need for workload, _ in mix for need in workload.needs)),
        properties=properties,
        login=first.login,
    )


def _on_its_routes(workload: Workload, server: Server) -> Workload | None:
    """The workload as this server has it; None where it has not."""
    if not server.routes:
        return workload
    route = server.routes.get(workload.id)
    if route is None:
        return None
    return workload.model_copy(update={"route": route, "warmup_route": None})


def _variants(matrix: Matrix, load: Load) -> Iterator[Variant]:
    for variant in every_variant(matrix):
        if (
            (not load.servers or variant.server.id in load.servers)
            and variant.boot in _boots(matrix, load, variant.server)
            and (not load.models or variant.model.id in load.models)
            and (not load.runtimes or variant.runtime.id in load.runtimes)
        ):
            for settings in combinations(load, matrix.usual_settings):
                # no other program has a JDK
                jdk = settings.jdk if variant.runtime.starts_java else None
                yield replace(variant, settings=settings._replace(jdk=jdk))


def _database(matrix: Matrix, variant: Variant) -> DatabaseTable | None:
    """The table, with the pool through which this variant reads it."""
    size, table = variant.settings.pool_size, matrix.database
    return table.model_copy(update={"pool_size": int(size)}) if table and size else table


def _boots(matrix: Matrix, load: Load, server: Server) -> list[str]:
    had = [boot.id for boot in matrix.boots if boot.id in server.boots]
    if load.boots == "newest":
        return had[:1]
    return had if load.boots == "all" else [boot for boot in had if boot in load.boots]


def _cap(caps: Iterable[Cap], variant: Variant) -> Cap | None:
    server, model = variant.server.id, variant.model.id
    return next((cap for cap in caps if cap.server == server and model in cap.models), None)


def _grouped(cases: Sequence[Case]) -> list[Case]:
    """Cases of one workload together, in the order in which the workloads first appear."""
    order = list(dict.fromkeys(case.workload.id for case in cases))
    return sorted(cases, key=lambda case: order.index(case.workload.id))


def _nothing_matches(profile_id: str, globs: Sequence[str], ids: list[str]) -> str:
    if not globs:
        return (
            f"profile {profile_id!r} selects no case: its loads ask for combinations of boots, "
            "servers, models and runtimes that no server of matrix.toml has"
        )
    near = list(
        dict.fromkeys(
            match for glob in globs for match in difflib.get_close_matches(glob, ids, 3, 0.0)
        )
    )
    return (
        f"--only {' '.join(map(repr, globs))}: no case of profile {profile_id!r} matches; "
        f"nearest: {', '.join(near)}. `springbench plan --profile {profile_id}` lists them all"
    )
