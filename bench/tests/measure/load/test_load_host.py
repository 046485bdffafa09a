"""What another host gets for a load, by an agent that runs here."""

from __future__ import annotations

import time
from dataclasses import replace
from pathlib import Path

import pytest

from springbench.host.remote.connection import Connection, local_agent
from springbench.host.shell import RealShell
from springbench.matrix.templates import RequestTemplate, parse
from springbench.measure.load.driver import Driver
from springbench.measure.load.generator import Requests, private_file
from springbench.measure.load.load_host import OtherHost
from springbench.measure.load.wrk import Wrk
from springbench.measure.server.process import ServerProcess
from tests.fakes import FakeRunning
from tests.measure.testbeds import NOTHING, testbed

pytestmark = pytest.mark.process


def test_a_script_of_requests_is_there_for_its_load_and_gone_after_it(tmp_path: Path) -> None:
    with Connection("user@elsewhere", local_agent()) as connection:
        load_host = OtherHost(connection, "wrk", NOTHING, "127.0.0.1", "127.0.0.1")
        parts = replace(testbed(tmp_path, RealShell()), load_host=load_host)
        server = ServerProcess(FakeRunning(1, None), 8080, time.perf_counter())
        place = Driver(parts, server, tmp_path).place("load")
        template = RequestTemplate("users", parse("/users/{random:1:6}"))
        private = private_file(b"-- requests", ".lua")
        command = Wrk().command(Requests((template,), 8, 1.0), place, private)
        [script] = [Path(word[9:]) for word in command if word.startswith("--script=")]
        assert script.read_bytes() == b"-- requests"
        assert script.stat().st_mode & 0o777 == 0o600
        load_host.forget(private)
        assert not script.exists()
        assert not private.exists()
