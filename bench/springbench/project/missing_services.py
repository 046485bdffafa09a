"""What an application that cannot start lacks: values, and services that it needs. Pure."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from springbench.project.startup_banner import ADDRESSES

Compose = Mapping[str, Any]
"""What a compose file has; empty where there is none."""
_PLACEHOLDER = re.compile(r"Could not resolve placeholder '([^':]+)'")
_PORT = re.compile(r":(\d{2,5})\b")
# jdbc:mysql://user:password@host:3306/name
_URL = re.compile(
    r"(?P<program>[a-z0-9]+)(?:\+srv)?://(?:[^\s/@]*@)?(?P<host>[\w.-]+)(?::(?P<port>\d+))?"
)
_DEFAULT_PORTS = {
    "mariadb": 3306,
    "mongodb": 27017,
    "mysql": 3306,
    "postgresql": 5432,
    "redis": 6379,
    "sqlserver": 1433,
}
_TITLES = {"mysql": "MySQL", "postgresql": "PostgreSQL", "mongodb": "MongoDB", "redis": "Redis"}
_IMAGES: Mapping[int, tuple[str, ...]] = {
    5432: ("-e", "POSTGRES_PASSWORD=...", "postgres:17"),
    3306: ("-e", "MYSQL_ROOT_PASSWORD=...", "mysql:8"),
    27017: ("mongo:8",),
    6379: ("redis:8",),
    5672: ("rabbitmq:4",),
    9092: ("apache/kafka:4.0.0",),
    9200: ("-e", "discovery.type=single-node", "elasticsearch:9.0.0"),
}


def missing_values(log: str) -> list[str]:
    """Names of properties that have no value."""
    return list(dict.fromkeys(_PLACEHOLDER.findall(log)))


_NO_DATABASE = "Failed to configure a DataSource"


def wanted_address(
    log: str, unreached: str, properties: Mapping[str, str], compose: Compose
) -> str:
    """In words, the address of what an application that did not start wanted, as far as its log,
    its configuration or the project's compose file tells; empty where nothing was wanted."""
    if unreached:
        return configured_address(unreached, properties)
    if _NO_DATABASE not in log:
        return ""
    found = (
        f"localhost:{_published(mapping)}"
        for row in _rows(compose)
        for mapping in row.get("ports") or ()
        if _inner(mapping) in _DEFAULT_PORTS.values()
    )
    return f"{next(found, '')} a database, by spring.datasource.url".strip()


def configured_address(unreached: str, properties: Mapping[str, str]) -> str:
    """An address in words that names no port, completed from what the application configures."""
    if _PORT.search(unreached):
        return unreached
    found = list(_configured(properties))
    named = [entry for entry in found if entry[1] in unreached.lower()] or found
    if not named:
        return unreached
    address, program = named[0]
    return f"{address} ({_TITLES.get(program, program)})"


def _configured(properties: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """Address and program of each."""
    for name in ADDRESSES:
        url = _URL.search(properties.get(name, ""))
        if url and (port := url["port"] or _DEFAULT_PORTS.get(url["program"])):
            yield f"{url['host']}:{port}", url["program"]


def declaration(unreached: str, compose: Compose) -> list[str]:
    """Lines of a springbench.toml that start what was not reached, an address in words: by the
    project's compose file where that publishes the port. None without a port."""
    found = _PORT.search(unreached)
    if found is None:
        return []
    port = int(found[1])
    name = _publishing(port, compose)
    if name is None:
        image = _IMAGES.get(port, ("IMAGE",))
        command: Sequence[str] = ("docker", "run", "--rm", "-p", f"{port}:{port}", *image)
        title, stop = image[-1].rpartition("/")[2].partition(":")[0], []
    else:
        command = ("docker", "compose", "up", name)
        title, stop = name, ['stop = ["docker", "compose", "down"]']
    service_name = re.sub(r"[^a-z0-9]", "", title.lower()) or "service"
    return [
        "[[services]]",
        f'name = "{service_name}"',
        f"command = {json.dumps(list(command))}",
        *stop,
        f"port = {port}",
    ]


def _publishing(port: int, compose: Compose) -> str | None:
    """The service of a compose file that publishes a port."""
    for row in _rows(compose):
        if any(_published(mapping) == str(port) for mapping in row.get("ports") or ()):
            return str(row["name"])
    return None


def _rows(compose: Compose) -> Iterator[dict[str, Any]]:
    """The services of a compose file, with their names."""
    services = compose.get("services")
    for name, row in services.items() if isinstance(services, dict) else ():
        if isinstance(row, dict):
            yield {**row, "name": name}


def _inner(entry: object) -> int:
    """The port of the container in an entry; 0 where that is none."""
    text = str(entry.get("target", "")) if isinstance(entry, dict) else str(entry)
    port = text.rpartition(":")[2].partition("/")[0]
    return int(port) if port.isdecimal() else 0


def _published(entry: object) -> str:
    """The port of the host in an entry: `5432:5432`, `${DB_PORT:-5432}:5432`, or a table."""
    if isinstance(entry, dict):
        return str(entry.get("published", ""))
    filled = re.sub(r"\$\{[^}]*?:-(\d+)\}", r"\1", str(entry)).partition("/")[0]
    parts = filled.split(":")
    return parts[-2] if len(parts) > 1 else parts[0]


def compose_names() -> Iterator[str]:
    """Where docker compose looks, in its order."""
    yield from ("compose.yaml", "compose.yml", "docker-compose.yaml", "docker-compose.yml")
