"""Which packages bring a missing tool, and the commands that install them.

Pure but for asking apt what it has. Installing is `install.py`.
"""

from __future__ import annotations

import os
import platform
import re
import shlex
import shutil
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from springbench.host.shell import Shell

APT_JDKS = (*(f"openjdk-{major}-jdk-headless" for major in range(25, 31)), "temurin-25-jdk")

_APT = {"maven": "maven", "wrk": "wrk", "taskset": "util-linux", "h2load": "nghttp2-client"}
_BREW = {"jdk": "openjdk", "maven": "maven", "wrk": "wrk", "h2load": "nghttp2"}
_BY_HAND = {
    "jdk": "a JDK 25 or newer by hand (any vendor) and set JAVA_HOME to it",
    "maven": "Maven 3.8 or newer, with `mvn` on the PATH",
    "wrk": "wrk 4 (package `wrk`, or built from its sources), on the PATH",
    "h2load": "h2load 1.43 or newer (package `nghttp2-client`, or `nghttp2`), on the PATH",
    "perf": "perf (package `linux-perf`, on Ubuntu `linux-tools-generic`), on the PATH",
    "taskset": "taskset (package `util-linux`), on the PATH",
}


def install_command(
    missing: Sequence[str], platform: Platform, apt_jdk: str | None = None
) -> list[str] | None:
    """The one command that brings all of `missing` that packages of this host can bring."""
    if platform.manager == "apt":
        names = [_APT[tool] for tool in missing if tool in _APT]
        if "jdk" in missing and apt_jdk:
            names.append(apt_jdk)
        command = [*platform.as_root, "apt-get", "install", "-y", "--no-install-recommends"]
        return [*command, *names] if names else None
    if platform.manager == "brew":
        names = [_BREW[tool] for tool in missing if tool in _BREW]
        return ["brew", "install", *names] if names else None
    return None


def find_apt_jdk(shell: Shell) -> str | None:
    """The first package with a JDK 25 or newer that apt could install, oldest JDK first."""
    answer = shell.run(["apt-cache", "policy", *APT_JDKS], timeout_s=60)
    candidates = dict(
        re.findall(r"^(\S+):\n(?:  .*\n)*?  Candidate: (\S+)", answer.stdout, re.MULTILINE)
    )
    return next((name for name in APT_JDKS if candidates.get(name, "(none)") != "(none)"), None)


def remedy(tool: str, platform: Platform) -> str:
    """Command that a person types on this host to get one tool."""
    if tool == "jdk" and platform.manager != "brew":
        return f"make setup (brings one into .tools/), or install {_BY_HAND['jdk']}"
    command = install_command([tool], platform)
    if command is None:
        return f"install {_BY_HAND[tool]}"
    return shlex.join(command)


# --- Kind of this host, as far as installing something on it goes ---------------------------------


@dataclass(frozen=True)
class Platform:
    """The operating system, its package manager, and the right to use it."""

    system: str
    """`linux`, `darwin`, or whatever else Python calls it, in lower case."""
    name: str
    """For a person: `Debian GNU/Linux 12 (bookworm)`, `macOS`."""
    machine: str
    manager: str | None
    """`apt`, `brew`, or None where nothing can be installed from here."""
    root: bool
    sudo: bool

    @property
    def may_install(self) -> bool:
        """Whether this process can install packages; brew needs no root."""
        return self.manager == "brew" or (self.manager == "apt" and (self.root or self.sudo))

    @property
    def as_root(self) -> tuple[str, ...]:
        """Prefix of a command that only root may run."""
        return () if self.root else ("sudo",)


def this_platform(filesystem: Path = Path("/")) -> Platform:
    """The platform that this process runs on."""
    system = platform.system().lower()
    release = _os_release(filesystem) if system == "linux" else {}
    return Platform(
        system=system,
        name="macOS" if system == "darwin" else release.get("PRETTY_NAME", platform.system()),
        machine=platform.machine(),
        manager=_manager(system, release),
        root=os.geteuid() == 0,
        sudo=shutil.which("sudo") is not None,
    )


def _manager(system: str, release: dict[str, str]) -> str | None:
    if system == "darwin":
        return "brew" if shutil.which("brew") else None
    family = {release.get("ID", ""), *release.get("ID_LIKE", "").split()}
    if family & {"debian", "ubuntu"} and shutil.which("apt-get"):
        return "apt"
    return None


def _os_release(filesystem: Path) -> dict[str, str]:
    try:
        text = (filesystem / "etc/os-release").read_text(encoding="utf-8")
    except OSError:
        return {}
    return dict(re.findall(r'^(\w+)="?([^"\n]*)"?$', text, re.MULTILINE))
