"""Installs what a host lacks: packages through apt or brew, a JDK into the clone if need be.

Every command is shown before it runs. Nothing outside the clone changes but those packages. A JDK
package would take over the default `java` of a host that has one already (the packages register
themselves with the host's alternatives), so such a host gets a JDK of the clone's own. Its link and
its checksum come from Eclipse Adoptium's public API; cjdk downloads, compares the checksum,
unpacks, and moves the finished folder into place in one step.
"""

from __future__ import annotations

import logging
import os
import shlex
import urllib.request
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from springbench.errors import HostError
from springbench.host.shell import Shell
from springbench.host.tools.find import MIN_JDK_MAJOR, find_jdk
from springbench.host.tools.packages import (
    Platform,
    find_apt_jdk,
    install_command,
    remedy,
)
from springbench.host.tools.search import Search, tools_dir
from springbench.untrusted import parse_json

logger = logging.getLogger(__name__)

API = "https://api.adoptium.net/v3/assets/latest/{major}/hotspot"
BY_HAND = (
    "Install a JDK {major} or newer by hand (any vendor), then either set JAVA_HOME to it "
    "or unpack it as {folder}."
)

_API_TIMEOUT_S = 20.0
_SYSTEMS = {"linux": "linux", "darwin": "mac"}
_MACHINES = {"x86_64": "x64", "amd64": "x64", "aarch64": "aarch64", "arm64": "aarch64"}

Fetch = Callable[[str], bytes]
Unpack = Callable[[str, str, str, Path], Path]
BringJdk = Callable[[Path, Platform], Path]


@dataclass(frozen=True)
class Archive:
    """A JDK to download."""

    version: str
    link: str
    sha256: str


def bring_jdk(
    root: Path,
    platform: Platform,
    *,
    fetch: Fetch | None = None,
    unpack: Unpack | None = None,
) -> Path:
    """Download a JDK into `.tools/` and return its home; HostError says what to do instead."""
    tools = tools_dir(root)
    by_hand = BY_HAND.format(major=MIN_JDK_MAJOR, folder=tools / f"jdk-{MIN_JDK_MAJOR}")
    url = _question(platform)
    if url is None:
        raise HostError(
            f"no JDK {MIN_JDK_MAJOR}: no build for {platform.system} {platform.machine}. {by_hand}"
        )
    try:
        archive = _archive((fetch or _fetch)(url))
        folder = (unpack or _unpack)(f"JDK {archive.version}", archive.link, archive.sha256, tools)
    except (OSError, RuntimeError, ValueError, LookupError) as error:
        raise HostError(
            f"no JDK {MIN_JDK_MAJOR}: the download failed ({error}). {by_hand}"
        ) from error
    return _link(folder, tools / f"jdk-{archive.version}", by_hand)


def _question(platform: Platform) -> str | None:
    system, machine = _SYSTEMS.get(platform.system), _MACHINES.get(platform.machine.lower())
    if system is None or machine is None:
        return None
    query = f"architecture={machine}&image_type=jdk&os={system}&vendor=eclipse"
    return f"{API.format(major=MIN_JDK_MAJOR)}?{query}"


def _archive(answer: bytes) -> Archive:
    """The first asset of the API's answer; a LookupError or ValueError when it has none."""
    asset = parse_json(answer)[0]
    package = asset["binary"]["package"]
    link, checksum = str(package["link"]), str(package["checksum"])
    if not link.startswith("https://") or not link.endswith(".tar.gz"):
        raise ValueError(f"unexpected link {link}")
    return Archive(str(asset["version"]["openjdk_version"]).split("+")[0], link, checksum)


def _fetch(url: str) -> bytes:
    request = urllib.request.Request(url, headers={"User-Agent": "springbench"})  # noqa: S310
    with urllib.request.urlopen(request, timeout=_API_TIMEOUT_S) as response:  # noqa: S310
        return bytes(response.read())


def _unpack(name: str, link: str, sha256: str, tools: Path) -> Path:
    import cjdk  # noqa: PLC0415  # slow to import, and needed once in the life of a clone

    return Path(
        cjdk.cache_package(
            name, f"tgz+{link}", sha256=sha256, cache_dir=tools / "downloads", progress=True
        )
    )


def _link(folder: Path, name: Path, by_hand: str) -> Path:
    """Give the unpacked JDK the name under which it is looked for."""
    for pattern in ("bin/javac", "*/bin/javac", "*/Contents/Home/bin/javac"):
        if found := next(iter(sorted(folder.glob(pattern))), None):
            home = found.parent.parent
            break
    else:
        raise HostError(f"the downloaded archive holds no JDK ({folder}). {by_hand}")
    if name.is_symlink():
        name.unlink()
    # relative, so that the clone may be moved
    name.symlink_to(os.path.relpath(home, name.parent))
    return name


@dataclass(frozen=True)
class Installer:
    """Installs on one host; a test replaces each part."""

    platform: Platform
    shell: Shell
    search: Search
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
        if self._run([*self.platform.as_root, "apt-get", "update"]) != 0:
            logger.info("apt-get update failed; going on with what apt knows already")
        if "jdk" not in missing or java_is_there:
            return None
        return find_apt_jdk(self.shell)

    def _bring_jdk(self) -> None:
        if self.search.clone is None:
            raise HostError(remedy("jdk", self.platform))
        logger.info("bringing a JDK 25 into .tools/ (about 200 MB, once)")
        home = self.bring_jdk(self.search.clone, self.platform)
        logger.info(f"JDK unpacked: {home}")

    def _run(self, command: Sequence[str]) -> int:
        logger.info(f"+ {shlex.join(command)}")
        env = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
        return self.shell.run(command, env=env, show=True).code

    def _by_hand(self, missing: Sequence[str]) -> str:
        lines = [f"this host ({self.platform.name}) lacks {', '.join(missing)}:"]
        lines += [f"  {tool}: {remedy(tool, self.platform)}" for tool in missing]
        if self.platform.manager == "apt":
            lines.append("they need root or sudo, and this process has neither")
        return "\n".join(lines)
