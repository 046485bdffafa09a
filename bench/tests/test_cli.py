"""The real command line: exit codes, and one clear line for each mistake of a person."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from springbench import __version__
from springbench.matrix.profiles import Load
from springbench.paths import MATRIX
from tests.conftest import Cli


def springbench(*arguments: object, cwd: Path) -> subprocess.CompletedProcess[str]:
    """The command as a person starts it."""
    return subprocess.run(
        [sys.executable, "-m", "springbench", *map(str, arguments)],
        cwd=cwd,
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )


@pytest.mark.process
def test_a_wrong_matrix_is_a_line_for_each_mistake_and_exit_2(tmp_path: Path) -> None:
    bad = tmp_path / "bad.toml"
    text = MATRIX.read_text(encoding="utf-8")
    text = text.replace("connections = [16]", "connections = [0]", 1).replace(
        "\nwindow_s = 2\n", "\nwndow=2\n"
    )
    bad.write_text(text, encoding="utf-8")
    lines = text.splitlines()

    done = springbench("plan", "--matrix", "bad.toml", cwd=tmp_path)

    assert done.returncode == 2
    assert done.stdout == ""
    assert done.stderr.splitlines() == [
        f"springbench: bad.toml:{lines.index('connections = [0]') + 1}: "
        "profiles[0].loads[0].connections[0]: allowed: 1 or more; found 0",
        f"springbench: bad.toml:{lines.index('wndow=2') + 1}: profiles[0].loads[0].wndow: "
        f"unknown key; allowed here: {', '.join(Load.model_fields)}",
    ]


@pytest.mark.process
@pytest.mark.parametrize("command", ["plan", "run"])
def test_outside_of_the_clone_nothing_else_is_measured_than_what_is_there(
    tmp_path: Path, command: str
) -> None:
    """As after an `init` that failed: not springbench's own servers, for minutes."""
    done = springbench(command, cwd=tmp_path)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == (
        f"springbench: {tmp_path}/springbench.toml: cannot be read: No such file or directory; "
        "`springbench init` writes one\n"
    )
    assert list(tmp_path.iterdir()) == []


@pytest.mark.process
def test_a_wrong_option_is_a_line_and_exit_2(tmp_path: Path) -> None:
    done = springbench("plan", "--frobnicate", cwd=tmp_path)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == (
        "springbench: No such option: --frobnicate; --help lists what is allowed\n"
    )


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["pln"], "No such command 'pln'"),
        (["plan", "--forks", "0"], "'--forks': Input should be greater than or equal to 1"),
        (["plan", "--forks", "few"], "--forks"),
        (["plan", "--duration", "nan"], "--duration"),
        (["plan", "--duration", "0"], "--duration"),
        (["run", "--port", "70000"], "--port"),
        (["report", "--format", "pdf"], "--format"),
        (["plan", "extra"], "extra"),
        (["plan", "--only"], "--only"),
    ],
)
def test_every_wrong_option_is_a_line_and_exit_2(
    cli: Cli, arguments: list[str], message: str
) -> None:
    code, out, err = cli(*arguments)
    assert (code, out) == (2, "")
    assert len(err.splitlines()) == 1
    assert err.startswith("springbench: ")
    assert message in err


def test_without_a_command_it_shows_its_help(cli: Cli) -> None:
    code, out, err = cli()
    assert code == 2
    assert "doctor" in out + err
    assert "springbench: " not in err


@pytest.mark.parametrize("command", ["doctor", "plan", "run", "ask", "claims", "report"])
def test_every_command_has_help_with_an_example(cli: Cli, command: str) -> None:
    code, out, _ = cli(command, "--help")
    assert code == 0
    assert "Example" in out


def test_it_tells_its_version(cli: Cli) -> None:
    assert cli("--version")[:2] == (0, f"{__version__}\n")


def test_ctrl_c_is_130_and_no_traceback(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("springbench.commands.plan.load_matrix", interrupted)
    assert cli("plan") == (130, "", "")
