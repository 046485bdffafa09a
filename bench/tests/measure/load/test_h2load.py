"""h2load: its command line, its list of answers, and what cannot be sent by it."""

from __future__ import annotations

import signal
import time
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from springbench.errors import CaseError
from springbench.host.remote.running import ProcessSample
from springbench.host.shell import RealShell
from springbench.matrix.requests import RequestRow
from springbench.matrix.servers import HttpProtocol
from springbench.matrix.templates import get
from springbench.measure.load.drawn_requests import private_files
from springbench.measure.load.generator import Place, Requests, RunningLoad
from springbench.measure.load.h2load import (
    FILES,
    Answers,
    H2load,
    parse,
    refusal,
    summary_of,
)
from springbench.measure.load.load_host import SameHost
from springbench.results.records import LoadSummary

H2 = HttpProtocol(id="h2", description="HTTP/2 with TLS", tls=True, streams=8)
BASE = "https://127.0.0.1:8443"
SAMPLE = ProcessSample(1.0, 100, 7, 0.5)


def command(requests: Requests, threads: int = 1) -> list[str]:
    host = SameHost(RealShell(), "wrk", frozenset())
    place = Place(host, BASE, threads, Path("/raw"), "load")
    private = private_files(requests.templates, BASE, FILES)
    log = Path("/raw/load.log")
    return H2load(Path("/usr/bin/h2load"), H2).command(requests, place, log, private)


def test_the_command_line() -> None:
    assert command(Requests((get("/hello"),), 64, 11.2)) == [
        "/usr/bin/h2load",
        "--clients=8",
        "--max-concurrent-streams=8",
        "--threads=1",
        "--duration=12",
        "--log-file=/raw/load.log",
        f"{BASE}/hello",
    ]


def test_method_and_headers_are_sent_as_http2_has_them() -> None:
    template = RequestRow(method="DELETE", headers={"X-One": "1"}).template("a", "/a")
    words = command(Requests((template,), 8, 1.0))
    assert "--header=:method: DELETE" in words
    # names of HTTP/2 have no capitals (RFC 9113, 8.2.1)
    assert "--header=x-one: 1" in words


def test_paths_that_differ_and_bodies_are_in_files() -> None:
    row = RequestRow(method="POST", body='{"a": 1}', status=201)
    words = command(Requests((row.template("a", "/a/{random:1:9}"),), 8, 1.0))
    files = dict(word.split("=", 1) for word in words if word.startswith(("--input", "--data")))
    assert Path(files["--data"]).read_text(encoding="utf-8") == '{"a": 1}'
    paths = set(Path(files["--input-file"]).read_text(encoding="utf-8").splitlines())
    assert paths == {f"{BASE}/a/{number}" for number in range(1, 10)}
    assert not any(word.startswith(BASE) for word in words)


@given(at_once=st.integers(1, 5000), streams=st.integers(1, 100))
def test_connections_and_streams_make_the_requests_at_once_exactly(
    at_once: int, streams: int
) -> None:
    of_each = H2.model_copy(update={"streams": streams}).streams_of(at_once)
    assert 1 <= of_each <= streams
    assert at_once % of_each == 0


@pytest.mark.parametrize(
    ("rows", "path", "why"),
    [
        (
            [RequestRow(), RequestRow(method="PUT")],
            "/a",
            "h2load sends a mix only where",
        ),
        ([RequestRow()], "/a?n={n}", "h2load draws from a list, and cannot number requests by {n}"),
        ([RequestRow(headers={"A": "{token}"})], "/a", "h2load takes the header A on its command"),
        ([RequestRow(headers={"A": "{random:1:2}"})], "/a", "h2load sends the same header A each"),
        ([RequestRow(body='{"a": {random:1:9}}')], "/a", "h2load sends the same body each time"),
        ([RequestRow(), RequestRow()], "/a", ""),
        ([RequestRow()], "/a/{random:1:9}", ""),
        ([RequestRow(method="POST", body='{"a": "{env:B}"}')], "/a", ""),
        ([RequestRow(method="POST", body='{"a": 1}')], "/a", ""),
    ],
)
def test_what_it_cannot_send_is_said(rows: list[RequestRow], path: str, why: str) -> None:
    found = refusal([row.template("a", path) for row in rows])
    assert found.startswith(why) and bool(found) == bool(why)


