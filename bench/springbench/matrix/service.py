"""A `springbench.toml` of one service as a matrix: what it leaves out has defaults.

The defaults stand in `service.toml` beside this module, a matrix of its own.
"""

from __future__ import annotations

import shutil
import ssl
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from springbench.matrix.mistakes import Mistake, setting_mistakes, wrong_places
from springbench.matrix.profiles import Load, Profile
from springbench.matrix.request_files import mix_mistakes, request_mistakes, with_files
from springbench.matrix.rows import Matrix
from springbench.matrix.servers import HttpProtocol, Limits, Model, Runtime, Server, SlowUpstream
from springbench.matrix.service_rows import Service
from springbench.matrix.settings import SETTINGS
from springbench.matrix.templates import PLACEHOLDERS, TemplateError, parse
from springbench.matrix.workloads import Mix, Workload
from springbench.paths import is_glob

DEFAULTS = Path(__file__).with_name("service.toml")
PAIRS = "pr"
OVER_TLS = ("https1", "h2")
COMMAND_PLACES = ("port", "server_cpus", "memory_limit_bytes", "temporary_folder")
_A_VALUE = "a value in the place of its braces, as in /orders/17"
_JAR_KEYS = ("properties", "java_options", "models", "runtimes", "jdks", "pool_sizes")


def is_service(data: Mapping[str, Any]) -> bool:
    """Whether a parsed file describes one service, and not the axes of a matrix."""
    return "servers" not in data and not {"jar", "command", "routes"}.isdisjoint(data)


def mistakes_of(service: Service, folder: Path = Path()) -> Iterator[Mistake]:
    """Mistakes that a single key cannot know. The files of requests are relative to `folder`."""
    if service.jar is None and service.command is None:
        yield ("jar",), "this key is missing, or command: one of them says what is started"
    elif service.jar is not None and service.command is not None:
        yield ("command",), "jar and command exclude one another; leave one of them out"
    if service.command is not None:
        yield from _command_mistakes(service, service.command)
    if service.slow_upstream is not None:
        yield from _upstream_mistakes(service, service.slow_upstream)
    yield from setting_mistakes((), service)
    yield from _tls_mistakes(service, folder)
    yield from _route_mistakes(service, folder)
    yield from _mix_mistakes(service)
    if service.limits is not None:
        yield from _limit_mistakes(service.limits)
    if service.login is not None:
        yield from request_mistakes(("login",), service.login, "path", folder, has_login=False)


def as_matrix(service: Service, folder: Path, defaults: Matrix) -> Matrix:
    """The matrix that the service is measured by. `folder` is where its command starts."""
    folder = folder.resolve()
    module, artifact = _artifact(service, folder)
    runtimes = service.runtimes if service.jar else ("command",)
    server = defaults.servers[0].model_copy(
        update={
            "id": service.name,
            "models": service.models,
            "runtimes": runtimes,
            "built_by": "caller" if service.jar else "nothing",
            "module": _literal(str(module)),
            "artifact": _literal(artifact),
            "health": _health(service),
            "health_status": service.health_status,
            "environment": service.environment,
            "pass_env": service.pass_env,
            "run_in": str(folder),
            "services": service.services,
            "slow_upstream": service.slow_upstream,
            "limits": service.limits,
            "certificate": str(folder / service.certificate) if service.certificate else None,
        }
    )
    server = Server.model_validate(server.model_dump())
    login = service.login and with_files(service.login, folder)
    return defaults.model_copy(
        update={
            "servers": (server.model_copy(update={"login": login}),),
            "models": tuple(_model(row, service) for row in defaults.models),
            "runtimes": tuple(_runtime(row, service, artifact) for row in defaults.runtimes),
            "protocols": tuple(_protocol(row, service) for row in defaults.protocols),
            "word_lists": {
                **defaults.word_lists,
                "java_options": tuple(map(_literal, service.java_options)),
            },
            "workloads": tuple(_workloads(defaults.workloads[0], service, folder)),
            "mixes": tuple(_mixes(service)),
            "profiles": tuple(_profile(row, service) for row in defaults.profiles),
        }
    )


def _command_mistakes(service: Service, command: tuple[str, ...]) -> Iterator[Mistake]:
    for index, word in enumerate(command):
        yield from wrong_places(("command", index), word, COMMAND_PLACES)
    words = (*command, *service.environment.values())
    if not any("{port}" in word for word in words):
        yield (
            ("command",),
            "{port} must stand in it, or in environment: a free port is chosen for each process",
        )
    for key in sorted(service.model_fields_set & set(_JAR_KEYS)):
        yield (key,), "goes with jar alone; with command, write it into the command"


