"""What a service is: it is built with its own wrapper, started once, and asked."""

from __future__ import annotations

import base64
import http.client
import json
import os
import re
import shlex
import shutil
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path

from springbench import units
from springbench.errors import ConfigurationError, HostError
from springbench.host.environment import measured_environment, passed
from springbench.host.ports import free_port
from springbench.host.shell import Shell
from springbench.host.temporary_folder import temporary_folder
from springbench.host.tools.find import find_asked_jdk
from springbench.limits import MEMORY_LIMIT_BYTES
from springbench.matrix.service_name import MAX_LENGTH
from springbench.measure.server.command import with_further_ports
from springbench.measure.services.declared import DeclaredService, all_started
from springbench.measure.session import Session
from springbench.measure.testbed import matching_file
from springbench.project import first_page, openapi, startup_banner
from springbench.project.artifacts import (
    Artifact,
    find_artifacts,
    find_other_programs,
    logging_library,
    pattern_of,
)
from springbench.project.build_tool import find_build, folders_with_builds
from springbench.project.declared import NOTHING_DECLARED, Declared
from springbench.project.jaxrs import NO_RESOURCES, Resources, find_resources
from springbench.project.route_probes import (
    LOADED,
    Program,
    RouteProbe,
    changing_word,
    choose_routes,
)
from springbench.project.service_start import RunningService, start_service, unreached_service
from springbench.project.startup_log import (
    ANY,
    BANNER_LOCATION,
    LOG_PROPERTIES,
    LOGGING_CONFIG,
    LOGGING_FILES,
    Route,
    plain_path,
    servlet_path,
)
from springbench.project.tls import certificate_of

# a number may be put behind it
LONGEST_FOUND = MAX_LENGTH - 4
# of the user that Spring Boot makes where an application has none of its own
PASSWORD_PROPERTY, PASSWORD = "spring.security.user.password", "springbench"
_ANY_USER = "user"
# below those that a kernel gives out: this one somebody has chosen
_CHOSEN_PORTS = range(1, 32_768)
_MOST_NAMES = 12
LogLine = Callable[[str], None]
# what starts a program that neither Maven nor Gradle builds, by a file of its folder
_EXAMPLES = {
    "package.json": "env PORT={port} npm start",
    "go.mod": "./PROGRAM --port {port}",
    "Cargo.toml": "target/release/PROGRAM --port {port}",
    "manage.py": "python3 -m gunicorn -b 127.0.0.1:{port} PROJECT.wsgi",
    "pyproject.toml": "python3 -m uvicorn MODULE:app --port {port}",
    "requirements.txt": "python3 -m uvicorn MODULE:app --port {port}",
}


@dataclass(frozen=True)
class InitOptions:
    """What a person says of a service; the rest is found out."""

    folder: Path
    module: str | None = None
    jar: str | None = None
    command: tuple[str, ...] | None = None
    routes: tuple[str, ...] = ()
    """Routes to load: nothing is started to find others."""
    headers: Mapping[str, str] = field(default_factory=dict)
    """With which routes are asked that need a login; those that go with the declared one if left
    out."""
    declared: Declared = NOTHING_DECLARED
    """What its springbench.toml has already."""


@dataclass(frozen=True)
class DetectedService:
    """A service as its springbench.toml has it, and what it answered."""

    name: str
    jar: str | None = None
    command: tuple[str, ...] | None = None
    health: str | None = None
    health_status: int | None = None
    """What that answers once the service is up, where it is not 200."""
    routes: tuple[str, ...] = ()
    headers: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    """Of routes that need a login, by path."""
    protocols: tuple[str, ...] = ()
    properties: Mapping[str, str] = field(default_factory=dict)
    probes: tuple[RouteProbe, ...] = ()
    build: str | None = None
    """The command that builds it, from the project's own folder."""
    certificate: str | None = None
    """What it presents over TLS, in PEM: it keeps its own key, as it configures that."""
    challenge: str = ""
    """The scheme of a login that it asks for by itself, such as `basic`."""
    unreached: str = ""
    """A database or the like that routes failed for want of, and how that is declared."""


def detect_service(options: InitOptions, shell: Shell, log_line: LogLine) -> DetectedService:
    """Build, start and ask it. Raises `ConfigurationError`, `BuildError` or `HostError`."""
    found = _detected(options, shell, log_line)
    declared = options.declared
    return replace(found, name=declared.service.name) if declared.has("name") else found


