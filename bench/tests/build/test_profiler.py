"""What a profile needs is fetched once, and only the file that is known is used."""

from __future__ import annotations

import hashlib
import sys
import zipfile
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from springbench.build import profiler
from springbench.build.profiler import provide_profiler
from springbench.errors import HostError
from springbench.host.tools.find import NO_JDK, Tool
from springbench.messages import show_messages
from tests.fakes import FakeShell

MAVEN = Tool("mvn", Path("/usr/bin/mvn"), "3.9.9")
INSIDE = "linux-x64/libasyncProfiler.so"
Fetch = Callable[[FakeShell], None]


@pytest.fixture
def host(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.setattr("platform.machine", lambda: "x86_64")


@pytest.fixture
def fetch(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, host: None) -> Fetch:
    """Has the fake Maven bring two jars whose digests are known."""
    folder = tmp_path / ".tools" / "profiler"
    source = tmp_path / "source.jar"
    with zipfile.ZipFile(source, "w") as jar:
        jar.writestr(INSIDE, b"library")
    digest = hashlib.sha256(source.read_bytes()).hexdigest()
    for name in ("_PROFILER", "_CONVERTER"):
        monkeypatch.setattr(profiler, name, replace(getattr(profiler, name), sha256=digest))

    def bring() -> None:
        for artifact in (profiler._PROFILER, profiler._CONVERTER):
            (folder / artifact.file).write_bytes(source.read_bytes())

    def script(shell: FakeShell) -> None:
        shell.answer("mvn", then=bring)

    return script


def test_both_are_fetched_once(tmp_path: Path, fetch: Fetch) -> None:
    shell, messages = FakeShell(), list[str]()
    show_messages(messages.append)
    fetch(shell)
    found = provide_profiler(NO_JDK, MAVEN, tmp_path, shell)
    assert found.library.read_bytes() == b"library"
    assert found.converter.is_file()
    fetched = len(shell.commands)
    assert "tools.profiler:async-profiler" in messages[0]
    assert provide_profiler(NO_JDK, MAVEN, tmp_path, shell) == found
    assert len(shell.commands) == fetched


def test_another_file_under_that_name_is_not_used(
    tmp_path: Path, fetch: Fetch, monkeypatch: pytest.MonkeyPatch
) -> None:
    shell = FakeShell()
    fetch(shell)
    wrong = replace(profiler._PROFILER, sha256="0" * 64)
    monkeypatch.setattr(profiler, "_PROFILER", wrong)
    with pytest.raises(HostError, match="its digest is another"):
        provide_profiler(NO_JDK, MAVEN, tmp_path, shell)
    assert not (tmp_path / ".tools" / "profiler" / wrong.file).exists()


def test_what_maven_cannot_bring_is_said_with_its_log(tmp_path: Path, host: None) -> None:
    shell = FakeShell()
    shell.answer("mvn", code=1)
    with pytest.raises(HostError, match=r"Maven did not bring .*fetch\.log says why"):
        provide_profiler(NO_JDK, MAVEN, tmp_path, shell)
    with pytest.raises(HostError, match="Maven, which brings it, neither"):
        provide_profiler(NO_JDK, None, tmp_path, shell)


def test_a_platform_without_a_library_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.setattr("platform.machine", lambda: "riscv64")
    with pytest.raises(HostError, match="no library for linux on riscv64; allowed: linux x86_64"):
        provide_profiler(NO_JDK, MAVEN, tmp_path, FakeShell())
