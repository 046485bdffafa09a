"""wrk's command line and its summary."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from springbench.errors import CaseError
from springbench.host.shell import RealShell
from springbench.matrix.templates import get
from springbench.measure.load.generator import TIMEOUT_S, Place, Requests
from springbench.measure.load.load_host import SameHost
from springbench.measure.load.wrk import (
    REPORT_SCRIPT,
    SPREAD_SCRIPT,
    Wrk,
    parse,
)
from tests.samples import wrk_summary

BASE, ROUTE = "http://127.0.0.1:8080", "/pay?orderId=A-1"
URL = BASE + ROUTE


def command(requests: Requests, threads: int) -> list[str]:
    host = SameHost(RealShell(), "/usr/bin/wrk", frozenset())
    return Wrk().command(requests, Place(host, BASE, threads, Path("/raw"), "load"))


def test_the_command_line() -> None:
    assert command(Requests((get(ROUTE),), 1000, 12.0), 2) == [
        "/usr/bin/wrk",
        "--threads=2",
        "--connections=1000",
        "--duration=12s",
        f"--timeout={TIMEOUT_S}s",
        "--latency",
        f"--script={REPORT_SCRIPT}",
        URL,
        "--",
        "1000",
    ]
    assert REPORT_SCRIPT.is_file()


def test_connections_begin_one_after_the_other_where_they_are_asked_to() -> None:
    words = command(Requests((get(ROUTE),), 1000, 12.0, begin_over_s=0.25), 2)
    assert f"--script={SPREAD_SCRIPT}" in words
    # of each of two threads
    assert words[words.index(URL) :] == [URL, "--", "1000", "500", "2", "250"]
    assert REPORT_SCRIPT.name in SPREAD_SCRIPT.read_text(encoding="utf-8")


def test_wrk_refuses_more_threads_than_connections() -> None:
    assert "--threads=3" in command(Requests((get(ROUTE),), 3, 5.0), 8)
    assert "--threads=1" in command(Requests((get(ROUTE),), 3, 5.0), 0)


@pytest.mark.parametrize(
    ("requested_s", "duration_s"), [(0.2, 1), (2.0, 2), (2.5, 3), (4.5, 5), (9.1, 10)]
)
def test_the_load_outlasts_what_was_asked_for(requested_s: float, duration_s: int) -> None:
    assert f"--duration={duration_s}s" in command(Requests((get(ROUTE),), 1, requested_s), 1)


def test_the_summary_is_found_among_what_wrk_prints() -> None:
    summary = wrk_summary(requests=70, status=3)
    output = f"Running 5s test\n  70 requests\nSPRINGBENCH {summary.model_dump_json()}\n"
    assert parse(output) == summary
    assert parse(output).bytes_per_response == 100


@pytest.mark.parametrize(
    ("output", "message"),
    [
        ("", "it printed: nothing"),
        ("a\nb\nunable to connect\nto host\n", "it printed: b | unable to connect | to host"),
        ("SPRINGBENCH {", "cannot be read: SPRINGBENCH {"),
        ("SPRINGBENCH {}", "cannot be read: SPRINGBENCH {}"),
        ("SPRINGBENCH nan", "cannot be read: SPRINGBENCH nan"),
    ],
)
def test_without_a_summary_wrk_has_the_last_word(output: str, message: str) -> None:
    with pytest.raises(CaseError) as caught:
        parse(output)
    assert message in str(caught.value)


@given(st.text())
def test_no_output_ends_in_anything_but_a_case_error(text: str) -> None:
    for output in (text, f"SPRINGBENCH {text}", f"SPRINGBENCH {json.dumps(text)}"):
        with pytest.raises(CaseError):
            parse(output)


@pytest.mark.parametrize(
    ("requests", "errors", "ratio"),
    [
        (100, {}, 0.0),
        (0, {}, 0.0),
        (100, {"status": 25}, 0.25),  # an answer with status 500 is counted in requests too
        (90, {"connect": 4, "read": 3, "write": 3}, 0.1),
        (0, {"connect": 8}, 1.0),
        (100, {"timeout": 50}, 0.0),  # slow is not failed
    ],
)
def test_failed_over_attempted(requests: int, errors: dict[str, int], ratio: float) -> None:
    assert wrk_summary(requests=requests, **errors).error_ratio == pytest.approx(ratio)


def test_no_answer_has_no_size() -> None:
    assert wrk_summary(requests=0).bytes_per_response is None
