"""oha, the load generator at a constant rate: of the host, or built by cargo when it is asked for.

No package index that a host asks by default has it but crates.io, as sources.
"""

from __future__ import annotations

import logging
import os
import re
from pathlib import Path

from springbench.errors import HostError
from springbench.host.shell import RealShell, Shell, run_logged
from springbench.host.tools.find import Tool, at_least
from springbench.host.tools.search import Search, tools_dir
from springbench.messages import show_messages
from springbench.report.progress import log_elapsed
from springbench.units import duration

logger = logging.getLogger(__name__)

VERSION = "1.16.0"
_OLDEST = (1, 14)
_VERSION_TIMEOUT_S = 20.0
FOLDER = f"oha-{VERSION}"
"""Below `.tools`; a workflow keeps it, for it takes minutes to build."""
REMEDY = (
    f"install Rust 1.88 or newer (rustup), whose cargo builds oha {VERSION} into .tools/ once, "
    "or put oha on the PATH"
)
# it is built once on the host of its user: minutes matter more than the last per cent of speed
_QUICKER = {"CARGO_PROFILE_RELEASE_LTO": "off", "CARGO_PROFILE_RELEASE_CODEGEN_UNITS": "16"}


def find_oha(shell: Shell, search: Search | None = None) -> Tool | None:
    """The one of the host, if it is new enough, or the one that was built into the clone."""
    search = search or Search.of_host()
    built = _folder(search.clone) / "bin" / "oha" if search.clone else None
    for path in filter(None, (search.which("oha"), built)):
        if version := _version(path, shell):
            return Tool("oha", path, version)
    return None


def provide_oha(shell: Shell, search: Search | None = None) -> Tool:
    """The one that is there, or a new build. Raises `HostError` where neither can be."""
    search = search or Search.of_host()
    if found := find_oha(shell, search):
        return found
    cargo = search.which("cargo") or _cargo_of(search.home)
    if cargo is None or search.clone is None:
        raise HostError(f"oha {VERSION} is missing, and cargo, which builds it, too: {REMEDY}")
    folder = _folder(search.clone)
    folder.mkdir(parents=True, exist_ok=True)
    logger.info(f"building oha {VERSION} with cargo, once; this takes some minutes")
    log = folder / "build.log"
    command = [str(cargo), "install", "--locked", "--root", str(folder), f"oha@{VERSION}"]
    with log_elapsed(lambda took_s: f"  oha: {duration(took_s)} so far"):
        code = run_logged(shell, command, log, {**os.environ, **_QUICKER})
    if code == 0 and (found := find_oha(shell, search)):
        return found
    raise HostError(f"cargo could not build oha {VERSION}: {log} says why; or: {REMEDY}")


def _folder(clone: Path) -> Path:
    return (tools_dir(clone) / FOLDER).absolute()


def _cargo_of(home: Path | None) -> Path | None:
    """Where rustup puts it, which is not on every PATH."""
    path = home / ".cargo" / "bin" / "cargo" if home else None
    return path if path and os.access(path, os.X_OK) else None


def _version(path: Path, shell: Shell) -> str | None:
    """Its version; None where it cannot be run, or has another command line."""
    if not os.access(path, os.X_OK):
        return None
    try:
        answer = shell.run([str(path), "--version"], timeout_s=_VERSION_TIMEOUT_S)
    except OSError:
        return None
    match = re.fullmatch(r"oha (\d+\.\d+\S*)", answer.stdout.strip())
    return match[1] if match and at_least(match[1], _OLDEST) else None


def main() -> None:
    """Bring it here for tests; where it cannot be had, say why: they then say what they skip."""
    show_messages(print)
    try:
        print(provide_oha(RealShell()).path)  # noqa: T201
    except HostError as error:
        print(f"springbench: {error}")  # noqa: T201


if __name__ == "__main__":
    main()
