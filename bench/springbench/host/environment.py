"""The environment of what is measured: the same wherever, and by whomever, it is started.

An allow-list. What configures a JVM, Spring or the C library from outside (JAVA_TOOL_OPTIONS,
SPRING_..., LD_PRELOAD) would be measured with the server, and nothing in a result would show it.
For any Python from 3.8 on, with nothing but its standard library: a load host reads it too.
"""

from __future__ import annotations

import hashlib
import os
import re
from pathlib import Path
from typing import Iterable, Mapping  # noqa: UP035 - read by Python 3.8

DEFINED = {"LANG": "C.UTF-8", "LC_ALL": "C.UTF-8", "TZ": "UTC"}
# where a host keeps its programs and a user's files
OF_THE_HOST = ("PATH", "HOME", "USER", "LOGNAME", "TMPDIR")
# by which clients find the containers of their user
OF_CONTAINERS = (
    "CONTAINER_HOST",
    "DOCKER_CERT_PATH",
    "DOCKER_CONFIG",
    "DOCKER_CONTEXT",
    "DOCKER_HOST",
    "DOCKER_TLS_VERIFY",
    "XDG_RUNTIME_DIR",
)
# what people set for a whole host, or a whole job, and expect to have an effect
_CONFIGURES = re.compile(
    r"JAVA_TOOL_OPTIONS|_JAVA_OPTIONS|JDK_JAVA_OPTIONS|JAVA_OPTS|CLASSPATH|IBM_JAVA_OPTIONS"
    r"|OPENJ9_JAVA_OPTIONS|(SPRING|SERVER|MANAGEMENT|LOGGING)_\w+|NODE_OPTIONS|NODE_ENV"
    r"|PYTHON(PATH|HOME|OPTIMIZE|MALLOC)|GODEBUG|GOMAXPROCS|GOGC|GOMEMLIMIT|LD_PRELOAD"
    r"|LD_LIBRARY_PATH|MALLOC_\w+|GLIBC_TUNABLES"
)
_DIGEST_ROUNDS = 100_000
_DIGEST_BYTES = 4


def measured_environment(
    overrides: Mapping[str, str] | None = None,
    java_home: Path | None = None,
    caller: Mapping[str, str] | None = None,
) -> dict[str, str]:
    """All variables of a measured process: those of the host, what is defined, and `overrides`.

    With a `java_home`, it is the JDK of scripts such as mvnw, and `java` on the PATH. `caller` is
    the environment of this process, if left out.
    """
    caller = os.environ if caller is None else caller
    found = {name: caller[name] for name in OF_THE_HOST if name in caller}
    found.setdefault("PATH", os.defpath)
    if java_home is not None:
        found["JAVA_HOME"] = str(java_home)
        found["PATH"] = os.pathsep.join([str(java_home / "bin"), found["PATH"]])
    return {**found, **DEFINED, **(overrides or {})}


def passed(names: Iterable[str], caller: Mapping[str, str] | None = None) -> dict[str, str]:
    """The variables that a declaration passes through, as far as they are set."""
    caller = os.environ if caller is None else caller
    return {name: caller[name] for name in sorted(set(names)) if name in caller}


def digest(variables: Mapping[str, str]) -> str:
    """Eight hexadecimal digits that tell values apart, and tell nothing of them.

    Slow to compute, and short: a password that somebody guesses is not confirmed by it.
    """
    text = "\0".join(f"{name}={variables[name]}" for name in sorted(variables))
    key = hashlib.pbkdf2_hmac(
        "sha256", text.encode("utf-8", "surrogateescape"), b"springbench", _DIGEST_ROUNDS
    )
    return key[:_DIGEST_BYTES].hex()


def withheld(declared: Iterable[str], caller: Mapping[str, str] | None = None) -> list[str]:
    """Variables of the caller that change how a program runs, and are not declared."""
    caller = os.environ if caller is None else caller
    return sorted(
        name for name in caller if _CONFIGURES.fullmatch(name) and name not in set(declared)
    )
