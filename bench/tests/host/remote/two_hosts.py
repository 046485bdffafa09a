"""A second host on this machine: a network namespace with an sshd in it, and a link to it."""

from __future__ import annotations

import contextlib
import getpass
import itertools
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from springbench.paths import ROOT

_NUMBERS = itertools.count()
# `bench/bootstrap.sh --dev` unpacks one there where the system has none
_UNPACKED = ROOT / ".tools" / "sshd"
_CONFIG = """\
Port 22
ListenAddress {address}
HostKey {folder}/host_key
AuthorizedKeysFile {folder}/key.pub
StrictModes no
UsePAM no
PidFile none
PermitRootLogin yes
PasswordAuthentication {passwords}
SetEnv PATH={path}
"""
_CLIENT = """\
Host *
  IdentityFile {folder}/key
  IdentitiesOnly yes
  UserKnownHostsFile {folder}/known_hosts
  GlobalKnownHostsFile none
"""


def sshd() -> str | None:
    """An sshd of this machine; None without one."""
    unpacked = _UNPACKED / "usr" / "sbin" / "sshd"
    return shutil.which("sshd", path=f"{os.environ['PATH']}:/usr/sbin:{unpacked.parent}")


def _runs(server: str) -> bool:
    """Whether it starts here: a newer one wants parts of it in the system's folders."""
    parts = _UNPACKED / "usr" / "lib" / "openssh" / "sshd-session"
    return not (server.startswith(str(_UNPACKED)) and parts.exists())


def why_not() -> str:
    """Why there can be no second host here; empty if there can."""
    if not sys.platform.startswith("linux") or os.geteuid() != 0:
        return "a network namespace takes root on Linux"
    missing = [name for name in ("ip", "ssh", "ssh-keygen", "unshare") if not shutil.which(name)]
    server = sshd()
    if missing or not server or not _runs(server):
        return f"not here: {', '.join(missing) or 'an sshd that runs from where it is unpacked'}"
    # of this process: two that try at once must not meet
    name = f"sb-try-{os.getpid()}"
    tried = subprocess.run(["ip", "netns", "add", name], capture_output=True, check=False)
    if tried.returncode:
        return f"no network namespace: {tried.stderr.decode().strip()}"
    subprocess.run(["ip", "netns", "del", name], check=False)
    return ""


