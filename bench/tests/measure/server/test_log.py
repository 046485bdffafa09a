"""What a server says of itself, and what is made of it."""

from __future__ import annotations

from pathlib import Path

import pytest

from springbench.compare.sides import find_variant
from springbench.matrix.rows import Matrix
from springbench.measure.readings.gclog import GC_LOG
from springbench.measure.server.log import (
    LOG,
    LOG_TAIL_LINES,
    gc_log,
    heap_words,
    log_tail,
    started_in_s,
    unreached,
    why_it_ended,
    why_it_waits,
    with_what_it_lacks,
)
from springbench.plan.cases import Variant

JAVA_TRACE = """\
Exception in thread "main" java.lang.IllegalStateException: no port
\tat dev.Application.main(Application.java:7)
Caused by: java.net.BindException: Address already in use
\tat java.base/sun.nio.ch.Net.bind(Native Method)
\t... 12 more

"""
OLD_JAVA = """\
Error: LinkageError occurred while loading main class dev.Application
\tjava.lang.UnsupportedClassVersionError: dev/Application has been compiled by a more recent \
version of the Java Runtime (class file version 69.0), this version of the Java Runtime only \
recognizes class file versions up to 61.0
"""
NO_JVM = """\
Picked up JAVA_TOOL_OPTIONS: -Xfoo
Unrecognized option: -Xfoo
Error: Could not create the Java Virtual Machine.
Error: A fatal exception has occurred. Program will exit.
"""


def written(folder: Path, text: str, name: str = LOG) -> Path:
    (folder / name).write_text(text, encoding="utf-8")
    return folder


def variant_of(matrix: Matrix, runtime: str) -> Variant:
    variant = find_variant(f"boot4-tomcat-virtual-{runtime}", matrix)
    assert variant
    return variant


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (JAVA_TRACE, "Caused by: java.net.BindException: Address already in use"),
        ("starting\npanic: listen tcp :80: bind: permission denied\n", "panic: listen tcp :80"),
        ("Traceback:\n  File 'x'\nKeyError: 'PORT'\n", "KeyError: 'PORT'"),
        ("Error: Unable to access jarfile app.jar", "Error: Unable to access jarfile app.jar"),
        (
            OLD_JAVA,
            "Error: LinkageError occurred while loading main class dev.Application: it was "
            "compiled for Java 25, and this is Java 17 (set JAVA_HOME)",
        ),
        (
            f'Exception in thread "main" {OLD_JAVA.splitlines()[1].strip()}\n\tat dev.Main\n',
            "it was compiled for Java 25, and this is Java 17 (set JAVA_HOME)",
        ),
        # a plugin that could be left out is not why it ended
        (f"WARN skipped: {OLD_JAVA.splitlines()[1].strip()}\nError: no port\n", "Error: no port"),
        # the lines that follow say that it ended
        (NO_JVM, "Unrecognized option: -Xfoo"),
        (
            "Error occurred during initialization of VM\nInitial heap size set to a larger value\n",
            "Error occurred during initialization of VM: Initial heap size set to a larger value",
        ),
        (
            "APPLICATION FAILED TO START\n\nDescription:\n\nPort 8080 was already in use.\n\n"
            "Action:\n\nStop the process.\n",
            "Description: Port 8080 was already in use.",
        ),
        (
            "Error starting ApplicationContext. To display the report re-run with 'debug'.\n"
            "10:00 ERROR 7 --- [main] LoggingFailureAnalysisReporter :\n\n"
            "APPLICATION FAILED TO START\n\nDescription:\n\nNo bean of type 'x'.\n",
            "Description: No bean of type 'x'.",
        ),
        (
            "node:internal\n  throw err;\n\nError: Cannot find x\nNode.js v22\n",
            "Error: Cannot find x",
        ),
        (f"{JAVA_TRACE}shutting down\nbye\n", "Caused by: java.net.BindException: Address already"),
    ],
)
def test_the_last_words_are_those_that_say_what_happened(
    tmp_path: Path, text: str, words: str
) -> None:
    assert why_it_ended(1, written(tmp_path, text)).startswith(f": {words}")


def test_a_program_that_never_began_is_reported_as_that(tmp_path: Path) -> None:
    written(tmp_path, "sh: 1: exec: ./serve: not found\n")
    message = why_it_ended(127, tmp_path)
    assert message.startswith(": there is no such program")
    assert ": sh: 1: exec: ./serve: not found; log: " in message
    assert "chmod +x" in why_it_ended(126, tmp_path)


