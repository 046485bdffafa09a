"""What is installed on which host, and what is shown before."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from springbench.errors import ExitCode, HostError
from springbench.host.tools.install import Installer
from springbench.host.tools.packages import (
    Platform,
    find_apt_jdk,
    install_command,
    remedy,
    this_platform,
)
from springbench.host.tools.search import Search
from springbench.messages import show_messages
from tests.fakes import FakeShell
from tests.host.tools.test_find import make_jdk, make_program

DEBIAN = Platform("linux", "Debian GNU/Linux 13", "x86_64", "apt", root=True, sudo=False)
UBUNTU_USER = replace(DEBIAN, name="Ubuntu 24.04", root=False, sudo=True)
MACOS = Platform("darwin", "macOS", "arm64", "brew", root=False, sudo=True)
FEDORA = Platform("linux", "Fedora Linux 43", "x86_64", None, root=True, sudo=True)

APT_POLICY = """\
openjdk-25-jdk-headless:
  Installed: (none)
  Candidate: {candidate}
  Version table:
     25.0.1+8-1 500
openjdk-26-jdk-headless:
  Installed: (none)
  Candidate: 26~1-1
"""


class Scene:
    """A host with an installer whose every move is recorded."""

    def __init__(self, tmp_path: Path, platform: Platform) -> None:
        self.bin = tmp_path / "bin"
        self.bin.mkdir()
        self.shell = FakeShell()
        self.search = Search(path=str(self.bin), filesystem=tmp_path, clone=tmp_path / "clone")
        self.messages: list[str] = []
        show_messages(self.messages.append)
        self.downloads: list[Path] = []
        self.installer = Installer(platform, self.shell, self.search, self._bring)

    def _bring(self, root: Path, platform: Platform) -> Path:
        self.downloads.append(root)
        return root


def test_apt_as_root_shows_each_command_and_runs_it(tmp_path: Path) -> None:
    scene = Scene(tmp_path, DEBIAN)

    scene.installer.install(["maven", "wrk"])

    assert scene.shell.commands == [
        "apt-get update",
        "apt-get install -y --no-install-recommends maven wrk",
    ]
    assert scene.messages == [f"+ {command}" for command in scene.shell.commands]
    assert scene.downloads == []


def test_apt_as_a_user_goes_through_sudo(tmp_path: Path) -> None:
    scene = Scene(tmp_path, UBUNTU_USER)
    scene.installer.install(["wrk"])
    assert scene.shell.commands == [
        "sudo apt-get update",
        "sudo apt-get install -y --no-install-recommends wrk",
    ]


def test_a_jdk_comes_from_apt_where_no_java_can_be_disturbed(tmp_path: Path) -> None:
    scene = Scene(tmp_path, DEBIAN)
    scene.shell.answer("apt-cache", "policy", stdout=APT_POLICY.format(candidate="25.0.1+8-1"))
    home = tmp_path / "usr/lib/jvm/openjdk-25"
    scene.shell.answer("apt-get", "install", then=lambda: make_jdk(home, "25.0.1"))

    scene.installer.install(["jdk", "maven"])

    assert scene.shell.commands[-1].endswith("recommends maven openjdk-25-jdk-headless")
    assert scene.downloads == []


def test_a_host_with_another_java_keeps_it_as_its_default(tmp_path: Path) -> None:
    scene = Scene(tmp_path, DEBIAN)
    make_program(scene.bin / "java")

    scene.installer.install(["jdk"])

    assert scene.shell.commands == []
    assert scene.downloads == [tmp_path / "clone"]


def test_the_clone_gets_a_jdk_when_apt_has_none(tmp_path: Path) -> None:
    scene = Scene(tmp_path, DEBIAN)
    scene.installer.install(["jdk", "wrk"])
    assert scene.shell.commands[-1] == "apt-get install -y --no-install-recommends wrk"
    assert scene.downloads == [tmp_path / "clone"]


def test_apt_jdks_are_preferred_in_order_of_age() -> None:
    shell = FakeShell()
    assert find_apt_jdk(shell) is None
    shell.answer("apt-cache", stdout=APT_POLICY.format(candidate="25.0.1+8-1"))
    assert find_apt_jdk(shell) == "openjdk-25-jdk-headless"
    shell.answer("apt-cache", stdout=APT_POLICY.format(candidate="(none)"))
    assert find_apt_jdk(shell) == "openjdk-26-jdk-headless"


def test_brew_brings_everything_at_once(tmp_path: Path) -> None:
    scene = Scene(tmp_path, MACOS)
    scene.shell.answer(
        "brew",
        then=lambda: make_jdk(
            tmp_path / "opt/homebrew/opt/openjdk/libexec/openjdk.jdk/Contents/Home", "25.0.2"
        ),
    )
    scene.installer.install(["jdk", "maven", "wrk"])
    assert scene.shell.commands == ["brew install openjdk maven wrk"]
    assert scene.downloads == []


@pytest.mark.parametrize(
    ("platform", "expected"),
    [
        (FEDORA, ["Fedora Linux 43", "jdk: make setup", "wrk: install wrk 4"]),
        (
            replace(DEBIAN, root=False),
            ["sudo apt-get install -y --no-install-recommends wrk", "neither"],
        ),
    ],
)
def test_elsewhere_it_says_what_to_install(
    tmp_path: Path, platform: Platform, expected: list[str]
) -> None:
    scene = Scene(tmp_path, platform)
    with pytest.raises(HostError) as caught:
        scene.installer.install(["jdk", "wrk"])
    assert caught.value.exit_code is ExitCode.HOST
    for part in expected:
        assert part in str(caught.value)
    assert scene.shell.commands == []


def test_a_jdk_alone_needs_no_packages(tmp_path: Path) -> None:
    scene = Scene(tmp_path, FEDORA)
    scene.installer.install(["jdk"])
    assert scene.downloads == [tmp_path / "clone"]


def test_a_failing_package_manager_ends_it_with_its_command(tmp_path: Path) -> None:
    scene = Scene(tmp_path, DEBIAN)
    scene.shell.answer("apt-get", code=100)
    with pytest.raises(HostError, match="apt-get install -y --no-install-recommends wrk"):
        scene.installer.install(["wrk"])
    assert any("going on with what apt knows" in line for line in scene.messages)


def test_nothing_missing_does_nothing(tmp_path: Path) -> None:
    scene = Scene(tmp_path, DEBIAN)
    scene.installer.install([])
    assert scene.shell.commands == []


def test_remedies_are_commands_of_this_host() -> None:
    assert remedy("wrk", UBUNTU_USER) == "sudo apt-get install -y --no-install-recommends wrk"
    assert remedy("jdk", MACOS) == "brew install openjdk"
    assert remedy("maven", FEDORA).startswith("install Maven 3.8")
    assert install_command(["wrk"], FEDORA) is None


def test_this_platform_reads_the_distribution(tmp_path: Path) -> None:
    (tmp_path / "etc").mkdir()
    (tmp_path / "etc/os-release").write_text('ID=alpine\nPRETTY_NAME="Alpine Linux"\n')
    found = this_platform(tmp_path)
    if found.system == "linux":
        assert found.name == "Alpine Linux"
        assert found.manager is None
        assert not found.may_install
