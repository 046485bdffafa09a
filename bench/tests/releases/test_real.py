"""The real command on a small repository: real processes, a Maven that copies, and a server that
takes more memory since one release."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from springbench.history.files import Folder
from springbench.history.reading import read_index
from tests.harness_clone import HarnessClone, server

pytestmark = pytest.mark.system

SERVER = """\
module = "servers/fake"
artifact = "target/fake.jar\""""
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
        if text and version >= "4.0.4":
            text = source.with_name("heavy.py").read_text()
        (target / f"{target.parent.name}.jar").write_text(text)
"""


@pytest.mark.timeout(800)
def test_the_release_since_which_a_server_takes_more_memory(tmp_path: Path) -> None:
    clone = _clone(tmp_path)
    how = ("--rounds", "1", "--no-compare")
    first = _releases(tmp_path, clone, "4.0.0..", *how, "--confirm-minutes", "9")
    assert first.returncode == 0, first.stderr
    missing = "4.0.8, servers/fake: some.group:some-starter:jar:4.0.8 is not published"
    assert f"not measured: {missing}" in first.stdout
    index = read_index(Folder(tmp_path / "history"))
    assert index
    assert index.runs_total == 8
    # a run must not begin on the CPUs that the one before it was kept to
    assert len(index.classes) == 1
    heavier = [
        candidate
        for candidate in index.events
        if any(affected.metric == "memory_idle_bytes" for affected in candidate.affected_series)
    ]
    [event] = heavier
    assert (event.state, event.direction) == ("confirmed", "regression"), event.evidence
    assert event.culprit.before.message == "Spring Boot 4.0.3"
    assert event.culprit.after.message == "Spring Boot 4.0.4"
    assert {commit.message for commit in index.commits} == {
        f"Spring Boot 4.0.{n}" for n in range(8)
    }
    # the same again finds all there
    again = _releases(tmp_path, clone, "4.0.0..", *how, "--confirm-minutes", "0")
    assert again.returncode == 0, again.stderr
    assert "round 1 of 1" in first.stdout
    assert "round 1 of 1" not in again.stdout
    assert read_index(Folder(tmp_path / "history")) == index


def test_what_would_be_measured_is_reported_without_measuring(tmp_path: Path) -> None:
    done = _releases(tmp_path, _clone(tmp_path), "4.0.6..", "--list")
    assert done.returncode == 0, done.stderr
    assert [line.split()[2] for line in done.stdout.splitlines() if line.endswith("  1 case")] == [
        "4.0.6",
        "4.0.7",
        "4.0.8",
    ]
    assert not (tmp_path / "history").exists()


def _clone(tmp_path: Path) -> HarnessClone:
    clone = HarnessClone.create(tmp_path, profile="releases", server_keys=SERVER)
    files = {
        "pom.xml": "<project><boot4.version>4.0.7</boot4.version></project>\n",
        "servers/fake/server.py": server(),
        "servers/fake/heavy.py": server(heavy=True),
    }
    clone.repository.commit(files, "servers")
    maven = tmp_path / "bin" / "mvn"
    maven.parent.mkdir()
    maven.write_text(MAVEN, encoding="utf-8")
    maven.chmod(0o755)
    clone.environment["PATH"] = f"{maven.parent}{os.pathsep}{os.environ['PATH']}"
    return clone


def _releases(
    tmp_path: Path, clone: HarnessClone, *arguments: str
) -> subprocess.CompletedProcess[str]:
    where = ("--history", tmp_path / "history")
    return clone.run("releases", *arguments, *where, timeout_s=760)
