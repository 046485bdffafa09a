"""The real database on a second host, as a server of this one would read it."""

from __future__ import annotations

import os
import signal
from pathlib import Path

import pytest

from springbench.bench.tools import Tools
from springbench.build.jars import database_jar
from springbench.build.maven import build
from springbench.host.remote.connection import Connection
from springbench.host.remote.found import inspect_host
from springbench.host.remote.shell import RemoteShell
from springbench.host.shell import RealShell
from springbench.matrix.workloads import DatabaseTable as Table
from springbench.measure.services import database
from springbench.measure.services.database_launcher import DatabaseHost, DatabaseSpec, ReaderLogin
from springbench.paths import ROOT
from tests.host.remote.two_hosts import SecondHost, why_not
from tests.measure.testbeds import NOTHING
from tests.processes import until

pytestmark = [
    pytest.mark.system,
    pytest.mark.skipif(bool(why_not()), reason=why_not()),
]
PASSWORD = "0123456789abcdef"  # noqa: S105 - nobody's
TABLE = Table(rows=1_000, pool_size=40, max_connections=100)


@pytest.fixture(scope="session")
def jar(tools: Tools) -> Path:
    assert tools.maven is not None
    build([database.MODULE], tools.jdk, tools.maven, ROOT, RealShell())
    return database_jar(None)


def spec_of(connection: Connection, tools: Tools, jar: Path, tmp_path: Path) -> DatabaseSpec:
    found = inspect_host(connection)
    host = DatabaseHost(
        address=found.address,
        port=int(connection.ask("free_port", address=found.address)["port"]),
        reader=found.server_address,
    )
    reader = ReaderLogin(PASSWORD, connection.put("password", PASSWORD.encode()))
    remote_jar = Path(connection.put(jar.name, jar.read_bytes()))
    return DatabaseSpec(tools.jdk.java, remote_jar, tmp_path / "data", TABLE, reader, host=host)


@pytest.mark.timeout(600)  # the fixture may build first
def test_it_tells_how_busy_it_is_and_ends_in_order(
    tmp_path: Path, other_host: SecondHost, tools: Tools, jar: Path
) -> None:
    with Connection(other_host.destination) as connection:
        spec = spec_of(connection, tools, jar, tmp_path)
        shell = RemoteShell(connection, grace_s=database.STOP_GRACE_S)
        with database.started(shell, spec, tmp_path / "log", NOTHING) as ready:
            assert ready.address.startswith(f"{other_host.address}:")
            assert ready.user == "springbench_reader"
            assert ready.active_s() is not None
            ready.check_alive("load")
            commands = " ".join(other_host.processes())
            assert PASSWORD not in commands
        assert list((tmp_path / "data").glob("pg17-*-1000"))
        assert not list((tmp_path / "data").glob("pg17-*/postmaster.pid"))
    assert until(lambda: other_host.processes() == [])


@pytest.mark.timeout(600)
def test_it_ends_in_order_when_this_end_is_gone(
    tmp_path: Path, other_host: SecondHost, tools: Tools, jar: Path
) -> None:
    connection = Connection(other_host.destination)
    with connection:
        spec = spec_of(connection, tools, jar, tmp_path)
        shell = RemoteShell(connection, grace_s=database.STOP_GRACE_S)
        with database.started(shell, spec, tmp_path / "log", NOTHING):
            [files] = [folder for folder in (tmp_path / "data").glob("pg17-*") if folder.is_dir()]
            assert (files / "postmaster.pid").exists()
            os.kill(connection.pid, signal.SIGKILL)
            # PostgreSQL is a daemon: killing the launcher alone would leave it
            assert until(lambda: not (files / "postmaster.pid").exists())
            assert until(lambda: other_host.processes() == [])