def test_one_that_said_nothing_leaves_nothing_to_tell(tmp_path: Path) -> None:
    assert why_it_ended(1, tmp_path) == ""
    assert why_it_ended(1, None) == ""
    assert why_it_ended(1, written(tmp_path, "   \n\n")) == ""


def test_words_without_end_are_cut(tmp_path: Path) -> None:
    assert len(why_it_ended(1, written(tmp_path, "x" * 100_000))) < 250


def test_an_images_collections_stand_among_its_other_output(tmp_path: Path, matrix: Matrix) -> None:
    image, jvm = variant_of(matrix, "native"), variant_of(matrix, "jvm")
    assert gc_log(image, tmp_path) == tmp_path / LOG
    assert gc_log(jvm, tmp_path) == tmp_path / GC_LOG
    pause = "[9.1s] GC(3) Pause Full GC (Collect on allocation) 533.25M->484.25M 436.0ms\n"
    written(tmp_path, f"Started App in 0.09 seconds\n{pause}")
    assert heap_words(image, tmp_path) == (
        ": its heap held 533 MiB at most, the rest was outside the heap"
    )
    assert heap_words(jvm, tmp_path) == ""
    written(tmp_path, "[9.1s] GC(3) Pause Full (Allocation) 400M->300M(614M) 9.0ms\n", GC_LOG)
    assert "held 400 MiB" in heap_words(jvm, tmp_path)


def test_the_last_lines_of_the_log(tmp_path: Path) -> None:
    assert log_tail(tmp_path) == []
    lines = [f"line {number}" for number in range(100)]
    (tmp_path / "server.log").write_bytes("\n".join(lines).encode() + b"\n\xff")
    assert log_tail(tmp_path) == [*lines[-LOG_TAIL_LINES + 1 :], "\ufffd"]


def test_what_the_server_says_of_its_own_start(tmp_path: Path) -> None:
    assert started_in_s(tmp_path) is None
    log = tmp_path / "server.log"
    log.write_text("Starting Application\nno such line\n", encoding="utf-8")
    assert started_in_s(tmp_path) is None
    log.write_text(
        "x INFO 1 --- [main] a.Application : Started Application in 2.345 seconds "
        "(process running for 2.9)\n",
        encoding="utf-8",
    )
    assert started_in_s(tmp_path) == 2.345


def test_the_log_is_named_by_its_place_in_the_run(tmp_path: Path) -> None:
    folder = tmp_path / "raw" / "app-orders-own-jvm" / "orders-17" / "64" / "fork-0"
    folder.mkdir(parents=True)
    written(folder, "boom\n")
    message = why_it_ended(1, folder)
    assert message == ": boom; log: raw/app-orders-own-jvm/orders-17/64/fork-0/server.log"


def test_the_innermost_cause_is_reported_and_not_what_comes_after_it(tmp_path: Path) -> None:
    text = (
        "org.springframework.beans.BeanCreationException: Error creating bean\n"
        "\tat a.B.c(B.java:1)\n"
        "Caused by: org.postgresql.util.PSQLException: Connection to localhost:5432 refused.\n"
        "\tat a.B.c(B.java:2)\n"
        "Caused by: java.net.ConnectException: Connection refused\n"
        "\t... 40 more\n"
        "2026-11-26T10:00:00 INFO  Shutdown completed.\n"
    )
    message = why_it_ended(1, written(tmp_path, text), of_service=True)
    assert message.startswith(": Caused by: java.net.ConnectException: Connection refused: ")
    assert "BeanCreationException: Error creating bean; it could not reach" in message
    assert (
        "could not reach localhost:5432 (PostgreSQL); [[services]] in springbench.toml" in message
    )
    # who has a matrix declares no such programs
    assert "springbench.toml" not in why_it_ended(1, tmp_path)


def test_that_a_start_failed_is_no_reason(tmp_path: Path) -> None:
    text = (
        "2026-11-30T07:05:45Z ERROR 9218 --- [main] o.s.boot.SpringApplication : "
        "Application run failed\n"
        "org.springframework.context.ApplicationContextException: Unable to start web server\n"
        "Caused by: java.lang.ClassNotFoundException: jdk.net.Sockets\n"
    )
    assert why_it_ended(1, written(tmp_path, text)).startswith(
        ": Caused by: java.lang.ClassNotFoundException: jdk.net.Sockets: "
        "org.springframework.context.ApplicationContextException: Unable to start web server; "
    )