def _upstream_mistakes(service: Service, upstream: SlowUpstream) -> Iterator[Mistake]:
    if upstream.property is None and upstream.variable is None:
        yield (
            ("slow_upstream", "variable"),
            "this key is missing, or property: one of them tells the service its address",
        )
    if upstream.property is not None and service.jar is None:
        yield (
            ("slow_upstream", "property"),
            "goes with jar alone; with command, name a variable of the environment: variable",
        )
    delay_ms = upstream.delay_ms
    if isinstance(delay_ms, tuple) and delay_ms[0] > delay_ms[1]:
        yield (
            ("slow_upstream", "delay_ms"),
            f"the least of {list(delay_ms)} comes first, and the most after it",
        )


def _limit_mistakes(limits: Limits) -> Iterator[Mistake]:
    if limits.p99_at_rate is not None and limits.p99_ms is None:
        yield (
            ("limits", "p99_ms"),
            "this key is missing: p99_at_rate says at which load it is meant",
        )


def _tls_mistakes(service: Service, folder: Path) -> Iterator[Mistake]:
    over_tls = [name for name in service.protocols if name in OVER_TLS]
    if service.certificate is None:
        if over_tls and service.command is not None:
            yield (
                ("certificate",),
                f"this key is missing: {over_tls[0]} is over TLS, and a command has a key of its "
                "own; name the file of its certificate (PEM)",
            )
        return
    if not over_tls:
        yield (
            ("certificate",),
            'none of protocols is over TLS; add "https1" or "h2" to it, or leave this key out',
        )
    if "jvm-aot" in service.runtimes:
        yield (
            ("certificate",),
            "goes with the runtime jvm alone: jvm-aot is trained without TLS; leave it out, and "
            "the service is given a key",
        )
    try:
        ssl.create_default_context(cafile=str(folder / service.certificate))
    except ssl.SSLError:
        yield ("certificate",), f"{service.certificate!r} holds no certificate in PEM"
    except OSError as error:
        yield ("certificate",), f"{service.certificate!r}: {error.strerror}"


def _route_mistakes(service: Service, folder: Path) -> Iterator[Mistake]:
    counts = Counter(route.id for route in service.routes)
    has_login = service.login is not None
    over = {f"{name}-{protocol}" for name in counts for protocol in service.protocols}
    for index, route in enumerate(service.routes):
        if route.id in over:
            yield (
                ("routes", index, "name"),
                f"{route.id!r} is the name of another route over a protocol; choose another",
            )
        if counts[route.id] > 1:
            key = "name" if route.name else "path"
            yield (
                ("routes", index, key),
                f"several routes are called {route.id!r}; give each a name of its own",
            )
        if _has_unknown_place(route.path):
            yield ("routes", index, "path"), f"{route.path!r} needs {_A_VALUE}, or {PLACEHOLDERS}"
            continue
        yield from request_mistakes(("routes", index), route, "path", folder, has_login=has_login)
    if service.health is None and not _health(service):
        yield (
            ("health",),
            "this key is missing, and no route is a plain GET that a service answers with 200 "
            "before anybody logs in",
        )
    if service.health and not {"{", "}"}.isdisjoint(service.health):
        yield ("health",), f"{service.health!r} needs {_A_VALUE}"


def _has_unknown_place(path: str) -> bool:
    """Whether a path has a brace that belongs to no placeholder."""
    try:
        parts = parse(path)
    except TemplateError:
        return True
    return any(isinstance(part, str) and not {"{", "}"}.isdisjoint(part) for part in parts)


def _mix_mistakes(service: Service) -> Iterator[Mistake]:
    routes = [route.id for route in service.routes]
    seen = Counter(mix.name for mix in service.mixes)
    for index, mix in enumerate(service.mixes):
        yield from mix_mistakes(("mixes", index, "routes"), mix.routes, routes)
        if mix.name in routes or seen[mix.name] > 1:
            yield ("mixes", index, "name"), f"{mix.name!r} is the name of another route or mix"


def _protocol(row: HttpProtocol, service: Service) -> HttpProtocol:
    """What it is measured over; one that brings a key is given none."""
    return row.model_copy(update={"key_properties": {}}) if service.certificate else row


def _health(service: Service) -> str:
    """The route that is polled; empty where none can be."""
    plain = (route.path for route in service.routes if not route.identity and "{" not in route.path)
    return service.health or next(plain, "")


