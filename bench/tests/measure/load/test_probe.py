"""The probe beside a load: it asks where the load comes to."""

from __future__ import annotations

import sys
import time
from pathlib import Path

import pytest

from springbench.host.ports import free_port
from springbench.host.shell import RealShell
from springbench.matrix.templates import get
from springbench.measure.load.probe import Probe, Probed, wrong_answers, wrong_answers_by_request
from springbench.measure.server.process import ServerProcess
from tests.processes import SERVICES

pytestmark = pytest.mark.process


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere the loopback has one address")
def test_it_asks_a_server_that_listens_for_the_load_host_alone(tmp_path: Path) -> None:
    address, port = "127.0.0.2", free_port()
    command = [sys.executable, str(SERVICES / "fake_server.py"), f"--server.port={port}"]
    with (tmp_path / "log").open("wb") as log:
        running = RealShell().start([*command, f"--fake.host={address}"], stdout=log)
    try:
        server = ServerProcess(running, port, time.perf_counter(), address=address)
        server.wait_ready("/hello", 20)
        with Probe(server.ask, [get("/hello")], time.monotonic) as probe:
            end_s = time.monotonic() + 20
            while not probe.seen and time.monotonic() < end_s:
                time.sleep(0.01)
        assert probe.seen[0].answer == "200"
    finally:
        running.stop(0.0)


def test_each_probe_stands_for_the_requests_around_it() -> None:
    # four times as fast once it fails
    request_counts = [(0.0, 0.0), (1.0, 100.0), (2.0, 500.0)]
    seen = [
        Probed(at_s, "200" if at_s < 1 else "302 to /login", is_ok=at_s < 1)
        for at_s in (0.25, 0.75, 1.25, 1.75)
    ]
    found = wrong_answers(seen, 0.0, 2.0, request_counts)
    assert (found.ratio, found.answer, found.probes) == (0.8, "302 to /login", 4)
    assert wrong_answers(seen, 0.0, 2.0).ratio == 0.5
    assert wrong_answers(seen, 0.0, 0.9, request_counts) == (0.0, "", 2)
    assert not found.is_counted


def test_where_no_answer_is_right_all_are_wrong_whatever_the_rate_does() -> None:
    request_counts = [(0.0, 0.0), (0.3, 0.1), (1.0, 33.7), (2.0, 1234.9)]
    seen = [Probed(index / 10 + 0.03, "204", is_ok=False) for index in range(20)]
    assert wrong_answers(seen, 0.0, 2.0, request_counts).ratio == 1


def test_probes_of_a_mix_count_by_the_weights_of_what_they_ask() -> None:
    seen = [
        Probed(
            0.1 * number,
            "200" if number % 2 else "500",
            is_ok=bool(number % 2),
            template_index=number % 2,
        )
        for number in range(10)
    ]
    overall, by_request = wrong_answers_by_request(seen, [1, 9], 0.0, 1.0)
    assert overall.ratio == pytest.approx(0.1)
    assert (overall.answer, overall.probes) == ("500", 10)
    assert [wrong.ratio for wrong in by_request] == [1, 0]
    # what no probe has asked says nothing
    assert wrong_answers_by_request(seen[:1], [1, 9], 0.0, 1.0)[0].ratio == 1
    assert wrong_answers_by_request([], [1, 9], 0.0, 1.0)[0].ratio == 0
