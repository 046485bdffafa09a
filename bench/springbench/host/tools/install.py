"""Installs what a host lacks: packages through apt or brew, a JDK into the clone if need be.

Every command is shown before it runs. Nothing outside the clone changes but those packages. A
JDK package would take over the default `java` of a host that has one already (the packages
register themselves with the host's alternatives), so such a host gets a JDK of the clone's own.
"""

from __future__ import annotations

import os
import shlex
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from springbench.errors import HostError
from springbench.host.shell import Shell
from springbench.host.tools.find import find_jdk
from springbench.host.tools.packages import apt_update, find_apt_jdk, install_command, remedy
from springbench.host.tools.platforms import Platform
from springbench.host.tools.search import Search
from springbench.host.tools.temurin import bring_jdk

BringJdk = Callable[[Path, Platform], Path]


@dataclass(frozen=True)
class Installer:
    """Installs on one host; a test replaces each part."""

    platform: Platform
    shell: Shell
    search: Search
    say: Callable[[str], None]
    bring_jdk: BringJdk = bring_jdk

    def install(self, missing: Sequence[str]) -> None:
        """Bring every tool of `missing` (`jdk`, `maven`, `wrk`, `taskset`).

        Raises HostError, with what to type, where this process cannot install them.
        """
        if not missing:
            return
        packaged = [tool for tool in missing if tool != "jdk"]
        if self.platform.may_install:
            self._install_packages(missing)
        elif packaged:
            raise HostError(self._by_hand(missing))
        if "jdk" in missing and find_jdk(search=self.search, shell=self.shell) is None:
            self._bring_jdk()

    def _install_packages(self, missing: Sequence[str]) -> None:
        apt_jdk = None
        if self.platform.manager == "apt":
            apt_jdk = self._prepare_apt(missing)
        command = install_command(missing, self.platform, apt_jdk)
        if command and self._run(command) != 0:
            raise HostError(f"could not install (see above): {shlex.join(command)}")

    def _prepare_apt(self, missing: Sequence[str]) -> str | None:
        """Refresh apt, and name the package that brings a JDK if one may be installed."""
        java_is_there = self.search.which("java") is not None
        if list(missing) == ["jdk"] and java_is_there:
            return None
        if self._run(apt_update(self.platform)) != 0:
            self.say("apt-get update failed; going on with what apt knows already")
        if "jdk" not in missing or java_is_there:
            return None
        return find_apt_jdk(self.shell)

    def _bring_jdk(self) -> None:
        if self.search.clone is None:
            raise HostError(remedy("jdk", self.platform))
        self.say("bringing a JDK 25 into .tools/ (about 200 MB, once)")
        home = self.bring_jdk(self.search.clone, self.platform)
        self.say(f"JDK unpacked: {home}")

    def _run(self, command: Sequence[str]) -> int:
        self.say(f"+ {shlex.join(command)}")
        env = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
        return self.shell.run(command, env=env, show=True).code

    def _by_hand(self, missing: Sequence[str]) -> str:
        lines = [f"this host ({self.platform.name}) lacks {', '.join(missing)}:"]
        lines += [f"  {tool}: {remedy(tool, self.platform)}" for tool in missing]
        if self.platform.manager == "apt":
            lines.append("they need root or sudo, and this process has neither")
        return "\n".join(lines)
