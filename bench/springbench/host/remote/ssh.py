"""ssh: its command line, and what its failures mean to a person."""

from __future__ import annotations

import re
import shlex
from collections.abc import Sequence

from springbench.errors import ConfigurationError

# a user's own ~/.ssh/config has its say in all else
_OPTIONS = (
    "BatchMode=yes",  # nobody is there to type a password
    "ConnectTimeout=10",
    # a host that vanishes is noticed after so many seconds
    "ServerAliveInterval=2",
    "ServerAliveCountMax=3",
    "ClearAllForwardings=yes",
)
# no option of ssh, and nothing that a shell or ssh reads as more than a name
_DESTINATION = re.compile(r"(?:[A-Za-z0-9_][A-Za-z0-9_.-]*@)?[A-Za-z0-9_\[][A-Za-z0-9_.:%\]-]*")
_NO_PYTHON = 127


def checked_destination(text: str) -> str:
    """`USER@HOST` as it is given. Raises `ConfigurationError` for what is none."""
    if not _DESTINATION.fullmatch(text):
        raise ConfigurationError(
            f"load host {text!r}: give HOST, USER@HOST or a Host of ~/.ssh/config; a port belongs "
            "there, too"
        )
    return text


def command(destination: str, remote: Sequence[str]) -> list[str]:
    """The ssh command that runs `remote` there."""
    options = [word for option in _OPTIONS for word in ("-o", option)]
    return ["ssh", "-T", *options, "--", destination, shlex.join(remote)]


def why_it_failed(destination: str, code: int | None, stderr: str) -> str:
    """One line: what is wrong with the connection, and what to do."""
    host = destination.rpartition("@")[2]
    for pattern, meaning in _MEANINGS:
        if re.search(pattern, stderr, re.IGNORECASE):
            return meaning.format(destination=destination, host=host)
    if code == _NO_PYTHON:
        return f"{destination} has no python3; install it there (3.8 or newer)"
    last = next((line for line in reversed(stderr.strip().splitlines()) if line.strip()), "")
    said = f": {last.strip()}" if last else f" (code {code})" if code is not None else ""
    return f"{destination}: ssh ended{said}; try `ssh {destination} true`"


_MEANINGS = (
    (
        r"remote host identification has changed",
        "{destination}: its host key is another than the one in known_hosts; find out why before "
        "you trust it, then `ssh-keygen -R {host}`",
    ),
    (
        r"host key verification failed|no .* host key is known",
        "{destination}: its host key is not known here; `ssh {destination} true` once, and compare "
        "the fingerprint that it shows",
    ),
    (
        r"permission denied|too many authentication failures",
        "{destination}: ssh asks for a password, and nobody is there to type it; "
        "`ssh-copy-id {destination}` brings a key there",
    ),
    (r"could not resolve hostname", "{destination}: no such host; see its name or ~/.ssh/config"),
    (
        r"connection refused",
        "{destination}: nothing listens for ssh there; start sshd, or name its port in "
        "~/.ssh/config",
    ),
    (
        r"no route to host|network is unreachable|timed out|timeout, server",
        "{destination}: it does not answer; is it up, and reachable from here?",
    ),
)
