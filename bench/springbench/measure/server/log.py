"""What a server says of itself: its output, and its collector's log."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from pathlib import Path

from springbench import units
from springbench.archives import FORMAT_BEFORE_JAVA
from springbench.measure.readings import gclog
from springbench.plan.cases import Variant

LOG = "server.log"
LOG_TAIL_LINES = 20
_WORDS_MAX = 200
_ERROR = re.compile(
    # not what Spring Boot says of every start that fails
    r"^(?!Error starting ApplicationContext\b|.*: Application run failed$)"
    r"(?:.*\b(?:ERROR|FATAL|SEVERE|CRITICAL)\b"
    r"|(?:\S+[ :])?\S*(?:Error|Exception)\b[: ]|Exception in thread|Description:$"
    r"|(?:panic|fatal|error|Unrecognized|Unsupported|Invalid|Improperly|Conflicting)\b)",
)
# of an analysis by Spring Boot, which says more than the error above it
_ANALYSIS = "Description:"
_HEADING = re.compile(
    r"^Error occurred during initialization of VM|^Error: LinkageError\b|^Description:$"
)
# what a JVM says of a class that was compiled for a newer one
_TOO_OLD_JAVA = re.compile(
    r"UnsupportedClassVersionError: .*class file version (?P<needed>\d+)\.\d.*"
    r"file versions up to (?P<own>\d+)\."
)
# of a log that a server fills with attempts to reach something
_SEARCHED_LINES = 400
# the folder of a run with all raw output
RAW = "raw"
# Spring Boot: Started Application in 1.234 seconds (process running for 1.6)
_STARTED_IN = re.compile(r"\bStarted \S+ in (\d+(?:\.\d+)?) seconds")
# what shells, and programs that start others, end with
_NEVER_BEGAN = {
    126: "its program may not be run (`chmod +x` lets it)",
    127: "there is no such program (it is looked for on the PATH, or in the artifact's folder)",
}


def started_in_s(folder: Path) -> float | None:
    """Start time that the server itself tells in its log; None where it says nothing."""
    match = _STARTED_IN.search(_text(folder))
    return float(match[1]) if match else None


def log_tail(folder: Path) -> list[str]:
    """The last lines that the server of a fork printed."""
    return _text(folder).splitlines()[-LOG_TAIL_LINES:]


_EXHAUSTED = re.compile(
    r"(?P<own>OutOfMemoryError: |StackOverflowError\b)|heap out of memory|runtime: out of memory"
    r"|\bMemoryError\b|bad_alloc|cannot allocate memory|too many open files"
    r"|no space left on device",
    re.IGNORECASE,
)


def with_what_it_lacks(reason: str, folder: Path) -> str:
    """A reason, with what the server says that it ran out of, and how often it says so.

    Whoever waits for its answers sees only that none comes.
    """
    messages = [
        line[match.start() if match["own"] else 0 :].strip()[:_WORDS_MAX]
        for line in _text(folder).splitlines()
        if (match := _EXHAUSTED.search(line))
    ]
    if not messages or messages[0] in reason:
        return reason
    often = "" if len(messages) == 1 else f" ({len(messages):,} such lines)"
    return f"{reason}; its log says: {messages[0]}{often}"


def why_it_ended(code: int, folder: Path | None, *, of_service: bool = False) -> str:
    """What an exit code means, what a server that ended in its start says of the cause, and where
    its log is.

    Its innermost cause, and the first error, wherever in its log they stand. Without either, a
    trace's lines are indented: the last line that is not says what happened. Empty where nothing
    tells.
    """
    lines = [line for line in (_text(folder) if folder else "").splitlines() if line.strip()]
    messages = [_NEVER_BEGAN.get(code, ""), *(line[:_WORDS_MAX] for line in causes(lines))]
    return "".join(f": {message}" for message in messages if message) + why_it_waits(
        folder, of_service=of_service
    )


def why_it_waits(folder: Path | None, *, of_service: bool = False) -> str:
    """What a server could not reach, how a service declares it, and where its log is.

    Empty where it has said nothing.
    """
    lines = _text(folder).splitlines() if folder else []
    if folder is None or not any(map(str.strip, lines)):
        return ""
    absent = unreached(lines[-_SEARCHED_LINES:])
    messages = [
        f"it could not reach {absent}" if absent else "",
        HINT if absent and of_service else "",
        f"log: {_in_run(folder / LOG)}",
    ]
    return "".join(f"; {message}" for message in messages if message)


def _in_run(log: Path) -> str:
    """Its path in the folder of the run: what names the host's own folders is not published."""
    parts = log.parts
    if RAW not in parts:
        return log.name
    return "/".join(parts[len(parts) - 1 - parts[::-1].index(RAW) :])


