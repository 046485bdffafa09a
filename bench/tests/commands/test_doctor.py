"""`springbench doctor` on hosts that lack something."""

from __future__ import annotations

import json
import platform
from dataclasses import replace
from pathlib import Path

import pytest

from springbench.commands.doctor import examine
from springbench.errors import ExitCode, HostError
from springbench.host.checks import survey
from springbench.host.checks.survey import SurveyedHost
from springbench.host.cpus import usable_kinds
from springbench.host.facts import activity
from springbench.host.memory_limit.choose import MemoryLimit, not_enforced
from springbench.host.tools.packages import Platform
from springbench.host.tools.search import Search
from tests.fakes import FakeShell
from tests.host.facts.test_facts import make_host
from tests.host.test_topology import machine
from tests.host.tools.test_find import make_jdk, make_program
from tests.host.tools.test_install import DEBIAN, FEDORA

linux = pytest.mark.skipif(platform.system() != "Linux", reason="reads the limits of Linux")


class Scene:
    """A host of its own: tools live in a temporary folder, commands go nowhere."""

    def __init__(self, root: Path, system: Platform = DEBIAN) -> None:
        self.root = root
        self.bin = root / "usr/bin"
        self.bin.mkdir(parents=True)
        make_program(self.bin / "taskset")
        self.shell = FakeShell()
        self.shell.answer("mvn", stdout="Apache Maven 3.8.7\n")
        self.shell.answer("wrk", stdout="wrk 4.1.0 [epoll]", code=1)
        self.shell.answer("h2load", stdout="h2load nghttp2/1.52.0\n")
        search = Search(path=str(self.bin), filesystem=root, clone=root / "clone")
        self.host = SurveyedHost(system, search, self.shell)

    def add_jdk(self, version: str = "25.0.3") -> None:
        make_jdk(self.root / f"usr/lib/jvm/jdk-{version}", version)

    def add_programs(self) -> None:
        make_program(self.bin / "mvn")
        make_program(self.bin / "wrk")
        make_program(self.bin / "h2load")

    def add_quiet(self) -> None:
        """What a tuned host tells of itself; what is left out it does not tell."""
        make_host(
            self.root,
            {
                "proc/stat": "cpu  100 0 10 9000 0 0 0 0 0 0\n",
                "proc/meminfo": "MemTotal: 16000000 kB\nSwapTotal: 0 kB\nSwapFree: 0 kB\n",
                "sys/devices/system/cpu/cpufreq/policy0/scaling_governor": "performance\n",
                "sys/devices/system/clocksource/clocksource0/current_clocksource": "tsc\n",
                "sys/kernel/mm/transparent_hugepage/enabled": "always [madvise] never\n",
            },
        )

    def examine(
        self,
        *,
        install: bool = False,
        json_: bool = False,
        strict: bool = False,
        verbose: bool = False,
    ) -> ExitCode:
        return examine(self.host, install=install, json_=json_, strict=strict, verbose=verbose)


@pytest.fixture
def quiet_host(monkeypatch: pytest.MonkeyPatch) -> None:
    """The parts of this host that a test does not describe are as good as they can be."""
    monkeypatch.setattr("os.getloadavg", lambda: (0.0, 0.0, 0.0))
    monkeypatch.setattr(survey, "_available_bytes", lambda: 16 * 2**30)
    cores = [frozenset({cpu}) for cpu in range(4)]
    monkeypatch.setattr(survey, "usable_kinds", lambda _: [cores])
    monkeypatch.setattr(survey, "MAX_CONNECTIONS", 10)
    monkeypatch.setattr(activity, "SAMPLE_INTERVAL_S", 0.0)
    monkeypatch.setattr(activity, "running_processes", dict)
    monkeypatch.setattr(survey, "choose_memory_limit", lambda limit, *_: memory_limit(limit))


def memory_limit(limit_bytes: int) -> MemoryLimit:
    """A memory limit that counts as enforced."""
    return replace(not_enforced(limit_bytes), how="cgroup v2", warning=None)


@pytest.fixture
def scene(tmp_path: Path, quiet_host: None) -> Scene:
    return Scene(tmp_path)


@linux
def test_a_host_with_everything(scene: Scene, capsys: pytest.CaptureFixture[str]) -> None:
    scene.add_jdk()
    scene.add_programs()
    scene.add_quiet()
    assert scene.examine(strict=True) is ExitCode.OK
    output = capsys.readouterr().out
    assert "This host has all that a run needs." in output
    assert "✓ JDK, Maven, wrk, h2load, taskset, Python" in output
    assert "not reported by this host: turbo, thermal throttling" in output
    assert "→" not in output


@linux
def test_verbose_shows_what_was_found(scene: Scene, capsys: pytest.CaptureFixture[str]) -> None:
    scene.add_jdk()
    scene.add_programs()
    scene.add_quiet()
    assert scene.examine(verbose=True) is ExitCode.OK
    output = capsys.readouterr().out
    assert "✓ governor: performance" in output
    assert "✓ memory limit: cgroup v2" in output


@linux
@pytest.mark.parametrize("width", [40, 80, 200])
def test_it_fits_a_terminal_of_any_width(
    scene: Scene, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, width: int
) -> None:
    monkeypatch.setenv("COLUMNS", str(width))
    scene.examine(verbose=True)
    output = capsys.readouterr().out
    assert max(map(len, output.splitlines())) <= width
    # the start of each group stands out at the left, what belongs to it is below and right of it
    assert [line.split()[0] for line in output.splitlines()[:-1] if line[0] != " "][:5] == [
        *("tools", "CPU", "quiet", "memory", "kernel")
    ]


