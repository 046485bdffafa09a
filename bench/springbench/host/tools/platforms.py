"""Kind of this host, as far as installing something on it goes."""

from __future__ import annotations

import os
import platform
import re
import shutil
from dataclasses import dataclass
from pathlib import Path


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
