"""What a server could not reach, by what its log says: a database, a broker, another service. Pure.

Drivers of all languages say it in words of their own, and most with the address that they tried.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain

_UNREACHED = re.compile(
    r"connection refused|connectexception|econnrefused|connection timed out|etimedout"
    r"|no route to host|ehostunreach|unknownhost|enotfound|eai_again|no such host"
    r"|name or service not known|name resolution|nodename nor servname"
    r"|could not translate host name|communications link failure|connection attempt failed"
    r"|network adapter could not|unable to connect to|mongotimeoutexception|serverselection"
    r"|could not be established|brokers? are available|bootstrap broker .* disconnected",
    re.IGNORECASE,
)
_HOST = r"(?:\[[0-9a-fA-F:]+\]|::1|[A-Za-z0-9](?:[\w-]|\.(?=\w))*)"
# whom they name, the surest words first; the last one may be a file of a trace and its line
_ADDRESSES = (
    re.compile(rf"\b[a-z][a-z0-9+:.-]*://(?:[^\s/@\"']*@)?(?P<host>{_HOST})(?::(?P<port>\d+))?"),
    re.compile(rf"[\w.-]*/(?P<host>{_HOST}):(?P<port>\d{{2,5}})\b"),
    re.compile(rf"server at \"(?P<host>{_HOST})\".*?port (?P<port>\d+)"),
    re.compile(
        rf"(?:UnknownHost\w*:|ENOTFOUND|EAI_AGAIN|lookup|host name) \"?(?P<host>{_HOST})\b()"
    ),
    re.compile(rf"(?P<host>{_HOST}):(?P<port>\d{{2,5}})\b"),
)
# a file of a trace and its line, or a time of day
_NO_HOST = re.compile(
    r"\.(?:java|kt|scala|py|js|mjs|cjs|ts|go|rb|rs|php|cs|c|cc|cpp)$|^\d[\d-]*(?:T\d+)?$"
)
_TRACE = re.compile(r"^\s+(?:at |File \"|from |\.\.\. \d+ more)")
_NAMES = {
    1433: "SQL Server",
    1521: "Oracle",
    2181: "ZooKeeper",
    3306: "MySQL",
    4222: "NATS",
    5432: "PostgreSQL",
    5672: "RabbitMQ",
    6379: "Redis",
    9042: "Cassandra",
    9092: "Kafka",
    9200: "Elasticsearch",
    11211: "memcached",
    27017: "MongoDB",
    61616: "ActiveMQ",
}
# of drivers that have other names
_DRIVERS = {"psql": "PostgreSQL", "psycopg": "PostgreSQL", "amqp": "RabbitMQ", "lettuce": "Redis"}
_WORDS = {name.lower(): name for name in _NAMES.values()} | _DRIVERS
HINT = (
    "[[needs]] in springbench.toml starts what a service needs beside it, by name, command and port"
)


def unreached(lines: Sequence[str]) -> str | None:
    """Whom a server could not reach, for a person; None where nothing says that it could not."""
    told = [line for line in lines if not _TRACE.match(line)]
    telling = [line for line in told if _UNREACHED.search(line)]
    if not telling:
        return None
    # the last one is of the cause
    found = _found(reversed(telling))
    # any other line may name an address: it is one of those that are known
    beside = (each for each in _found(reversed(told)) if each[1] in _NAMES)
    for host, port in chain(found, beside):
        where = f"{host}:{port}" if port else host
        return f"{where} ({_NAMES[port]})" if port in _NAMES else where
    text = "\n".join(told).lower()
    named = next((f"{name}: " for word, name in _WORDS.items() if word in text), "")
    return f"{named}an address that only its log may name"


def _found(lines: Iterable[str]) -> Iterator[tuple[str, int | None]]:
    """Hosts with their ports, as far as a port stands there."""
    for line in lines:
        for address in _ADDRESSES:
            for match in address.finditer(line):
                if not _NO_HOST.search(match["host"]):
                    port = match.groupdict().get("port")
                    yield match["host"], int(port) if port else None