def causes(lines: Sequence[str]) -> list[str]:
    """What a program's output says of why it ended: lines, none of them blank."""
    innermost = [line.strip() for line in lines if line.lstrip().startswith("Caused by:")][-1:]
    first = next((at for at, line in enumerate(lines) if line == _ANALYSIS), None)
    if first is None:
        first = next((at for at, line in enumerate(lines) if _ERROR.search(line)), None)
    if first is None:
        last = next((line for line in reversed(lines) if not line[0].isspace()), "")
        return [_with_java_needed(line) for line in innermost or [last.strip()]]
    # each of these is a heading, and the line below it says what is wrong, or that a list does
    shown = [lines[first]]
    if _HEADING.search(lines[first]):
        shown += lines[first + 1 : first + 2]
        shown += lines[first + 2 : first + 3] if shown[-1].endswith(":") else []
    found = dict.fromkeys([*innermost, *(line.strip(" :-") for line in shown)])
    return [_with_java_needed(line) for line in found]


def _with_java_needed(line: str) -> str:
    """A line of a class that was compiled for a newer Java, with the releases of both; any other
    as it is."""
    if not (old := _TOO_OLD_JAVA.search(line)):
        return line
    needed, own = (int(old[name]) - FORMAT_BEFORE_JAVA for name in ("needed", "own"))
    return f"it was compiled for Java {needed}, and this is Java {own} (set JAVA_HOME)"


def gc_log(variant: Variant, folder: Path) -> Path:
    """Where a server tells its collections: a log of its own, or among its other output."""
    return folder / (LOG if variant.runtime.prints_collections else gclog.GC_LOG)


def heap_words(variant: Variant, folder: Path) -> str:
    """How much of its memory was heap, as far as its collections tell. Empty where none does."""
    most_bytes = gclog.most_bytes(gclog.read(gc_log(variant, folder)) or [])
    if not most_bytes:
        return ""
    return f": its heap held {units.megabytes(most_bytes)} at most, the rest was outside the heap"


def _text(folder: Path) -> str:
    try:
        return (folder / LOG).read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""


_UNREACHED = re.compile(
    r"connection (?:to \S+ )?refused|connectexception|econnrefused|connection timed out|etimedout"
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
    "[[services]] in springbench.toml starts what a service needs beside it, by name, command and "
    "port"
)


def unreached(lines: Sequence[str]) -> str | None:
    """Whom a server could not reach, for a person; None where nothing says that it could not."""
    messages = [line for line in lines if not _TRACE.match(line)]
    telling = [line for line in messages if _UNREACHED.search(line)]
    if not telling:
        return None
    # the last one is of the cause
    found = _found(reversed(telling))
    # any other line may name an address: it is one of those that are known
    known_addresses = (address for address in _found(reversed(messages)) if address[1] in _NAMES)
    for host, port in chain(found, known_addresses):
        where = f"{host}:{port}" if port else host
        return f"{where} ({_NAMES[port]})" if port in _NAMES else where
    text = "\n".join(messages).lower()
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
