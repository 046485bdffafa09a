"""What another host gets for a load, by an agent that runs here."""

from __future__ import annotations

import time
from dataclasses import replace
from pathlib import Path

import pytest

from springbench.host.remote.connection import Connection, local_agent
from springbench.host.shell import RealShell
from springbench.measure.load.driver import Driver
from springbench.measure.load.generator import IdSequence, Requests
from springbench.measure.load.load_host import OtherHost
from springbench.measure.load.wrk import Wrk
from springbench.measure.server.process import ServerProcess
from tests.fakes import FakeRunning
from tests.measure.testbeds import NOTHING, testbed

pytestmark = pytest.mark.process


def test_the_script_of_ids_lies_there_beside_the_one_that_it_reads(tmp_path: Path) -> None:
    with Connection("user@elsewhere", local_agent()) as connection:
        there = OtherHost(connection, "wrk", NOTHING, "127.0.0.1", "127.0.0.1")
        parts = replace(testbed(tmp_path, RealShell()), load_host=there)
        server = ServerProcess(FakeRunning(1, None), 8080, time.perf_counter())
        ids = IdSequence("/users/{id}", 6)
        place = Driver(parts, server, tmp_path).place("load")
        command = Wrk().command(Requests("/users/1", 8, 1.0, ids), place)
        [script] = [Path(word[9:]) for word in command if word.startswith("--script=")]
        read = script.read_text(encoding="utf-8").partition('dofile(here .. "')[2].partition('"')[0]
        assert (script.parent / read).is_file()
