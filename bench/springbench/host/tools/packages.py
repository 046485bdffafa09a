"""Which packages bring a missing tool, and the commands that install them.

Pure but for asking apt what it has. Installing is `install.py`.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Sequence

from springbench.host.shell import Shell
from springbench.host.tools.platforms import Platform

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


def apt_update(platform: Platform) -> list[str]:
    """The command that refreshes what apt knows."""
    return [*platform.as_root, "apt-get", "update"]


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