def _artifact(service: Service, folder: Path) -> tuple[Path, str]:
    """The folder and the name of what is started; from its first glob on, all is name."""
    if service.jar is None:
        program = _program(service.command or ("",), folder)
        return program.parent, program.name
    jar = folder / service.jar
    if jar.is_file():  # a name may hold the signs of a glob
        return jar.parent, jar.name
    parts = Path(service.jar).parts
    first = next((at for at, part in enumerate(parts) if is_glob(part)), len(parts) - 1)
    return folder.joinpath(*parts[:first]), "/".join(parts[first:])


def _program(command: tuple[str, ...], folder: Path) -> Path:
    """The file that a command is about: of `python3 app.py`, `app.py`; else what it starts."""
    for word in command:
        if "{" not in word and (folder / word).is_file():
            return folder / word
    found = shutil.which(command[0])
    return Path(found) if found else folder / command[0]


def _model(row: Model, service: Service) -> Model:
    properties = {key: _literal(value) for key, value in service.properties.items()}
    return row.model_copy(update={"properties": {**properties, **row.properties}})


def _runtime(row: Runtime, service: Service, artifact: str) -> Runtime:
    if service.command is not None and row.id == "command":
        start = [_as_artifact(word, artifact, row.start[0]) for word in service.command]
        return row.model_copy(update={"start": tuple(start)})
    if not row.train_requests:
        return row
    [count] = row.train_requests.values()
    # what takes more than a plain GET is not trained
    plain = [route.path for route in service.routes if not route.identity and "{" not in route.path]
    routes = plain or [_health(service)]
    return row.model_copy(update={"train_requests": dict.fromkeys(routes, count)})


def _as_artifact(word: str, artifact: str, place: str) -> str:
    """The place of the artifact where the word names it: a folder of `--jars` may bring another."""
    is_it = "{" not in word and Path(word).name == artifact
    return place if is_it else word


def _workloads(row: Workload, service: Service, folder: Path) -> Iterator[Workload]:
    for route in service.routes:
        question = row.question if len(service.routes) == 1 else f"What does {route.path} cost?"
        yield row.takes_request(with_files(route, folder)).model_copy(
            update={
                "id": route.id,
                "route": route.path,
                "delay_ms": route.delay_ms,
                "question": question,
                "needs": ("upstream",) if service.slow_upstream else (),
            }
        )


def _mixes(service: Service) -> Iterator[Mix]:
    for mix in service.mixes:
        question = f"What do {' and '.join(mix.routes)} cost together?"
        yield Mix(id=mix.name, workloads=mix.routes, question=question)


def _loads(service: Service) -> Iterator[tuple[str, tuple[int, ...], float | None]]:
    """What is loaded: the name of a route or a mix, its connections, and how long it waits."""
    mixed = {name for mix in service.mixes for name in mix.routes}
    for route in service.routes:
        if route.id not in mixed or "connections" in route.model_fields_set:
            yield route.id, route.connections, route.delay_ms
    waits_ms = {route.id: route.delay_ms or 0.0 for route in service.routes}
    for mix in service.mixes:
        yield mix.name, mix.connections, max(waits_ms[name] for name in mix.routes)


def _profile(row: Profile, service: Service) -> Profile:
    return row.model_copy(
        update={
            "loads": tuple(
                _load(load, _load_settings(service, row.id), *what)
                for load in row.loads
                for what in _loads(service)
            )
        }
    )


def _load_settings(service: Service, profile: str) -> dict[str, Any]:
    """What the file says of every load: its protocols and settings, and the rate that a limit is
    meant for. No limit is evaluated in pairs."""
    found: dict[str, Any] = {
        "protocols": service.protocols,
        **{setting.key: getattr(service, setting.key) for setting in SETTINGS},
    }
    if service.limits and service.limits.p99_at_rate and profile != PAIRS:
        found["rates"] = (service.limits.p99_at_rate,)
    return found


def _load(
    load: Load,
    settings: Mapping[str, Any],
    workload: str,
    connections: tuple[int, ...],
    delay_ms: float | None,
) -> Load:
    """The load on a route; a window has time for what waits by design."""
    window_s = max(load.window_s, 6 * (delay_ms or 0.0) / 1000)
    return load.model_copy(
        update={
            "workload": workload,
            "connections": connections,
            "window_s": window_s,
            **settings,
        }
    )


def _literal(text: str) -> str:
    """A text in whose braces nothing is filled in."""
    return text.replace("{", "{{").replace("}", "}}")
