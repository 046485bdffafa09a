"""What tests of all parts share."""

from __future__ import annotations

import functools
import gc
import os
import sys
import tempfile
import uuid
from collections.abc import Callable, Iterator
from pathlib import Path

import psutil
import pytest
import typer.main
from hypothesis import settings

from springbench.__main__ import main
from springbench.bench.tools import Tools
from springbench.build.maven import UPSTREAM_JAR, build
from springbench.github import step
from springbench.host import ports
from springbench.host.lock import PLACE
from springbench.host.shell import RealShell
from springbench.host.tools.find import find_jdk, find_maven, find_wrk
from springbench.host.tools.packages import remedy, this_platform
from springbench.matrix.load import load_matrix
from springbench.matrix.rows import Matrix
from springbench.messages import LOGGER
from springbench.paths import MATRIX, ROOT
from tests.draws import FULL_EXAMPLES, QUICK_EXAMPLES
from tests.host.remote.two_hosts import SecondHost, second_host
from tests.levels import pytest_collection_modifyitems, pytest_runtest_protocol

__all__ = ["pytest_collection_modifyitems", "pytest_runtest_protocol"]

GOLDEN = Path(__file__).with_name("golden")
# every process that a test starts inherits this, so that those left behind can be found
SESSION_MARK = ("SPRINGBENCH_TEST_SESSION", uuid.uuid4().hex)

# a neighbour that measures or tests on this host neither stops these tests nor is stopped by them
os.environ[PLACE] = str(Path(tempfile.gettempdir()) / f"springbench-{SESSION_MARK[1]}.lock")
# tests that run side by side take ports from ranges of their own
WORKER = int(os.environ.get("PYTEST_XDIST_WORKER", "gw0").removeprefix("gw"))
os.environ[ports.FIRST_PORT_VARIABLE] = str(ports.FIRST_PORT + 300 * WORKER)
# a step that runs the tests keeps its outputs and its summary to itself
for variable in (step.OUTPUT, step.SUMMARY, step.RUNNER_ENVIRONMENT):
    os.environ.pop(variable, None)
os.environ[SESSION_MARK[0]] = SESSION_MARK[1]
# no test asks how fast a server is, and the first compiler alone starts one in half the CPU time
os.environ["JAVA_TOOL_OPTIONS"] = "-XX:TieredStopAtLevel=1"
# no test pulls the plug, and a disk that still writes a fresh set-up lets each such call wait
os.fsync = lambda fd: None
# each call of the command line would make all commands anew
typer.main.get_command = functools.cache(typer.main.get_command)
# how long an example takes is the machine's affair
settings.register_profile("springbench", deadline=None, max_examples=FULL_EXAMPLES)
settings.register_profile("quick", deadline=None, max_examples=QUICK_EXAMPLES)
settings.load_profile("springbench")


def pytest_collection_finish() -> None:
    """What was imported lives as long as the tests: no collection of garbage looks at it again."""
    gc.collect()
    gc.freeze()


def pytest_runtest_teardown() -> None:
    """Messages that a later test logs go nowhere."""
    LOGGER.handlers = []


def pytest_addoption(parser: pytest.Parser) -> None:
    """`pytest --update-golden` writes what the renderers say now; the diff is then read."""
    parser.addoption("--update-golden", action="store_true", help="rewrite the golden files")


@pytest.fixture
def golden(request: pytest.FixtureRequest) -> Callable[[str, str], None]:
    """Compare a text with a file of tests/golden."""
    update = bool(request.config.getoption("--update-golden"))

    def check(name: str, text: str) -> None:
        file = GOLDEN / name
        if update:
            file.write_text(text, encoding="utf-8")
        assert text == file.read_text(encoding="utf-8"), f"{file}: pytest --update-golden?"

    return check


@pytest.fixture
def generated(request: pytest.FixtureRequest) -> Callable[[Path, str, str], None]:
    """Hold a part of a document to the text that it is generated from; the golden option writes it.

    The part is what stands there now.
    """
    update = bool(request.config.getoption("--update-golden"))

    def check(document: Path, part: str, text: str) -> None:
        if update and part != text:
            full_text = document.read_text(encoding="utf-8")
            assert full_text.count(part) == 1
            document.write_text(full_text.replace(part, text), encoding="utf-8")
            return
        assert part == text, f"{document}: pytest --update-golden?"

    return check


@pytest.fixture
def other_host(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[SecondHost]:
    """A second host that ssh reaches."""
    folder = tmp_path / "there"
    folder.mkdir()
    with second_host(folder) as host:
        for name, text in host.environment.items():
            monkeypatch.setenv(name, text)
        yield host


@pytest.fixture(scope="session")
def matrix() -> Matrix:
    """The matrix of this repository."""
    return load_matrix(MATRIX)


@pytest.fixture(scope="session")
def tools() -> Tools:
    """The tools of this host; a missing one fails, with what brings it."""
    jdk, maven, wrk = find_jdk(), find_maven(), find_wrk()
    found = {"jdk": jdk, "maven": maven, "wrk": wrk}
    missing = [remedy(name, this_platform()) for name, tool in found.items() if tool is None]
    assert not missing, missing
    assert jdk is not None
    assert wrk is not None
    return Tools(jdk, wrk, maven)


@pytest.fixture(scope="session")
def jars(tools: Tools, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the jars of Tomcat and of the slow upstream, and the fake server."""
    assert tools.maven is not None
    build(["servers/boot4/tomcat"], tools.jdk, tools.maven, ROOT, RealShell())
    folder = tmp_path_factory.mktemp("jars")
    built = [
        ROOT / "servers/boot4/tomcat/target/boot4-tomcat.jar",
        ROOT / UPSTREAM_JAR,
        Path(__file__).with_name("services") / "fake_server.py",
    ]
    for jar in built:
        (folder / jar.name).symlink_to(jar)
    return folder


Cli = Callable[..., tuple[int, str, str]]


@pytest.fixture
def cli(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Cli:
    """The command line in this process: exit code, standard output, standard error."""

    def call(*arguments: object) -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "argv", ["springbench", *map(str, arguments)])
        capsys.readouterr()  # what was printed before the call
        with pytest.raises(SystemExit) as ended:
            main()
        shown = capsys.readouterr()
        return int(ended.value.code or 0), shown.out, shown.err

    return call


@pytest.fixture(scope="session", autouse=True)
def nothing_left_behind() -> Iterator[None]:
    """No process that any test started outlives the session."""
    yield
    Path(os.environ[PLACE]).unlink(missing_ok=True)
    assert left_behind() == []


def left_behind() -> list[str]:
    """The command lines of processes of this session, apart from the ones that run tests."""
    name, value = SESSION_MARK
    own_pids = {os.getpid(), *(parent.pid for parent in psutil.Process().parents())}
    found = []
    for process in psutil.process_iter():
        try:
            if process.pid not in own_pids and process.environ().get(name) == value:
                found.append(" ".join(process.cmdline()))
        except psutil.Error:
            continue
    return [line for line in found if line]
