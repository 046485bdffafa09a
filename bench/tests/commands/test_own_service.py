"""A service of one's own that was built elsewhere: a program by its name, and no Java."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

import pytest

from springbench.results.run import Result
from tests.conftest import left_behind
from tests.processes import SERVICES, running

pytestmark = pytest.mark.process

MATRIX = """\
schema = 1

[[boots]]
id = "own"

[[servers]]
id = "serve"
boots = ["own"]
models = ["plain"]
runtimes = ["binary"]
module = "anywhere"
artifact = "target/serve"
health = "/hello"

[[models]]
id = "plain"
description = "as it is"

[[runtimes]]
id = "binary"
description = "a program"
start = [{command}]

[[workloads]]
id = "hello"
route = "/hello"
question = "Does it answer?"

[[profiles]]
id = "quick"
description = "once"

[[profiles.loads]]
workload = "hello"
connections = [4]
warmup_min_s = 0.2
warmup_max_s = 0.2
window_s = 0.5
"""
# this host has neither a JDK nor Maven
WITHOUT_JAVA = """\
import springbench.bench.tools as tools
tools.find_asked_jdk = lambda *_: None
tools.find_jdk = tools.find_maven = lambda: None
"""
PORT = '"--server.port={port}"'


@pytest.fixture
def jars(tmp_path: Path) -> Path:
    """What a workflow brings: a program that lost the right to be run."""
    folder = tmp_path / "brought"
    folder.mkdir()
    shutil.copyfile(SERVICES / "fake_server.py", folder / "serve")
    text = (folder / "serve").read_text(encoding="utf-8")
    (folder / "serve").write_text(f"#!{sys.executable}\n{text}", encoding="utf-8")
    (folder / "serve").chmod(0o644)
    return folder


def measure(tmp_path: Path, jars: Path, command: str, patch: str = "") -> tuple[int, Result, str]:
    """Exit code, result and standard output of a run."""
    matrix = tmp_path / "matrix.toml"
    matrix.write_text(MATRIX.replace("{command}", command), encoding="utf-8")
    with running(tmp_path, "--matrix", matrix, "--jars", jars, patch=patch) as springbench:
        code, out, err = springbench.end()
    assert err == ""
    assert left_behind() == []
    [result] = springbench.run.results
    return code, result, out


@pytest.mark.parametrize(
    "program", ['"./serve"', pytest.param('"{artifact}"', marks=pytest.mark.system)]
)
def test_it_is_started_where_it_lies_and_may_be_run(
    tmp_path: Path, jars: Path, program: str
) -> None:
    code, result, _ = measure(tmp_path, jars, f"{program}, {PORT}")
    assert (code, result.status, result.reason) == (0, "ok", None)


@pytest.mark.system
def test_it_needs_no_java(tmp_path: Path, jars: Path) -> None:
    code, result, _ = measure(tmp_path, jars, f'"./serve", {PORT}', WITHOUT_JAVA)
    assert (code, result.status) == (0, "ok")


@pytest.mark.parametrize(
    ("program", "message"),
    [("./server", "there is no such program"), ("nosuchprogram", "there is no such program")],
)
def test_a_program_that_is_not_there_is_named(
    tmp_path: Path, jars: Path, program: str, message: str
) -> None:
    code, result, out = measure(tmp_path, jars, f'"{program}", {PORT}')
    assert (code, result.status) == (4, "failed")
    assert message in str(result.reason)
    assert program in str(result.reason)
    assert message in out


@pytest.mark.system
def test_a_program_that_may_not_be_run_is_named(tmp_path: Path, jars: Path) -> None:
    shutil.copyfile(jars / "serve", jars / "another")
    code, result, _ = measure(tmp_path, jars, f'"./another", {PORT}')
    assert code == 4
    assert "`chmod +x` lets it" in str(result.reason)