def _detected(options: InitOptions, shell: Shell, log_line: LogLine) -> DetectedService:
    folder, declared = options.folder, options.declared.service
    command = options.command or (None if options.jar else declared.command)
    headers = {route: options.headers for route in options.routes if options.headers}
    if command:
        name = _name(folder.resolve().name)
        found = DetectedService(name, command=command, routes=options.routes, headers=headers)
        return found if options.routes else _probed(found, command, options, shell, log_line)
    build = None
    jar = options.jar or declared.jar
    if not jar:
        build = _build(folder, options.module, shell, log_line)
        artifacts = find_artifacts(folder)
        if not artifacts:
            command = _other_command(folder)
            name = _name(folder.resolve().name)
            found = DetectedService(
                name, command=command, routes=options.routes, headers=headers, build=build
            )
            return found if options.routes else _probed(found, command, options, shell, log_line)
        jar = pattern_of(_chosen(artifacts, options).path, folder)
    stem = _artifact_name(jar) or (options.module or folder.resolve().name)
    found = DetectedService(_name(stem), jar, routes=options.routes, headers=headers, build=build)
    if options.routes:
        return found
    jdk = find_asked_jdk(shell=shell)
    if jdk is None:
        raise HostError("there is no JDK here: set JAVA_HOME, or put java on the PATH")
    artifact_file = _file_of(jar, folder)
    words = [
        *(str(jdk.java), "-Djava.io.tmpdir={temporary_folder}", *declared.java_options),
        "-Dserver.port={port}",
        *(f"-D{key}={value}" for key, value in declared.properties.items()),
        *("-jar", str(artifact_file)),
    ]
    return _probed(found, words, options, shell, log_line, artifact_file, jdk.home)


def build_command_of(folder: Path) -> str | None:
    """What builds a project that has a file already; None where its own files do not tell."""
    build = find_build(folder)
    return str(build) if build else None


def _build(folder: Path, module: str | None, shell: Shell, log_line: LogLine) -> str:
    """Build it; the command that does."""
    build = find_build(folder, module)
    if build is None:
        if folders := folders_with_builds(folder):
            raise ConfigurationError(
                f"{folder.resolve()}: no pom.xml and no Gradle build; these folders have one, and "
                f"`springbench init FOLDER` takes it: {', '.join(folders[:_MOST_NAMES])}"
            )
        examples = (
            f"; {name} is here: for example --command {command!r}"
            for name, command in _EXAMPLES.items()
            if (folder / name).is_file()
        )
        raise ConfigurationError(
            f"{folder.resolve()}: no pom.xml and no Gradle build: go to the project's folder, or "
            f"say what starts it with --jar or --command{next(examples, '')}"
        )
    with _log_folder() as logs:
        log = logs / "build.log"
        log_line(f"building it: `{build}` (log: {log})")
        build.run(folder, shell, log)
    return str(build)


def _other_command(folder: Path) -> tuple[str, ...]:
    """What starts a program that is not Spring Boot's. Raises `ConfigurationError` where nothing
    tells, with what there is."""
    programs = find_other_programs(folder)
    commands = [command for program in programs if (command := program.command(folder))]
    if len(commands) == 1:
        return commands[0]
    what = "its build leaves no jar or war that Spring Boot can start"
    places = [
        program.path.resolve().relative_to(folder.resolve()).as_posix() for program in programs
    ]
    if len(commands) > 1:
        raise ConfigurationError(
            f"{folder.resolve()}: {what}, and several others: {', '.join(places)}; name one: "
            f"--command {shlex.join(commands[0])!r}"
        )
    executable = [
        place for place, program in zip(places, programs, strict=True) if program.is_executable
    ]
    if executable:
        remedy = (
            f"{executable[0]} is another program: --command 'java -jar {executable[0]} ...', with "
            "{port} where it takes its port"
        )
    elif places:
        remedy = (
            f"{places[0]} is for a server that deploys it: --command, with what starts that, or "
            "package it with Spring Boot's plugin"
        )
    else:
        remedy = (
            "its Maven or Gradle plugin packages one; for another program give --jar or --command"
        )
    raise ConfigurationError(f"{folder.resolve()}: {what}: {remedy}")


def _chosen(artifacts: Sequence[Artifact], options: InitOptions) -> Artifact:
    folder, module = options.folder, options.module
    named = {artifact.module(folder): artifact for artifact in artifacts}
    if module is not None:
        if module not in named:
            raise ConfigurationError(
                f"--module {module}: no application; allowed: {', '.join(sorted(named))}"
            )
        return named[module]
    answering = {name: artifact for name, artifact in named.items() if artifact.has_web}
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
    found = matching_file(folder, jar)
    if not found.is_file():
        raise ConfigurationError(
            f"--jar {jar}: no such file; build it first, or say what to load with --route"
        )
    return found.resolve()


