"""Starts a service once, so that it can be asked what it is."""

from __future__ import annotations

import re
import signal
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import psutil
import yaml

from springbench import units
from springbench.errors import ConfigurationError, HostError
from springbench.host.shell import Running, Shell
from springbench.measure.readings.tree import TreeReadings
from springbench.measure.server.log import LOG, unreached, why_it_ended
from springbench.measure.server.patience import StartPatience
from springbench.measure.services.http import in_url
from springbench.project.attempts import Attempts
from springbench.project.missing_services import (
    compose_names,
    declaration,
    missing_values,
    wanted_address,
)
from springbench.project.startup_banner import read_banner
from springbench.project.startup_log import ListeningServer, StartupLog, read_log
from springbench.project.tls import certificate_of

# from the first port that listens to the end of the start
_RUNNERS_S = 20.0
_POLL_S = 0.2
_GRACE_S = 5.0
# what parsers of command lines say
_LACKS_ARGUMENT = re.compile(
    r"(?im)^\s*usage:|\b(?:missing|required|expected|too few|not enough)\b[^\n]{0,40}"
    r"\b(?:arguments?|options?|parameters?)\b"
)
# module java.base does not "opens java.lang" to unnamed module
_OLD_LIBRARIES = re.compile(
    r'module (?P<module>\S+) does not "opens (?P<package>\S+)"|Unsupported class file major version'
)
_READY = re.compile(r"\bStarted \S+ in [\d.]+ seconds")


@dataclass(frozen=True)
class RunningService:
    """A service that listens; `port` is that of its requests."""

    port: int
    tls: bool
    context: str
    log: StartupLog
    other_ports: tuple[int, ...] = ()
    """That it listens on besides, the lowest first, as for its management."""


@contextmanager
def start_service(
    command: Sequence[str],
    port: int,
    home: Path,
    logs: Path,
    env: Mapping[str, str],
    shell: Shell,
) -> Iterator[RunningService]:
    """Start it in `home`, and stop it and all its children at the end; its output goes to a file in
    `logs`. Raises `ConfigurationError` where it ends, listens nowhere, or waits for another."""
    with (logs / LOG).open("wb") as stdout:
        try:
            running = shell.start(command, stdout=stdout, env=dict(env), cwd=home)
        except OSError as error:
            raise HostError(f"{command[0]} cannot be started: {error.strerror}") from error
        try:
            yield _awaited(running, port, home, logs)
        finally:
            running.signal_all(signal.SIGTERM)
            running.stop(_GRACE_S)


def _awaited(running: Running, port: int, home: Path, logs: Path) -> RunningService:
    begin_s = time.monotonic()
    listens_since_s: float | None = None
    readings, attempts = TreeReadings(running.tree), Attempts()
    patience = StartPatience(readings.cpu_time_s)
    while not patience.ended((now_s := time.monotonic()) - begin_s, answers=False):
        text = (logs / LOG).read_text(encoding="utf-8", errors="replace")
        if (code := running.poll()) is not None and not running.tree.living():
            raise ConfigurationError(_why(code, text, home, logs))
        ports, opening = _sockets(running)
        if ports:
            listens_since_s = listens_since_s or now_s
            if _READY.search(text) or now_s > listens_since_s + _RUNNERS_S:
                return _listening_service(port, ports, read_log(text))
            if ":: Spring Boot ::" not in text and port in ports:
                return _listening_service(port, ports, read_log(text))
        elif attempts.is_waiting(text, opening, now_s, readings.cpu_time_s() or 0.0):
            break
        time.sleep(_POLL_S)
    text = (logs / LOG).read_text(encoding="utf-8", errors="replace")
    what = f"it listens nowhere after {units.duration(time.monotonic() - begin_s)}"
    raise ConfigurationError(_lacking(what, text, home, logs, attempts.address))


