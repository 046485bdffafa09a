"""`springbench run --load-host` with a real sshd in a network namespace of its own."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from springbench.results.store import load_run
from tests.commands.test_described_service import SHORT
from tests.host.remote.two_hosts import SecondHost, why_not
from tests.processes import SERVICES, Springbench, running, until

pytestmark = [
    pytest.mark.system,
    pytest.mark.skipif(bool(why_not()), reason=why_not()),
]
SERVER = f"{sys.executable} {SERVICES}/fake_server.py --server.port={{port}}"
# of the service that `--command` describes
HELLO, PAY = "app-app-own-command/hello/8", "app-app-own-command/pay/8"
OPEN = "--fake.host=0.0.0.0"
QUICKLY = ("--forks", 1, "--duration", 1)


def service(tmp_path: Path, command: str, *routes: str) -> Path:
    """A `springbench.toml` of a service with these routes."""
    file = tmp_path / "springbench.toml"
    words = ", ".join(f'"{word}"' for word in command.split())
    rows = "".join(f'[[routes]]\npath = "{path}"\nconnections = [8]\n' for path in routes)
    file.write_text(f'name = "app"\ncommand = [{words}]\n{rows}', encoding="utf-8")
    return file


def measure(
    tmp_path: Path, other_host: SecondHost, *more: object, command: str = f"{SERVER} {OPEN}"
) -> tuple[int, str, str, Springbench]:
    """A run that is waited for."""
    matrix = service(tmp_path, command, "/hello")
    options = ["--matrix", matrix, "--load-host", other_host.destination, *QUICKLY, *more]
    with running(tmp_path, *options, patch=SHORT) as run:
        return *run.end(), run


def test_the_load_comes_from_there(tmp_path: Path, other_host: SecondHost) -> None:
    code, out, err, run = measure(tmp_path, other_host)
    assert (code, err) == (0, ""), out
    assert f"the load comes from {other_host.destination}: " in out
    [result] = run.run.results
    [fork] = result.forks
    assert result.status == "ok"
    assert fork.load and fork.load.from_timeline and fork.load.throughput_rps > 0
    assert fork.load.load_cpu_ratio and fork.load.server_cpu_ratio
    host = run.run.host
    assert host.load_host and host.load_host.link_bytes_per_s > 0
    assert "-load-" in host.host_class
    # published files name no host of anybody's
    assert other_host.address not in (run.results / "latest" / "run.json").read_text(
        encoding="utf-8"
    )
    assert other_host.processes() == []


@pytest.mark.parametrize("kind", ["password", "host key", "unknown", "nobody"])
def test_a_host_that_cannot_be_used_is_one_line(
    tmp_path: Path, other_host: SecondHost, kind: str
) -> None:
    messages = {
        "password": "ssh asks for a password, and nobody is there to type it",
        "host key": "its host key is another than the one in known_hosts",
        "unknown": "its host key is not known here",
        "nobody": "nothing listens for ssh there",
    }
    if kind == "password":
        (other_host.folder / "key.pub").write_text("", encoding="ascii")
        other_host.passwords = "yes"
        other_host.restart()
    elif kind == "host key":
        other_host.new_host_key()
    elif kind == "unknown":
        (other_host.folder / "known_hosts").write_text("", encoding="ascii")
    else:
        other_host.stop()
    code, out, err, run = measure(tmp_path, other_host)
    assert code == 3
    assert messages[kind] in err
    assert len(err.strip().splitlines()) == 1, err
    assert not (run.results / "latest").exists()
    assert other_host.processes() == [], out


def test_a_server_that_listens_elsewhere_is_reported_at_once(
    tmp_path: Path, other_host: SecondHost
) -> None:
    code, _, _, run = measure(tmp_path, other_host, command=SERVER)
    assert code == 4
    [result] = run.run.results
    assert "127.0.0.1:" in (result.reason or "")
    assert f"does answer, and the load comes to {other_host.own_address}:" in (result.reason or "")


def test_a_server_that_listens_for_the_load_host_alone_is_measured(
    tmp_path: Path, other_host: SecondHost
) -> None:
    code, out, err, run = measure(
        tmp_path, other_host, command=f"{SERVER} --fake.host={other_host.own_address}"
    )
    assert (code, err) == (0, ""), out
    assert run.statuses == {HELLO: "ok"}


def test_a_host_that_vanishes_costs_what_is_not_measured_yet(
    tmp_path: Path, other_host: SecondHost
) -> None:
    matrix = service(tmp_path, f"{SERVER} {OPEN}", "/hello", "/pay")
    options = ["--matrix", matrix, "--load-host", other_host.destination]
    with running(tmp_path, *options, *QUICKLY, patch=SHORT) as run:
        run.wait_until(lambda: (run.results / "latest" / "run.json").exists() and _forks(run) == 1)
        run.wait_until(lambda: any("wrk" in line for line in other_host.processes()))
        other_host.vanish()
        code, out, err = run.end()
    assert code == 3, out
    assert "it does not answer; is it up, and reachable from here?" in err
    assert "what was measured is kept; `springbench run --resume " in err
    assert run.statuses == {HELLO: "ok", PAY: "skipped"}
    # nobody told it: it notices by itself
    assert until(lambda: other_host.processes() == [])
    other_host.come_back()
    with running(tmp_path, *options, "--resume", run.results / "latest", patch=SHORT) as again:
        code, out, err = again.end()
    assert (code, err) == (0, ""), out
    assert {result.case: result.status for result in load_run(run.results / "latest").results} == {
        HELLO: "ok",
        PAY: "ok",
    }


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGKILL])
def test_nothing_is_left_there(
    tmp_path: Path, other_host: SecondHost, number: signal.Signals
) -> None:
    matrix = service(tmp_path, f"{SERVER} {OPEN}", "/hello")
    with running(tmp_path, "--matrix", matrix, "--load-host", other_host.destination) as run:
        run.wait_until(lambda: any("wrk" in line for line in other_host.processes()))
        run.process.send_signal(number)
        code, _, _ = run.end()
    assert code == (130 if number == signal.SIGINT else -9)
    assert until(lambda: other_host.processes() == [])


def _forks(run: Springbench) -> int:
    return sum(len(result.forks) for result in run.run.results)


def test_two_sides_are_compared_from_there(tmp_path: Path, other_host: SecondHost) -> None:
    for side in ("old", "new"):
        folder = tmp_path / side
        folder.mkdir()
        service(folder, f"{SERVER} {OPEN}", "/hello")
    results = tmp_path / "results"
    done = subprocess.run(
        [
            *(sys.executable, "-m", "springbench", "compare", "old", "new"),
            *("--budget", "30", "--load-host", other_host.destination, "--no-explain"),
            *("--matrix", "new/springbench.toml", "--results", results, "--json"),
        ],
        cwd=tmp_path,
        env=other_host.environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    comparison = json.loads(done.stdout)
    assert comparison["host"]["load_host"]["load_cpus"]
    pairs = comparison["pairs"]["app-app-own-command"]
    assert pairs, done.stderr
    for pair in pairs:
        for side in pair["sides"].values():
            assert all(burst["throughput_rps"] > 0 for burst in side["bursts"][HELLO])
            assert all(burst["load_cpu_ratio"] > 0 for burst in side["bursts"][HELLO])
    assert other_host.processes() == []