def _probed(
    found: DetectedService,
    command: Sequence[str],
    options: InitOptions,
    shell: Shell,
    log_line: LogLine,
    artifact: Path | None = None,
    java_home: Path | None = None,
) -> DetectedService:
    port, home = free_port(), options.folder.resolve()
    declared = options.declared.service
    headers = options.headers or options.declared.headers
    is_guessed = bool(found.jar) and not headers and PASSWORD_PROPERTY not in declared.properties
    own_properties = {PASSWORD_PROPERTY: PASSWORD} if is_guessed else {}
    required_services = [DeclaredService(spec, home) for spec in declared.services]
    with (
        _log_folder() as logs,
        temporary_folder() as temporary,
        all_started(required_services, shell, frozenset()),
    ):
        places = {
            "port": str(port),
            "server_cpus": str(os.cpu_count() or 1),
            "memory_limit_bytes": str(MEMORY_LIMIT_BYTES),
            "temporary_folder": str(temporary),
        }
        further: dict[str, int] = {}
        words = [with_further_ports(_filled(word, places), port, further) for word in command]
        environment = {
            name: with_further_ports(text.replace("{port}", str(port)), port, further)
            for name, text in declared.environment.items()
        }
        env = measured_environment(
            {
                "TMPDIR": str(temporary),
                **_asking(logs, logging_library(artifact) if artifact else None, own_properties),
                **passed(declared.pass_env),
                **environment,
            },
            java_home,
        )
        log_line("starting it, to ask what it answers")
        with start_service(words, port, home, logs, env, shell) as service:
            _check_port(service, port, found)
            if is_guessed:
                user = service.log.properties.get(startup_banner.USER, _ANY_USER)
                headers = basic_login(user, PASSWORD)
            program = Program(service.port, service.tls, headers=headers, is_guessed=is_guessed)
            program.session = Session(declared.login)
            program.log_in()
            resources = find_resources(artifact) if artifact else NO_RESOURCES
            routes = _routes(program, service, resources)
            log_line(_description(service, sum(route.method in LOADED for route in routes)))
            if service.log.is_gateway:
                log_line(
                    "it is a gateway: name what its code forwards with --route, it is not listed"
                )
            probes = program.ask(routes)
            chosen = [probe.path for probe in choose_routes(probes)]
            health, health_status = _health(program, service, chosen)
            own_name = service.log.properties.get(startup_banner.NAME)
            certificate = certificate_of(service.port) if service.tls else None
            failing = any(a is None or a.status >= 500 for a in program.answers.values())
            unreached = unreached_service(logs, home) if failing else ""
    properties = _moved_ports(service, log_line, declared.properties) if found.jar else {}
    if is_guessed and program.behind_login:
        properties[PASSWORD_PROPERTY] = PASSWORD
    return replace(
        found,
        name=_name(own_name) if own_name else found.name,
        health=health,
        health_status=health_status,
        routes=tuple(chosen),
        headers={path: headers for path in chosen if path in program.behind_login},
        protocols=("https1",) if service.tls else (),
        properties=properties,
        probes=tuple(probes),
        certificate=certificate,
        unreached=unreached,
        challenge=program.challenge or "",
    )


def _asking(folder: Path, library: str | None, own_properties: Mapping[str, str]) -> dict[str, str]:
    """Variables with which any application of Spring Boot tells what it is, by a library for logs
    that may be known. They are not on its command line, which an application may read itself."""
    texts = {BANNER_LOCATION: ("banner.txt", startup_banner.TEXT)}
    if library:
        texts[LOGGING_CONFIG] = (f"{library}.xml", LOGGING_FILES[library])
    properties = {**LOG_PROPERTIES, **own_properties}
    for key, (name, text) in texts.items():
        (folder / name).write_text(text, encoding="utf-8")
        properties[key] = (folder / name).as_uri()
    return {"SPRING_APPLICATION_JSON": json.dumps(properties)}


def basic_login(user: str, password: str) -> dict[str, str]:
    """The header of HTTP Basic."""
    pair = base64.b64encode(f"{user}:{password}".encode()).decode()
    return {"Authorization": f"Basic {pair}"}


def _moved_ports(
    service: RunningService, log_line: LogLine, declared: Mapping[str, str]
) -> dict[str, str]:
    """Properties that give each process another port in the place of one that is fixed."""
    other_ports = {str(port): port for port in service.other_ports}
    values = {name: service.log.properties.get(name, "") for name in startup_banner.PORTS}
    moved = [name for name, port in values.items() if port in other_ports and name not in declared]
    for name in moved:
        other_ports.pop(values[name], None)
    for port in other_ports.values():
        if port in _CHOSEN_PORTS and not declared:
            log_line(
                f"it listens on port {port} besides, so two processes of it cannot run at once: "
                'name its property in springbench.toml, properties = { "..." = '
                '"{port:other}" }'
            )
    return {name: f"{{port:{startup_banner.PORTS[name]}}}" for name in moved}


