"""What a service is: it is built with its own wrapper, started once, and asked."""

from __future__ import annotations

import os
import re
import shutil
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from springbench.errors import ConfigurationError, HostError
from springbench.host.environment import measured_environment
from springbench.host.ports import free_port
from springbench.host.shell import Shell
from springbench.host.tools.find import find_asked_jdk
from springbench.limits import MEMORY_LIMIT_BYTES
from springbench.matrix.service_name import MAX_LENGTH
from springbench.paths import is_glob
from springbench.project import openapi
from springbench.project.artifacts import Artifact, find_artifacts, pattern_of
from springbench.project.build_tool import find_build
from springbench.project.route_probes import Program, RouteProbe, choose_routes
from springbench.project.service_start import RunningService, start_service
from springbench.project.startup_log import LOG_PROPERTIES, Route

# a number may be put behind it
LONGEST_FOUND = MAX_LENGTH - 4
MANAGEMENT_PORT = "management.server.port"
Say = Callable[[str], None]


@dataclass(frozen=True)
class InitOptions:
    """What a person says of a service; the rest is found out."""

    folder: Path
    module: str | None = None
    jar: str | None = None
    command: tuple[str, ...] | None = None
    routes: tuple[str, ...] = ()
    """Routes to load: nothing is started to find others."""


@dataclass(frozen=True)
class DetectedService:
    """A service as its springbench.toml has it, and what it answered."""

    name: str
    jar: str | None = None
    command: tuple[str, ...] | None = None
    health: str | None = None
    routes: tuple[str, ...] = ()
    protocols: tuple[str, ...] = ()
    properties: Mapping[str, str] = field(default_factory=dict)
    probes: tuple[RouteProbe, ...] = ()
    build: str | None = None
    """The command that builds it, from the project's own folder."""


def detect_service(options: InitOptions, shell: Shell, say: Say) -> DetectedService:
    """Build, start and ask it. Raises `ConfigurationError`, `BuildError` or `HostError`."""
    folder = options.folder
    if options.command:
        found = DetectedService(_name(folder), command=options.command, routes=options.routes)
        return found if options.routes else _probed(found, options.command, folder, shell, say)
    build = None
    if options.jar:
        jar = options.jar
    else:
        artifact, build = _built(options, shell, say)
        jar = pattern_of(artifact.path, folder)
    name = _name(folder if options.module is None else folder / options.module)
    found = DetectedService(name, jar=jar, routes=options.routes, build=build)
    if options.routes:
        return found
    jdk = find_asked_jdk(shell=shell)
    if jdk is None:
        raise HostError("there is no JDK here: set JAVA_HOME, or put java on the PATH")
    command = [str(jdk.java), "-jar", str(_file_of(jar, folder)), "--server.port={port}"]
    command += [f"--{name}={value}" for name, value in LOG_PROPERTIES.items()]
    return _probed(found, command, folder, shell, say, jdk.home)


def build_command_of(folder: Path) -> str | None:
    """What builds a project that has a file already; None where its own files do not tell."""
    build = find_build(folder)
    return str(build) if build else None


def _built(options: InitOptions, shell: Shell, say: Say) -> tuple[Artifact, str]:
    folder = options.folder
    build = find_build(folder)
    if build is None:
        raise ConfigurationError(
            f"{folder.resolve()}: no pom.xml and no Gradle build: go to the project's folder, or "
            "say what starts it with --jar or --command"
        )
    with _log_folder() as logs:
        log = logs / "build.log"
        say(f"building it: `{build}` (log: {log})")
        build.run(folder, shell, log)
    return _chosen(find_artifacts(folder), options), str(build)


def _chosen(artifacts: Sequence[Artifact], options: InitOptions) -> Artifact:
    folder, module = options.folder, options.module
    named = {each.module(folder): each for each in artifacts}
    if not named:
        raise ConfigurationError(
            f"{folder}: its build leaves no jar or war of Spring Boot that can be started; for "
            "another program give --jar or --command"
        )
    if module is not None:
        if module not in named:
            raise ConfigurationError(
                f"--module {module}: no application; allowed: {', '.join(sorted(named))}"
            )
        return named[module]
    answering = {name: each for name, each in named.items() if each.has_web}
    if not answering:
        raise ConfigurationError(
            f"{', '.join(sorted(named))}: no web server: nothing in it answers requests"
        )
    if len(answering) > 1:
        raise ConfigurationError(
            f"{folder}: several applications: {', '.join(sorted(answering))}; name one with "
            "--module"
        )
    return next(iter(answering.values()))


