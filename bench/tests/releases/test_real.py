"""The real command on a small repository: real processes, a Maven that copies, and a server that
takes more memory since one release."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import springbench
from springbench.history.files import Folder
from springbench.history.reading import read_index
from tests.processes import SERVICES
from tests.repositories import Repository

pytestmark = [pytest.mark.integration, pytest.mark.xdist_group("processes")]

CASE = "boot4-fake-fine-script/hello/8"
MATRIX = """\
schema = 1

[[boots]]
id = "boot4"

[[servers]]
id = "fake"
boots = ["boot4"]
models = ["fine"]
runtimes = ["script"]
module = "servers/fake"
artifact = "target/fake.jar"
health = "/hello"

[[models]]
id = "fine"
description = "answers"

[[runtimes]]
id = "script"
description = "any Python 3"
start = ["python3", "{artifact}", "{properties}"]

[[workloads]]
id = "hello"
route = "/hello"
question = "Does it answer?"

[[profiles]]
id = "releases"
description = "as short as it can be"

[[profiles.loads]]
workload = "hello"
connections = [8]
warmup_min_s = 0.1
warmup_max_s = 0.1
window_s = 0.8
"""
# knows its releases, has no jar of one of them, and adds weight to a server since another
MAVEN = """\
#!/usr/bin/env python3
import pathlib, re, sys
words = sys.argv[1:]
if "-v" in words or "--version" in words:
    print("Apache Maven 3.9.9")
elif "validate" in words:
    [repo] = [each.partition("=")[2] for each in words if each.startswith("-Dmaven.repo.local=")]
    place = pathlib.Path(repo, "org/springframework/boot/spring-boot-dependencies")
    place.mkdir(parents=True)
    versions = "".join(f"<version>4.0.{patch}</version>" for patch in range(9))
    (place / "maven-metadata-central.xml").write_text(f"<metadata>{versions}</metadata>")
    sys.exit(1)
else:
    version = re.search(r"<boot4.version>(.*?)<", pathlib.Path("pom.xml").read_text())[1]
    modules = words[words.index("-pl") + 1].split(",")
    if version == "4.0.8" and "servers/fake" in modules:
        print("[ERROR] Could not find artifact some.group:some-starter:jar:4.0.8 in central")
        sys.exit(1)
    for module in modules:
        target = pathlib.Path(module, "target")
        target.mkdir(parents=True, exist_ok=True)
        source = pathlib.Path(module, "server.py")
        text = source.read_text() if source.is_file() else ""
        if version >= "4.0.4":
            text = text.replace("class Http(", 'WEIGHT = b"x" * (80 << 20)\\n\\n\\nclass Http(')
        (target / f"{target.parent.name}.jar").write_text(text)
"""


@pytest.mark.timeout(800)
def test_the_release_since_which_a_server_takes_more_memory(tmp_path: Path) -> None:
    clone = _clone(tmp_path)
    how = ("--rounds", "1", "--no-compare")
    first = _releases(tmp_path, clone, "4.0.0..", *how, "--confirm-minutes", "4")
    assert first.returncode == 0, first.stderr
    missing = "4.0.8, servers/fake: some.group:some-starter:jar:4.0.8 is not published"
    assert f"not measured: {missing}" in first.stdout
    index = read_index(Folder(tmp_path / "history"))
    assert index
    assert index.runs_total == 8
    # a run must not begin on the CPUs that the one before it was kept to
    assert len(index.classes) == 1
    heavier = [
        each
        for each in index.events
        if any(witness.metric == "memory_idle_bytes" for witness in each.witnesses)
    ]
    [event] = heavier
    assert (event.state, event.direction) == ("confirmed", "regression")
    assert event.culprit.before.message == "Spring Boot 4.0.3"
    assert event.culprit.after.message == "Spring Boot 4.0.4"
    assert {each.message for each in index.commits} == {f"Spring Boot 4.0.{n}" for n in range(8)}
    # the same again finds all there
    again = _releases(tmp_path, clone, "4.0.0..", *how, "--confirm-minutes", "0")
    assert again.returncode == 0, again.stderr
    assert "round 1 of 1" in first.stdout
    assert "round 1 of 1" not in again.stdout
    assert read_index(Folder(tmp_path / "history")) == index


def test_what_would_be_measured_is_told_without_measuring(tmp_path: Path) -> None:
    done = _releases(tmp_path, _clone(tmp_path), "4.0.6..", "--list")
    assert done.returncode == 0, done.stderr
    assert [line.split()[2] for line in done.stdout.splitlines() if "cases" in line] == [
        "4.0.6",
        "4.0.7",
        "4.0.8",
    ]
    assert not (tmp_path / "history").exists()


def _clone(tmp_path: Path) -> Repository:
    clone = Repository.create(tmp_path / "clone")
    fake = (SERVICES / "fake_server.py").read_text(encoding="utf-8")
    assert "class Http(" in fake
    pom = "<project><boot4.version>4.0.7</boot4.version></project>\n"
    clone.commit({"pom.xml": pom, "servers/fake/server.py": fake}, "servers")
    (tmp_path / "matrix.toml").write_text(MATRIX, encoding="utf-8")
    # a clone holds its harness
    shutil.copytree(Path(springbench.__file__).parent, clone.root / "bench" / "springbench")
    maven = tmp_path / "bin" / "mvn"
    maven.parent.mkdir()
    maven.write_text(MAVEN, encoding="utf-8")
    maven.chmod(0o755)
    return clone


def _releases(
    tmp_path: Path, clone: Repository, *arguments: str
) -> subprocess.CompletedProcess[str]:
    where = ("--matrix", tmp_path / "matrix.toml", "--history", tmp_path / "history")
    return subprocess.run(
        [sys.executable, "-P", "-m", "springbench", "releases", *arguments, *where],
        env={
            **os.environ,
            "PYTHONPATH": str(clone.root / "bench"),
            "PATH": f"{tmp_path / 'bin'}{os.pathsep}{os.environ['PATH']}",
        },
        capture_output=True,
        text=True,
        check=False,
        timeout=760,
    )