@linux
def test_what_moves_numbers_comes_with_its_remedy_and_its_weight(
    scene: Scene, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "200")
    scene.add_jdk()
    scene.add_programs()
    make_host(scene.root, {"sys/kernel/mm/transparent_hugepage/enabled": "[always] never\n"})
    monkeypatch.setattr(survey, "choose_memory_limit", lambda limit, *_: not_enforced(limit))
    assert scene.examine() is ExitCode.OK
    output = capsys.readouterr().out
    assert "! transparent huge pages: always (wanted: madvise or never)" in output
    assert "→ echo madvise | sudo tee" in output
    assert "depend on which pages the kernel has merged" in output
    assert "! memory limit: flags of the JVM" in output
    assert "marked ! moves its numbers (2)" in output
    assert scene.examine(strict=True) is ExitCode.HOST


@linux
def test_a_bare_host_learns_what_is_missing_and_the_command(
    scene: Scene, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "200")
    scene.add_jdk("17.0.15")

    assert scene.examine() is ExitCode.HOST

    output = capsys.readouterr().out
    assert "only 17.0.15" in output
    assert "✗ JDK: only 17.0.15 (wanted: 25 or newer)" in output
    assert "→ make setup" in output
    assert "→ apt-get install -y --no-install-recommends maven" in output
    assert "→ apt-get install -y --no-install-recommends wrk" in output
    assert "This host lacks what a run needs (3, marked ✗)." in output


@linux
def test_warnings_fail_only_when_asked_to(
    scene: Scene, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    scene.add_jdk()
    scene.add_programs()
    monkeypatch.setattr("os.getloadavg", lambda: (99.0, 0.0, 0.0))
    assert scene.examine() is ExitCode.OK
    assert "stop what else is running" in capsys.readouterr().out
    assert scene.examine(strict=True) is ExitCode.HOST


def test_no_color_is_respected(
    scene: Scene, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("FORCE_COLOR", "1")
    scene.examine()
    assert "\x1b[31m" in capsys.readouterr().out
    monkeypatch.setenv("NO_COLOR", "1")
    scene.examine()
    assert "\x1b[31m" not in capsys.readouterr().out


def test_json_for_programs(scene: Scene, capsys: pytest.CaptureFixture[str]) -> None:
    assert scene.examine(json_=True) is ExitCode.HOST
    checks = {check["name"]: check for check in json.loads(capsys.readouterr().out)}
    assert checks["wrk"]["ok"] is False
    assert checks["wrk"]["severity"] == "error"
    assert checks["cores"]["found"] == "4"
    assert checks["cores"]["group"] == "CPU"
    assert "load generator" in checks["cores"]["matters"]
    assert checks["governor"]["found"] == "not reported by this host"


def test_install_says_one_line_when_nothing_is_missing(
    scene: Scene, capsys: pytest.CaptureFixture[str]
) -> None:
    scene.add_jdk()
    scene.add_programs()
    assert scene.examine(install=True) is ExitCode.OK
    output = capsys.readouterr().out
    assert output == "springbench: ready (JDK 25.0.3, Maven 3.8.7, wrk 4.1.0, h2load 1.52.0)\n"
    assert not any("apt" in command for command in scene.shell.commands)


def test_install_brings_what_is_missing(scene: Scene, capsys: pytest.CaptureFixture[str]) -> None:
    scene.add_jdk()
    scene.shell.answer("apt-get", "install", then=scene.add_programs)
    assert scene.examine(install=True) is ExitCode.OK
    assert capsys.readouterr().out.splitlines() == [
        "+ apt-get update",
        "+ apt-get install -y --no-install-recommends maven wrk nghttp2-client",
        "springbench: ready (JDK 25.0.3, Maven 3.8.7, wrk 4.1.0, h2load 1.52.0)",
    ]


def test_install_that_changed_nothing_is_an_error(scene: Scene) -> None:
    scene.add_jdk()
    with pytest.raises(HostError, match="wrk: apt-get install"):
        scene.examine(install=True)


def test_install_where_nothing_can_be_installed(tmp_path: Path, quiet_host: None) -> None:
    scene = Scene(tmp_path, replace(FEDORA, root=False))
    scene.add_jdk()
    with pytest.raises(HostError, match="lacks maven, wrk") as caught:
        scene.examine(install=True)
    assert caught.value.exit_code is ExitCode.HOST
    assert "install Maven 3.8 or newer" in str(caught.value)


@linux
def test_who_has_which_kind_of_core_is_said(
    scene: Scene, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    scene.add_jdk()
    scene.add_programs()
    scene.add_quiet()
    monkeypatch.setattr("os.sched_getaffinity", lambda _: set(range(12)))
    monkeypatch.setattr(survey, "usable_kinds", usable_kinds)
    machine(scene.root, "0-11", 2, types={"cpu_core": "0-3", "cpu_atom": "4-11"})
    # it is no mistake of the host
    assert scene.examine(strict=True) is ExitCode.OK
    output = " ".join(capsys.readouterr().out.split())
    assert (
        "core kinds: 2, the fastest first: CPU 0, 1, 2, 3; CPU 4, 5, 6, 7, 8, 9, 10, 11." in output
    )
    assert "Server on 0, 1, 2, 3, wrk on 5, 6, 7, 8, 9, 10, 11, upstream on 4" in output