def _file_of(jar: str, folder: Path) -> Path:
    """The jar that a path or a glob names. Raises `ConfigurationError` where there is not one."""
    path = folder / jar
    if path.is_file():
        return path.resolve()
    found = sorted(folder.glob(jar)) if is_glob(jar) and not Path(jar).is_absolute() else []
    if len(found) != 1:
        what = "no such file" if not found else f"several: {', '.join(map(str, found[:4]))}"
        raise ConfigurationError(
            f"--jar {jar}: {what}; build it first, or say what to load with --route"
        )
    return found[0].resolve()


def _probed(
    found: DetectedService,
    command: Sequence[str],
    folder: Path,
    shell: Shell,
    say: Say,
    java_home: Path | None = None,
) -> DetectedService:
    port = free_port()
    places = {
        "port": str(port),
        "server_cpus": str(os.cpu_count() or 1),
        "memory_limit_bytes": str(MEMORY_LIMIT_BYTES),
    }
    words = [_filled(word, places) for word in command]
    env = measured_environment(java_home=java_home)
    say("starting it, to ask what it answers")
    with (
        _log_folder() as logs,
        start_service(words, port, folder.resolve(), logs, env, shell) as service,
    ):
        say(_description(service))
        program = Program(service.port, service.tls)
        probes = program.ask(_routes(program, service))
        health = _health(program, service)
    return DetectedService(
        found.name,
        found.jar,
        found.command,
        health,
        tuple(each.path for each in choose_routes(probes)),
        ("https1",) if service.tls else (),
        {MANAGEMENT_PORT: "{port:management}"} if service.other_ports and found.jar else {},
        tuple(probes),
        found.build,
    )


@contextmanager
def _log_folder() -> Iterator[Path]:
    """A folder for logs, which is kept where something fails: a message names it."""
    folder = Path(tempfile.mkdtemp(prefix="springbench-init-"))
    yield folder
    shutil.rmtree(folder, ignore_errors=True)


def _filled(word: str, places: Mapping[str, str]) -> str:
    for name, value in places.items():
        word = word.replace(f"{{{name}}}", value)
    return word


def _routes(program: Program, service: RunningService) -> list[Route]:
    """Those that the framework logs; else of an OpenAPI document; else the root alone."""
    base = f"{service.context}{service.log.servlet_path}"
    if service.log.routes:
        return [each._replace(path=f"{base}{each.path}") for each in service.log.routes]
    for path in openapi.PATHS:
        found = openapi.routes_of(program.document(f"{base}{path}"))
        if found:
            return found
    return [Route("GET", f"{base}/")]


def _health(program: Program, service: RunningService) -> str | None:
    """The actuator's own route, where it answers on the port of the requests."""
    if service.log.actuator is None:
        return None
    path = f"{service.context}{service.log.servlet_path}{service.log.actuator}/health"
    answer = program.get(path)
    return path if answer is not None and answer.status == 200 else None


def _description(service: RunningService) -> str:
    log, servers = service.log, service.log.servers
    version = f"Spring Boot {log.boot_version}" if log.boot_version else "a program"
    parts = [
        f"{version} on port {service.port}",
        *([f"server: {servers[0].name}"] if servers else []),
        *(["over TLS"] if service.tls else []),
        *([f"context path {service.context}"] if service.context else []),
        *(f"a further port: {port}" for port in service.other_ports),
        f"{len(log.routes)} routes",
    ]
    return "; ".join(parts)


def _name(folder: Path) -> str:
    """A folder's name as a part of case ids."""
    words = re.sub(r"[^a-z0-9]", "", folder.resolve().name.lower())
    named = words if words[:1].isalpha() else f"service{words}"
    return named[:LONGEST_FOUND]