def _sockets(running: Running) -> tuple[list[int], str]:
    """Ports on which the service or a child of it listens, and an address to which one of them
    is opening a connection; empty where none is."""
    ports: set[int] = set()
    opening = ""
    for pid in running.tree.living():
        try:
            for connection in psutil.Process(pid).net_connections(kind="tcp"):
                if connection.status == psutil.CONN_LISTEN:
                    ports.add(connection.laddr.port)
                elif connection.status == psutil.CONN_SYN_SENT:
                    opening = f"{in_url(connection.raddr.ip)}:{connection.raddr.port}"
        except psutil.Error:
            continue
    return sorted(ports), opening


def _listening_service(
    requested_port: int, ports: Sequence[int], log: StartupLog
) -> RunningService:
    # the last of several is of the management, which starts behind the application
    main = next((server for server in log.servers if server.port == requested_port), None)
    main = main or next((server for server in log.servers if server.port in ports), None)
    if main is None:
        port = requested_port if requested_port in ports else ports[0]
        main = ListeningServer("", port, tls=certificate_of(port) is not None, context="")
    other_ports = tuple(port for port in ports if port != main.port)
    return RunningService(main.port, main.tls, main.context, log, other_ports)


def _why(code: int, text: str, home: Path, logs: Path) -> str:
    what = (
        "it ended by itself with exit code 0, and answered no request: what is measured must go on "
        "and listen on a port; name another program with --command or --module"
    )
    if code:
        # where the log is, is said below
        why = why_it_ended(code, logs).removesuffix(f"; log: {LOG}")
        what = f"it ended with exit code {code} in its start{why}"
    return _lacking(what, text, home, logs)


def _lacking(what: str, text: str, home: Path, logs: Path, address: str = "") -> str:
    """The message, with what the service lacks and how that is declared; `address` is one that it
    was seen to try."""
    lines = [f"{what} (log: {logs / LOG})"]
    if names := missing_values(text):
        written = ", ".join(f'{name} = "..."' for name in names)
        lines.append(f"it needs values: environment = {{ {written} }}, or properties")
    if _LACKS_ARGUMENT.search(text):
        lines.append("it needs arguments: --command, with what starts it, these and {port}")
    if old := _OLD_LIBRARIES.search(text):
        opened = f"--add-opens={old['module']}/{old['package']}=ALL-UNNAMED"
        words = f', or declare java_options = ["{opened}"]' if old["module"] else ""
        lines.append(f"its libraries are older than this JDK: set JAVA_HOME to an older one{words}")
    compose = _compose(home)
    named = unreached(text.splitlines()) or address
    if missing_address := wanted_address(text, named, read_banner(text), compose):
        lines.append(
            f"it wanted {missing_address}: start that first; in springbench.toml, which "
            "`springbench init` then completes"
        )
        lines += _declared(missing_address, compose)
    return "\n".join(lines)


def unreached_service(logs: Path, home: Path) -> str:
    """What a service that answers could not reach all the same, by its log, and how that is
    declared; empty where its log names nothing."""
    text = (logs / LOG).read_text(encoding="utf-8", errors="replace")
    named = unreached(text.splitlines())
    if not named:
        return ""
    compose = _compose(home)
    address = wanted_address(text, named, read_banner(text), compose)
    what = (
        f"its log says that it cannot reach {address}, and no route is loaded that fails: start "
        "that first; in a springbench.toml without [[routes]], which `springbench init` completes"
    )
    return "\n".join([what, *_declared(address, compose)])


def _declared(address: str, compose: Mapping[str, object]) -> list[str]:
    """The lines that declare it."""
    return [f"  {line}" for line in declaration(address, compose) or ("[[services]]",)]


def _compose(home: Path) -> Mapping[str, object]:
    """The project's compose file; an empty one where there is none, or none that can be read."""
    for folder in (home, *home.parents[:2]):
        for name in compose_names():
            try:
                found = yaml.safe_load((folder / name).read_text(encoding="utf-8"))
            except (OSError, ValueError, yaml.YAMLError):
                continue
            return found if isinstance(found, dict) else {}
    return {}