def _check_port(service: RunningService, requested_port: int, found: DetectedService) -> None:
    """Raises `ConfigurationError` for a service that no free port can be chosen for."""
    if service.port != requested_port:
        how = "server.port" if found.jar else "{port} of its command"
        raise ConfigurationError(
            f"{found.name} listens on port {service.port} and not on the one that {how} names, so "
            "two processes of it cannot run at once; let its configuration read it, or "
            "give --command with what sets its port"
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


def _routes(program: Program, service: RunningService, resources: Resources) -> list[Route]:
    """Those that the framework logs, of other servlets, and of JAX-RS; else of an OpenAPI document;
    else the root, and what its page links to."""
    log = service.log
    base = f"{service.context}{log.servlet_path}"
    found = [route._replace(path=f"{base}{route.path}") for route in log.routes]
    servlets = [Route(ANY, f"{service.context}{path}") for path in log.other_servlets]
    if resources.routes:
        below = _jaxrs_base(program, service, resources)
        found += [route._replace(path=f"{below}{route.path}") for route in resources.routes]
        servlets = [
            servlet
            for servlet in servlets
            if not f"{below}/".startswith(servlet_path(servlet.path))
        ]
    if found or any("*" not in servlet.path for servlet in servlets):
        return found + servlets
    page = program.text(f"{base}/")
    openapi_path = log.properties.get(startup_banner.OPENAPI)
    document_paths = [
        f"{base}{path}"
        for path in (*([plain_path(openapi_path)] if openapi_path else ()), *openapi.PATHS)
    ]
    for path in dict.fromkeys([*first_page.documents_in(page), *document_paths]):
        found = openapi.routes_of(program.document(path))
        if found:
            return found
    linked = first_page.links_in(page, service.port)
    return [Route("GET", path) for path in dict.fromkeys([f"{base}/", *linked])] + servlets


def _jaxrs_base(program: Program, service: RunningService, resources: Resources) -> str:
    """Where resources are: below the path of the application, or of the servlet that knows one."""
    path = service.log.properties.get(startup_banner.JERSEY) or resources.base
    if path is not None:
        return f"{service.context}{plain_path(path)}"
    log = service.log
    servlets = [f"{service.context}{servlet_path(mapping)}" for mapping in log.other_servlets]
    bases = [f"{servlet}{path}" for servlet in servlets for path in (*log.cxf_paths, "")]
    gets = (route.path for route in resources.routes if route.method == "GET")
    example_path = next((path for path in gets if "{" not in path and not changing_word(path)), "")
    for base in bases:
        answer = program.get(f"{base}{example_path}")
        if answer is not None and answer.status != http.client.NOT_FOUND:
            return base
    return service.context


def _health(
    program: Program, service: RunningService, routes: Sequence[str]
) -> tuple[str | None, int | None]:
    """What tells that the service is up, and its status where that is not 200: the actuator's own
    route, where it answers on the port of the requests; one of the routes where all of these need a
    login. None: the first route, by itself."""
    log = service.log
    if log.actuator is not None:
        name = plain_path(log.properties.get(startup_banner.HEALTH, "health"))
        # without Spring MVC it belongs to the servlet of JAX-RS
        for servlet in dict.fromkeys([log.servlet_path, *map(servlet_path, log.other_servlets)]):
            path = f"{service.context}{servlet}{log.actuator}{name}"
            document = program.document(path)
            # an application may answer every path with its first page
            if isinstance(document, dict) and "status" in document:
                return path, program.behind_login.get(path)
    if routes and all(path in program.behind_login for path in routes):
        return routes[0], program.behind_login[routes[0]]
    return None, None


def _description(service: RunningService, routes: int) -> str:
    log, servers = service.log, service.log.servers
    version = f"Spring Boot {log.boot_version}" if log.boot_version else "a program"
    parts = [
        f"{version} on port {service.port}",
        *([f"server: {servers[0].name}"] if servers else []),
        *(["over TLS"] if service.tls else []),
        *([f"context path {service.context}"] if service.context else []),
        *(f"a further port: {port}" for port in service.other_ports),
        units.counted(routes, "route"),
    ]
    return "; ".join(parts)


def _artifact_name(jar: str) -> str:
    """What a jar or war is called without its version; empty where that is no name."""
    return re.sub(r"[-_.]?(?:\d[\w.+-]*|\*.*)$", "", Path(jar).name.rpartition(".")[0])


def _name(words: str) -> str:
    """A name as a part of case ids."""
    letters = re.sub(r"[^a-z0-9]", "", words.lower())
    named = letters if letters[:1].isalpha() else f"service{letters}"
    return named[:LONGEST_FOUND]
