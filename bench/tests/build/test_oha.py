"""oha is taken from the host, or built once by cargo; without either that is said."""

from __future__ import annotations

from pathlib import Path

import pytest

from springbench.build.oha import VERSION, find_oha, provide_oha
from springbench.errors import HostError
from springbench.host.tools.search import Search
from springbench.messages import show_messages
from tests.fakes import FakeShell


def program(path: Path) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("#!/bin/sh\n", encoding="ascii")
    path.chmod(0o755)
    return path


@pytest.fixture
def search(tmp_path: Path) -> Search:
    return Search(path=str(tmp_path / "bin"), home=tmp_path / "home", clone=tmp_path / "clone")


def built(clone: Path) -> Path:
    return clone / ".tools" / f"oha-{VERSION}" / "bin" / "oha"


def test_that_of_the_host_is_taken(tmp_path: Path, search: Search) -> None:
    shell = FakeShell()
    path = program(tmp_path / "bin" / "oha")
    shell.answer("oha", "--version", stdout="oha 1.15.0\n")
    found = provide_oha(shell, search)
    assert (found.path, found.version) == (path, "1.15.0")
    assert all("install" not in command for command in shell.commands)


@pytest.mark.parametrize("says", ["oha 1.13.0", "oh, no again 0.1.0", ""])
def test_one_that_is_too_old_or_another_program_is_not(
    tmp_path: Path, search: Search, says: str
) -> None:
    shell = FakeShell()
    program(tmp_path / "bin" / "oha")
    shell.answer("oha", "--version", stdout=says)
    assert find_oha(shell, search) is None


def test_cargo_builds_it_once(tmp_path: Path, search: Search) -> None:
    shell, messages = FakeShell(), list[str]()
    show_messages(messages.append)
    program(tmp_path / "home" / ".cargo" / "bin" / "cargo")
    path = built(tmp_path / "clone")
    shell.answer("cargo", "install", then=lambda: program(path))
    shell.answer("oha", "--version", stdout=f"oha {VERSION}\n")
    assert provide_oha(shell, search).path == path
    assert "some minutes" in messages[0]
    count = sum("install" in command for command in shell.commands)
    assert provide_oha(shell, search).path == path
    assert sum("install" in command for command in shell.commands) == count == 1


def test_without_cargo_it_is_said_what_to_do(search: Search) -> None:
    with pytest.raises(HostError, match=r"oha .* is missing, and cargo.*rustup.*on the PATH"):
        provide_oha(FakeShell(), search)


def test_a_build_that_fails_names_its_log(tmp_path: Path, search: Search) -> None:
    shell = FakeShell()
    program(tmp_path / "bin" / "cargo")
    shell.answer("cargo", "install", code=101)
    with pytest.raises(HostError, match=r"cargo could not build oha .*build\.log says why"):
        provide_oha(shell, search)