def test_each_line_is_an_answer_and_the_last_may_be_cut() -> None:
    rows = parse("1000\t200\t30\n1010\t-1\t40\n1020\t503\t50\n10")
    assert rows.tolist() == [[1000, 200, 30], [1010, -1, 40], [1020, 503, 50]]
    summary = summary_of(rows)
    assert (summary.requests, summary.errors.read, summary.errors.status) == (2, 1, 1)
    assert summary.answered_ratio == pytest.approx(2 / 3)
    assert summary.latency_s.mean == pytest.approx(40e-6)
    assert summary.latencies_us == ((30, 1), (50, 1))
    assert summary.duration_s == pytest.approx(70e-6)
    # nobody counts the bytes of an answer among those of others
    assert summary.bytes_per_response is None


def test_latencies_are_those_of_the_answers_of_a_window(tmp_path: Path) -> None:
    log = tmp_path / "load.log"
    answers = Answers(log)
    at_us = round(time.time() * 1e6)
    log.write_text("".join(f"{at_us + 1000 * n}\t200\t{100 * (n + 1)}\n" for n in range(10)))
    load = RunningLoad("h2load", None, None, None, answers.summary)  # type: ignore[arg-type]
    assert load.summary().requests == 10
    begin_s = time.perf_counter() - (time.time() - at_us / 1e6)
    # each takes longer than the one before
    part = answers.between(begin_s + 0.0044, begin_s + 0.0095)
    assert part.latencies_us == ((500, 1), (600, 1), (700, 1), (800, 1), (900, 1))
    assert answers.between(0.0, 1e-9).requests == 0
    assert not log.exists()


def test_what_is_no_list_is_refused() -> None:
    with pytest.raises(CaseError, match="cannot be read"):
        parse("what\n")


def test_nothing_answered_is_no_throughput() -> None:
    summary = summary_of(np.array([[1000, -1, 30]]))
    assert (summary.requests, summary.answered_ratio, summary.latencies_us) == (0, 0.0, ())


@pytest.mark.parametrize("code", [0, -signal.SIGTERM])
def test_a_load_too_short_for_an_answer_has_none(tmp_path: Path, code: int) -> None:
    (tmp_path / "load.log").touch()
    assert _ended(tmp_path, code).summary().requests == 0


def test_a_generator_that_failed_is_told_with_its_last_words(tmp_path: Path) -> None:
    (tmp_path / "load.log").touch()
    (tmp_path / "load.txt").write_text("spawning\nCould not resolve host\n")
    with pytest.raises(CaseError, match=r"h2load failed.*Could not resolve host"):
        _ended(tmp_path, 1).summary()


def _ended(folder: Path, code: int) -> RunningLoad[LoadSummary]:
    process = SimpleNamespace(poll=lambda: code)
    place = SimpleNamespace(output=folder / "load.txt")
    answers = Answers(folder / "load.log")
    return RunningLoad("h2load", place, process, None, answers.summary)  # type: ignore[arg-type]


@given(pieces=st.lists(st.text("0123456789\t\n", max_size=40), max_size=10))
def test_answers_are_counted_as_their_lines_come(
    pieces: list[str], tmp_path_factory: pytest.TempPathFactory
) -> None:
    log = tmp_path_factory.mktemp("h2load") / "load.log"
    log.touch()
    answers, written = Answers(log), ""
    for piece in pieces:
        with log.open("a") as file:
            file.write(piece)
        written += piece
        assert answers.counted(SAMPLE).requests == written.count("\n")
    # a process that is gone has answered nothing more
    assert answers.counted(SAMPLE._replace(requests=None)).requests is None


@pytest.mark.process
def test_it_is_ended_where_a_shell_has_made_all_deaf_to_interrupts(tmp_path: Path) -> None:
    """As a script does with what it starts in its background."""
    program = tmp_path / "h2load"
    program.write_text("#!/bin/sh\ntrap '' INT\nexec sleep 60\n", encoding="utf-8")
    program.chmod(0o755)
    place = Place(SameHost(RealShell(), "wrk", frozenset()), BASE, 1, tmp_path, "load")
    with H2load(program, H2).start(Requests((get("/"),), 8, 60.0), place) as load:
        assert load.can_end
        load.end()
        assert load.has_ended(10.0)