def test_one_that_asks_for_ever_says_whom(tmp_path: Path) -> None:
    text = "[Producer] Bootstrap broker localhost:9092 (id: -1 rack: null) disconnected\n" * 50
    assert "it could not reach localhost:9092 (Kafka)" in why_it_waits(written(tmp_path, text))


@pytest.mark.parametrize(
    ("text", "whom"),
    [
        # Node.js, Go, Python, Ruby, Rust, .NET
        (
            "Error: connect ECONNREFUSED 127.0.0.1:6379\n    at TCP.x (net.js:16)",
            "127.0.0.1:6379 (Redis)",
        ),
        ("panic: dial tcp [::1]:5432: connect: connection refused", "[::1]:5432 (PostgreSQL)"),
        (
            'psycopg2.OperationalError: connection to server at "db" (10.0.0.2), port 5432 failed: '
            "Connection refused\n\tIs the server running on that host?",
            "db:5432 (PostgreSQL)",
        ),
        (
            "redis.exceptions.ConnectionError: Error 111 connecting to cache:6379. "
            "Connection refused.",
            "cache:6379 (Redis)",
        ),
        ("MongoServerSelectionError: connect ECONNREFUSED ::1:27017", "::1:27017 (MongoDB)"),
        (
            "pymongo.errors.ServerSelectionTimeoutError: mongo.local:27017: [Errno 111]",
            "mongo.local:27017 (MongoDB)",
        ),
        # by name
        (
            "Caused by: java.net.UnknownHostException: orders-db: Name or service not known",
            "orders-db",
        ),
        ("Error: getaddrinfo ENOTFOUND broker", "broker"),
        ("dial tcp: lookup broker.internal: no such host", "broker.internal"),
        # an address that another line has, without what is secret in it
        (
            "HikariPool-1 - jdbc:mysql://root:secret@localhost:3306/orders?password=secret\n"
            "com.mysql.cj.jdbc.exceptions.CommunicationsException: Communications link failure",
            "localhost:3306 (MySQL)",
        ),
        (
            "Connection to node -1 (kafka/10.0.0.5:9092) could not be established.",
            "10.0.0.5:9092 (Kafka)",
        ),
        (
            "Attempting to connect to: [localhost:5672]\n"
            "Caused by: java.net.ConnectException: Connection refused\n\tat a.B(Net.java:589)",
            "localhost:5672 (RabbitMQ)",
        ),
        # none has one
        (
            "Caused by: java.net.ConnectException: Connection refused\n\tat a.B(Net.java:589)",
            "an address that only its log may name",
        ),
        (
            "org.postgresql.util.PSQLException: The connection attempt failed.\n\tat a.B(C.java:5)",
            "PostgreSQL: an address that only its log may name",
        ),
    ],
)
def test_whom_a_server_could_not_reach_is_reported_for_every_language(text: str, whom: str) -> None:
    assert unreached(text.splitlines()) == whom


@pytest.mark.parametrize(
    "text",
    [
        "java.net.BindException: Address already in use: localhost:8080",
        "Tomcat started on port 8080 (http) with context path '/'",
        "INFO HikariPool-1 - Added connection jdbc:postgresql://localhost:5432/orders",
        "panic: runtime error: index out of range [5] with length 3\nmain.go:12",
    ],
)
def test_what_failed_otherwise_blames_nobody(text: str) -> None:
    assert unreached(text.splitlines()) is None


DIRECT = (
    "OutOfMemoryError: Cannot reserve 17408 bytes of direct buffer memory (allocated: 134207488"
)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (f"ServletException: Handler dispatch failed: java.lang.{DIRECT}\n", DIRECT),
        (f"Caused by: java.lang.{DIRECT}\n" * 3, f"{DIRECT} (3 such lines)"),
        (
            "FATAL ERROR: JavaScript heap out of memory",
            "FATAL ERROR: JavaScript heap out of memory",
        ),
        (
            "fatal error: runtime: out of memory\n\ngoroutine 1",
            "fatal error: runtime: out of memory",
        ),
        ("accept: Too many open files", "accept: Too many open files"),
        ("Started in 1.2 s\nOutOfMemory is a word in a line", None),
        ("", None),
    ],
)
def test_what_a_server_ran_out_of_is_said_with_the_reason(
    tmp_path: Path, text: str, message: str | None
) -> None:
    reason = "no request was answered during a burst"
    found = with_what_it_lacks(reason, written(tmp_path, text))
    assert found == (f"{reason}; its log says: {message}" if message else reason)
    # and once only
    assert with_what_it_lacks(found, tmp_path) == found
