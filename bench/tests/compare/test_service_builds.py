"""Commits of a service of one's own, each built by the command that a person names."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from springbench.paths import ROOT
from tests.processes import SERVICES
from tests.recorded import RECORDINGS
from tests.repositories import Repository

pytestmark = pytest.mark.process
TOML = """\
name = "orders"
command = ["python3", "built/serve.py", "--server.port={port}"]
[[routes]]
path = "/hello"
"""
CASE = "app-orders-own-command/hello/64"
# also says in which order, and how often
BUILD = 'mkdir -p built && cp serve.py built/ && git rev-parse HEAD >>"$BUILT"'


@pytest.fixture
def service(tmp_path: Path) -> Repository:
    """Three commits, of which each changes the server."""
    repository = Repository.create(tmp_path / "orders")
    text = (SERVICES / "fake_server.py").read_text(encoding="utf-8")
    repository.commit(
        {"springbench.toml": TOML, "serve.py": text, ".gitignore": "built/\nresults/\n"}
    )
    for number in (1, 2):
        repository.commit({"serve.py": f"{text}# {number}\n"}, f"change {number}")
    return repository


def call(service: Repository, *words: str) -> subprocess.CompletedProcess[str]:
    """The command line in the folder of the service; what it measures was measured before."""
    command = [sys.executable, "-P", "-m", "springbench", *words]
    command += ["--recording", str(RECORDINGS / "orders-regression.json.gz")]
    environment = {**os.environ, "BUILT": str(service.root.parent / "built.txt")}
    return subprocess.run(
        command, cwd=service.root, env=environment, capture_output=True, text=True, check=False
    )


def built(service: Repository) -> list[str]:
    file = service.root.parent / "built.txt"
    return file.read_text(encoding="utf-8").split() if file.is_file() else []


def result(service: Repository, name: str) -> Any:
    [file] = service.root.glob(f"results/*/{name}")
    return json.loads(file.read_text(encoding="utf-8"))


def test_two_commits_are_built_and_compared(service: Repository) -> None:
    base, head = (service.git("rev-parse", name) for name in ("HEAD~1", "HEAD"))
    done = call(service, "compare", "HEAD~1", "HEAD", "--build", BUILD)
    assert done.returncode == 0, done.stderr
    assert built(service) == [base, head]
    comparison = result(service, "comparison.json")
    assert [comparison[side]["sha"] for side in ("base", "head")] == [base, head]
    assert comparison["comparison"]["commits"] == 1
    # the clone is as it was
    assert service.git("status", "--porcelain") == ""
    assert len(service.git("worktree", "list").splitlines()) == 1


def test_the_commit_that_made_it_slower_is_found(service: Repository) -> None:
    ends = (service.git("rev-parse", "HEAD~2"), service.git("rev-parse", "HEAD"))
    options = ("--case", CASE, "--metric", "cpu_per_request_s", "--build", BUILD)
    done = call(service, "bisect", *ends, *options)
    assert done.returncode == 0, done.stderr
    # each once, however often it is compared
    assert sorted(built(service)) == sorted(set(built(service)))
    # what was recorded shows a step wherever it is looked for: first in the older half
    outcome = result(service, "bisect.json")["outcome"]
    assert (outcome["kind"], outcome["commits"]) == (
        "culprit",
        [service.git("rev-parse", "HEAD~1")],
    )


@pytest.mark.parametrize(
    ("words", "code", "message"),
    [
        (("compare", "HEAD~1", "HEAD"), 2, "name the command that builds a commit of it"),
        (("compare", "nowhere", "HEAD", "--build", "true"), 2, "no commit of this repository"),
        (("compare", "HEAD~1", "HEAD", "--build", "echo why; exit 7"), 5, "has ended with 7"),
        (("bisect", "HEAD~1", "HEAD", "--case", CASE), 2, "name the command that builds a commit"),
        (("bisect", "HEAD~1", "HEAD", "--case", CASE, "--build", "exit 7"), 5, "has ended with 7"),
    ],
)
def test_what_cannot_be_built_is_one_message(
    service: Repository, words: tuple[str, ...], code: int, message: str
) -> None:
    done = call(service, *words)
    assert (done.returncode, done.stdout.count("Traceback")) == (code, 0), done.stderr
    assert message in done.stderr
    assert not list(service.root.glob("results/*/comparison.json"))


def test_a_commit_of_springbench_is_none_of_the_service(service: Repository) -> None:
    command = ["git", "-C", str(ROOT), "rev-parse", "HEAD"]
    sha = subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()
    done = call(service, "compare", sha, "HEAD", "--build", BUILD)
    assert done.returncode == 2
    assert "no commit of this repository" in done.stderr
