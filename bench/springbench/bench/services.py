"""The services that servers need, started for a measurement."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

from springbench.bench.host import Host
from springbench.bench.load_host import RemoteLoadHost
from springbench.bench.tools import Tools
from springbench.build.jars import database_jar, upstream_jar
from springbench.errors import ConfigurationError
from springbench.host.environment import measured_environment, passed
from springbench.host.remote.shell import RemoteShell
from springbench.host.shell import Shell
from springbench.host.tools.search import tools_dir
from springbench.measure.services import database, declared, upstream
from springbench.measure.services import database_launcher as launcher
from springbench.paths import IN_CLONE, ROOT
from springbench.plan.plan import Plan

PASSWORD_FILE = "database-password"  # noqa: S105 - its name


@dataclass(frozen=True)
class Services:
    """Services, started on `stack`, which ends them. `raw` takes the logs."""

    stack: ExitStack
    plan: Plan
    tools: Tools
    shell: Shell
    host: Host
    raw: Path
    jars: Path | None

    def start_upstream(self) -> upstream.Upstream | None:
        """The slow upstream, on a CPU of its own where there is one."""
        if not self.plan.needs("upstream"):
            return None
        options = upstream_options(self.plan)
        if self.host.load_host:
            return self._start_upstream_on(self.host.load_host, options)
        return self.stack.enter_context(
            upstream.started(
                self.shell,
                self.tools.harness_jdk.java,
                upstream_jar(self.jars),
                self.raw / "upstream.log",
                self.host.cpus.upstream,
                options,
            )
        )

    def _start_upstream_on(
        self, load_host: RemoteLoadHost, options: tuple[str, ...]
    ) -> upstream.Upstream:
        """On the host that the load comes from, so that the server has this one for itself."""
        other_host, found = load_host.other_host, load_host.found
        port = load_host.connection.ask("free_port", address=found.address)["port"]
        return self.stack.enter_context(
            upstream.started(
                other_host.shell,
                Path(found.programs["java"] or "java"),
                Path(other_host.bring(upstream_jar(self.jars))),
                self.raw / "upstream.log",
                found.upstream_cpus,
                options,
                address=found.address,
                port=int(port),
            )
        )

    def start_database(self, *, seed_existing: bool = False) -> database.Database | None:
        """The database, on every CPU that is not the server's."""
        tables = [case.database for case in self.plan.cases if case.database]
        # the largest pool must fit into what the database lets in
        table = max(tables, key=lambda item: item.pool_size, default=None)
        if table is None:
            return None
        spec = launcher.DatabaseSpec(
            java=self.tools.harness_jdk.java,
            jar=database_jar(self.jars),
            data=tools_dir(ROOT) / "database",
            table=table,
            seed_existing=seed_existing,
        )
        if not launcher.is_given():
            if self.host.load_host:
                return self._start_database_on(self.host.load_host, spec)
            spec = replace(spec, reader=launcher.ReaderLogin.new(self._put_password))
        service_cpus = self.host.cpus.load | self.host.cpus.upstream
        return self.stack.enter_context(
            database.started(
                self.shell,
                spec,
                self.raw / "database.log",
                service_cpus,
                env=measured_environment(passed([launcher.URL_VARIABLE])),
            )
        )

    def _put_password(self, data: bytes) -> str:
        """Write it into a file that no other user can read and that is removed at the end."""
        folder = self.stack.enter_context(TemporaryDirectory(prefix="springbench-database-"))
        file = Path(folder) / PASSWORD_FILE
        file.touch(mode=0o600)
        file.write_bytes(data)
        return str(file)

    def _start_database_on(
        self, load_host: RemoteLoadHost, spec: launcher.DatabaseSpec
    ) -> database.Database:
        """On the load host, as the slow upstream is. Its table stays in that user's cache."""
        connection, found = load_host.connection, load_host.found
        host = launcher.DatabaseHost(
            address=found.address,
            port=int(connection.ask("free_port", address=found.address)["port"]),
            reader=found.server_address,
        )
        spec = replace(
            spec,
            java=Path(found.programs["java"] or "java"),
            jar=Path(load_host.other_host.bring(spec.jar)),
            data=Path(found.cache) / "database",
            reader=launcher.ReaderLogin.new(partial(connection.put, PASSWORD_FILE)),
            host=host,
        )
        shell = RemoteShell(connection, grace_s=database.STOP_GRACE_S)
        cpus = found.load_cpus | found.upstream_cpus
        return self.stack.enter_context(
            database.started(shell, spec, self.raw / "database.log", cpus)
        )


@contextmanager
def start_declared_services(
    plan: Plan, shell: Shell, host: Host
) -> Iterator[tuple[declared.RunningService, ...]]:
    """Start what the plan's servers need, on every CPU that is not the server's.

    Raises `HostError` for one that does not become ready.
    """
    services: list[declared.DeclaredService] = []
    for variant in (case.variant for case in plan.cases):
        folder = Path(variant.server.run_in or ROOT / variant.module)
        for spec in variant.server.services:
            if (service := declared.DeclaredService(spec, folder)) not in services:
                services.append(service)
    service_cpus = host.cpus.load | host.cpus.upstream
    with declared.all_started(services, shell, service_cpus) as running:
        yield running


def upstream_options(plan: Plan) -> tuple[str, ...]:
    """Options of the slow upstream; its default delays where no server has its own.

    Raises `ConfigurationError` where servers of one plan ask for different ones: there is one.
    """
    declared = (case.variant.server.slow_upstream for case in plan.cases)
    delays = sorted({slow_upstream.as_option() for slow_upstream in declared if slow_upstream})
    if len(delays) > 1:
        raise ConfigurationError(
            f"slow_upstream: one is started for a run, and its delays are {' and '.join(delays)}; "
            "give all servers the same, or run them apart with --only"
        )
    return tuple(f"--delay={delay}" for delay in delays)


def check_upstream(plan: Plan, jars: Path | None) -> None:
    """Raises `ConfigurationError` where there is no slow upstream, and nothing to build it from."""
    if plan.needs("upstream") and not IN_CLONE and not upstream_jar(jars).is_file():
        raise ConfigurationError(
            "slow_upstream: this springbench is a package, which holds no jar of it; use a clone, "
            "or start a stub of your own by [[services]]"
        )


def needed_services(plan: Plan) -> list[str]:
    """Those of springbench's own that any case needs."""
    return [name for name in ("upstream", "database") if plan.needs(name)]


def service_modules(plan: Plan) -> list[str]:
    """The Maven modules of the services; the canary drives the slow upstream in any run."""
    return [upstream.MODULE, *([database.MODULE] if plan.needs("database") else [])]


def check_seed_option(seed: bool) -> None:
    """Raises `ConfigurationError` where there is no server that could be written to."""
    if seed and not launcher.is_given():
        raise ConfigurationError(
            f"--seed-database writes to the server of {launcher.URL_VARIABLE}, which is not set; "
            "leave it out: a database of springbench's own is filled by itself"
        )
