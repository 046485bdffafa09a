"""set-up-bench, on a clone that says what it runs."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.workflows.actions.scripts import ACTIONS, script_at


@pytest.fixture
def clone(tmp_path: Path) -> Path:
    package = tmp_path / "clone" / "bench" / "springbench"
    package.mkdir(parents=True)
    (package / "__init__.py").touch()
    text = "import sys\nprint('the code of the clone', sys.argv[1:])\n"
    (package / "__main__.py").write_text(text, encoding="utf-8")
    (package.parent / "bootstrap.sh").write_text("echo set up $*\n", encoding="utf-8")
    (package.parent / "requirements.txt").write_text("one==1\n", encoding="utf-8")
    (tmp_path / "clone" / ".github").mkdir()
    shutil.copytree(ACTIONS, tmp_path / "clone" / ".github" / "actions")
    return tmp_path / "clone"


@pytest.fixture
def venv(tmp_path: Path) -> Path:
    venv = tmp_path / "other" / ".venv"
    (venv / "bin").mkdir(parents=True)
    (venv / "bin" / "python").symlink_to(sys.executable)
    (tmp_path / "other" / "bench").mkdir()
    (venv.parent / "bench" / "requirements.txt").write_text("one==1\n", encoding="utf-8")
    return venv


def set_up(clone: Path, venv: Path, measures: str = "true") -> str:
    done = script_at(
        clone / ".github" / "actions" / "set-up-bench" / "set-up.sh",
        cwd=clone.parent,
        SPRINGBENCH_VENV=venv,
        GITHUB_PATH=clone / "path",
        MEASURES=measures,
    )
    assert done.returncode == 0, done.stderr
    paths = (clone / "path").read_text(encoding="utf-8").splitlines()
    assert paths[-1] == f"{clone}/.venv/bin"
    return done.stdout


def test_packages_of_another_clone_serve_the_code_of_this_one(clone: Path, venv: Path) -> None:
    assert set_up(clone, venv) == f"set-up-bench: with the packages in {venv}\n"
    command = [str(clone / ".venv/bin/springbench"), "run", "*", "a b"]
    output = subprocess.run(command, capture_output=True, text=True, check=True, cwd=venv).stdout
    assert output == "the code of the clone ['run', '*', 'a b']\n"


def test_packages_of_other_requirements_do_not(clone: Path, venv: Path) -> None:
    (clone / "bench" / "requirements.txt").write_text("one==2\n", encoding="utf-8")
    assert set_up(clone, venv) == "set up\n"
    assert set_up(clone, Path("/nowhere")) == "set up\n"


@pytest.mark.parametrize("measures", ["false", "", "1"])
def test_a_job_that_does_not_measure_gets_no_wrk_and_no_jdk(clone: Path, measures: str) -> None:
    assert set_up(clone, Path("/nowhere"), measures) == "set up --python\n"
