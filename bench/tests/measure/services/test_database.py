"""The database as the harness sees it: its launcher is a real process, its rows are not."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from springbench.errors import CaseError, ConfigurationError, HostError
from springbench.host.ports import free_port
from springbench.host.shell import RealShell
from springbench.matrix.workloads import DatabaseTable as Table
from springbench.measure.services import database_launcher
from springbench.measure.services.database import BusyConnections, Database, started
from springbench.measure.services.database_launcher import (
    URL_VARIABLE,
    DatabaseHost,
    DatabaseSpec,
    ReaderLogin,
)
from springbench.messages import show_messages
from tests.fakes import FakeRunning, FakeShell
from tests.measure.testbeds import NOTHING

pytestmark = pytest.mark.process

LAUNCHER = Path(__file__).parents[2] / "services" / "fake_database.py"
TABLE = Table(rows=6_000_000, pool_size=40, max_connections=100)
PASSWORD = "s3cr%40t"  # noqa: S105 - nobody's
READER = ReaderLogin(PASSWORD, "/there/password")


@pytest.fixture(autouse=True)
def no_server_of_the_host(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever the person who tests has set."""
    monkeypatch.delenv(URL_VARIABLE, raising=False)


def spec_of(
    tmp_path: Path,
    *,
    table: Table = TABLE,
    seed: bool = False,
    reader: ReaderLogin | None = READER,
) -> DatabaseSpec:
    return DatabaseSpec(LAUNCHER, Path("database.jar"), tmp_path / "data", table, reader, seed)


def running(code: int | None = None, port: int = 1) -> Database:
    return Database(FakeRunning(1, code), "h:1/x", "me", port, 40, password="pw")  # noqa: S106


def test_its_own_is_kept_in_a_folder_and_tells_how_far_the_table_is(tmp_path: Path) -> None:
    messages: list[str] = []
    show_messages(messages.append)
    log = tmp_path / "log"
    with started(RealShell(), spec_of(tmp_path), log, NOTHING) as ready:
        assert ready.address == "127.0.0.1:15432/postgres"
        assert ready.password == PASSWORD
        assert PASSWORD not in repr(ready)
        ready.check_alive("load")
    command_line = json.loads(log.read_text().splitlines()[-1])["version"]
    assert (
        f"--data={tmp_path / 'data'} --reader-password-file=/there/password --port=" in command_line
    )
    assert PASSWORD not in log.read_text()
    assert "--rows=6000000" in command_line
    assert "--max-connections=100" in command_line
    assert messages[-1] == "making the table of users, once: 6,000,000 of 6,000,000 rows"
    assert len(messages) == 10


def test_one_on_another_host_is_read_with_a_password_that_no_command_line_has(
    tmp_path: Path,
) -> None:
    where = DatabaseHost("127.0.0.1", 15433, "10.0.0.7")
    spec = replace(spec_of(tmp_path), host=where)
    log = tmp_path / "log"
    with started(RealShell(), spec, log, NOTHING) as ready:
        assert (ready.password, ready.stats_host) == (PASSWORD, "127.0.0.1")
        assert ready.variables["SPRINGBENCH_DATABASE_PASSWORD"] == PASSWORD
        assert PASSWORD not in repr(ready)
    command_line = json.loads(log.read_text().splitlines()[-1])["version"]
    assert "--port=15433" in command_line
    assert "--listen=127.0.0.1 --reader-from=10.0.0.7" in command_line
    assert "--reader-password-file=/there/password" in command_line
    assert PASSWORD not in command_line


def test_busy_connections_are_their_time_in_statements_over_the_time(tmp_path: Path) -> None:
    with started(RealShell(), spec_of(tmp_path), tmp_path / "log", NOTHING) as ready:
        busy = BusyConnections.begin(ready)
        at_once = busy.end()
    assert at_once is not None
    assert at_once > 2.0  # two seconds of work, in much less than one


def test_one_that_does_not_tell_is_not_known() -> None:
    assert running(port=free_port()).active_s() is None
    assert BusyConnections.begin(running(port=free_port())).end() is None


def test_a_given_server_is_not_written_to_unless_asked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(URL_VARIABLE, f"postgresql://me:{PASSWORD}@host:5432/x")
    log = tmp_path / "log"
    spec = spec_of(tmp_path, reader=None)
    with started(RealShell(), spec, log, NOTHING) as ready:
        assert ready.password == "s3cr@t"  # noqa: S105
        assert PASSWORD not in repr(ready)
        assert "s3cr@t" not in repr(ready)
    with started(RealShell(), replace(spec, seed_existing=True), tmp_path / "2", NOTHING):
        pass
    first, second = (json.loads(f.read_text().splitlines()[-1]) for f in (log, tmp_path / "2"))
    assert first["version"].endswith("--rows=6000000 --existing")
    assert second["version"].endswith("--rows=6000000 --existing --seed")
    assert "s3cr" not in log.read_text()


def test_the_environment_of_a_server_has_the_login_and_not_the_url() -> None:
    assert running().variables == {
        "SPRINGBENCH_DATABASE_ADDRESS": "h:1/x",
        "SPRINGBENCH_DATABASE_USER": "me",
        "SPRINGBENCH_DATABASE_PASSWORD": "pw",
        "SPRINGBENCH_DATABASE_POOL_SIZE": "40",
    }


def test_a_refusal_is_the_persons_to_mend(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FAKE_DATABASE", "refused")
    with (
        pytest.raises(ConfigurationError, match=r"^the database at me@host:5432/x lacks"),
        started(RealShell(), spec_of(tmp_path), tmp_path / "log", NOTHING),
    ):
        pass


def test_one_that_does_not_start_has_the_last_word(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FAKE_DATABASE", "broken")
    with (
        pytest.raises(HostError, match="did not start; it printed: Error: Unable to access"),
        started(RealShell(), spec_of(tmp_path), tmp_path / "log", NOTHING),
    ):
        pass


def test_one_that_falls_silent_is_not_waited_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FAKE_DATABASE", "silent")
    monkeypatch.setattr(database_launcher, "SILENCE_CEILING_S", 0.5)
    with (
        pytest.raises(HostError, match="did not start"),
        started(RealShell(), spec_of(tmp_path), tmp_path / "log", NOTHING),
    ):
        pass


def test_a_pool_larger_than_the_server_allows_is_refused(tmp_path: Path) -> None:
    table = Table(rows=6_000_000, pool_size=100, max_connections=200)
    with (
        pytest.raises(ConfigurationError, match="lets in 100 connections"),
        started(RealShell(), spec_of(tmp_path, table=table), tmp_path / "log", NOTHING),
    ):
        pass


def test_one_that_has_ended_says_when_it_was_missed() -> None:
    with pytest.raises(CaseError, match="the database exited with code 3 during load"):
        running(3).check_alive("load")


def test_it_stays_off_the_servers_cpus(tmp_path: Path) -> None:
    shell = FakeShell()
    shell.answer("fake_database.py", code=1)
    with (
        pytest.raises(HostError),
        started(shell, spec_of(tmp_path), tmp_path / "log", frozenset({0, 2})),
    ):
        pass
    assert shell.calls[0].cpus == frozenset({0, 2})