@dataclass
class SecondHost:
    """A host that `ssh` reaches, once `folder/bin` comes first in the PATH."""

    name: str
    address: str
    own_address: str
    """This host's own address on the link."""
    folder: Path
    passwords: str = "no"
    server: subprocess.Popen[bytes] | None = None

    @property
    def destination(self) -> str:
        return f"{getpass.getuser()}@{self.address}"

    @property
    def environment(self) -> dict[str, str]:
        """The environment in which `ssh` knows the way."""
        return {**os.environ, "PATH": f"{self.folder / 'bin'}:{os.environ['PATH']}"}

    def trust(self) -> None:
        """Know the host's key as it is now."""
        key = (self.folder / "host_key.pub").read_text(encoding="ascii")
        (self.folder / "known_hosts").write_text(f"{self.address} {key}", encoding="ascii")

    def new_host_key(self) -> None:
        """Another key than the one that is known, and an sshd that has it."""
        _keygen(self.folder / "host_key")
        self.restart()

    def restart(self) -> None:
        """Start sshd, and wait until it listens."""
        self.stop()
        text = _CONFIG.format(
            address=self.address,
            folder=self.folder,
            passwords=self.passwords,
            path=os.environ["PATH"],
        )
        (self.folder / "sshd_config").write_text(text, encoding="ascii")
        # the user that it wants for itself, where this system has none
        passwd = self.folder / "passwd"
        users = Path("/etc/passwd").read_text(encoding="utf-8")
        passwd.write_text(users + "sshd:x:65533:65534::/run/sshd:/usr/sbin/nologin\n", "utf-8")
        start = (
            f"mount --bind {passwd} /etc/passwd && mount -t tmpfs none /run && mkdir /run/sshd && "
            f"exec {sshd()} -D -e -f {self.folder}/sshd_config"
        )
        libraries = _UNPACKED / "usr" / "lib"
        found = {str(file.parent) for file in libraries.glob("*/*.so*")}
        with (self.folder / "sshd.log").open("wb") as log:
            self.server = subprocess.Popen(
                # the other host of one machine: with the CPU that the harness has here
                [
                    *("taskset", "--cpu-list", str(min(os.sched_getaffinity(0)))),
                    *("ip", "netns", "exec", self.name, "unshare", "--mount", "sh", "-c", start),
                ],
                stdout=log,
                stderr=log,
                env={**os.environ, "LD_LIBRARY_PATH": ":".join(found)},
                start_new_session=True,
            )
        end_s = time.monotonic() + 20
        while b"listening" not in (self.folder / "sshd.log").read_bytes():
            log_text = (self.folder / "sshd.log").read_text("utf-8", "replace")
            assert self.server.poll() is None and time.monotonic() < end_s, log_text
            time.sleep(0.05)

    def stop(self) -> None:
        """End sshd; those who are logged in stay."""
        if self.server:
            self.server.kill()
            self.server.wait()

    def vanish(self) -> None:
        """Nothing gets through any more, and nobody says so."""
        _run("ip", "-n", self.name, "link", "set", "sb1", "down")

    def come_back(self) -> None:
        """As before."""
        _run("ip", "-n", self.name, "link", "set", "sb1", "up")

    def processes(self) -> list[str]:
        """Command lines of what runs there, but for sshd."""
        pids = _run("ip", "netns", "pids", self.name).split()
        lines = []
        for pid in pids:
            with contextlib.suppress(OSError):
                line = Path(f"/proc/{pid}/cmdline").read_bytes().replace(b"\0", b" ").decode()
                lines.append(line.strip())
        return [line for line in lines if line and "sshd" not in line]


@contextlib.contextmanager
def second_host(folder: Path) -> Iterator[SecondHost]:
    """A host that is trusted and may be logged into with a key."""
    process, number = os.getpid() % 256, next(_NUMBERS) % 64
    name, near = f"sb-{process}-{number}", f"sb{process}-{number}"
    net, first = f"10.199.{process}", 4 * number
    host = SecondHost(name, f"{net}.{first + 2}", f"{net}.{first + 1}", folder)
    _keygen(folder / "key")
    _keygen(folder / "host_key")
    (folder / "ssh_config").write_text(_CLIENT.format(folder=folder), encoding="ascii")
    wrapper = folder / "bin" / "ssh"
    wrapper.parent.mkdir()
    wrapper.write_text(f'#!/bin/sh\nexec {shutil.which("ssh")} -F {folder}/ssh_config "$@"\n')
    wrapper.chmod(0o755)
    _run("ip", "netns", "add", name)
    try:
        _run("ip", "link", "add", near, "type", "veth", "peer", "name", "sb1", "netns", name)
        _run("ip", "addr", "add", f"{host.own_address}/30", "dev", near)
        _run("ip", "link", "set", near, "up")
        for words in (
            ("addr", "add", f"{host.address}/30", "dev", "sb1"),
            ("link", "set", "sb1", "up"),
            ("link", "set", "lo", "up"),
        ):
            _run("ip", "-n", name, *words)
        host.restart()
        host.trust()
        yield host
    finally:
        host.stop()
        for pid in _run("ip", "netns", "pids", name).split():
            with contextlib.suppress(ProcessLookupError):
                os.kill(int(pid), 9)
        subprocess.run(["ip", "link", "del", near], capture_output=True, check=False)
        _run("ip", "netns", "del", name)


def _keygen(file: Path) -> None:
    file.unlink(missing_ok=True)
    _run("ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", str(file))


def _run(*command: str) -> str:
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, (command, done.stderr)
    return done.stdout
