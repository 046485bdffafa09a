"""Builds the servers with Maven, only when their sources have changed since the last build."""

from __future__ import annotations

import hashlib
import json
import logging
import os
import re
from collections.abc import Iterator, Mapping, Sequence, Set
from pathlib import Path
from typing import Any

from springbench.errors import BuildError, HostError
from springbench.host.lock import exclusive
from springbench.host.shell import Running, Shell
from springbench.host.tools.find import Jdk, Tool
from springbench.host.tools.search import tools_dir
from springbench.measure.services import database, upstream
from springbench.report.progress import log_elapsed
from springbench.units import duration

logger = logging.getLogger(__name__)

SHOWN_LINES = 20
# of compilers, linkers, native-image, Maven, shells and the kernel
_TELLING = re.compile(
    r"\berror\b|\bfatal\b|\bexception\b|\bundefined (?:reference|symbol)|\bcannot (?:find|open)\b"
    r"|\bno such file\b|\bnot found\b|\bout ?of ?memory|\bkilled\b|\bno space left\b"
    r"|\bcaused by\b|\bpermission denied\b|\bsegmentation fault\b|\bunresolved\b",
    re.IGNORECASE,
)
# what Maven says after any failure, and where it read something of that name
_TRAILER = re.compile(
    r"^\[ERROR\] *(?:$|->|\[Help|To see the full|Re-run Maven|For more information|After correcting"
    r"|mvn <args>|COMPILATION ERROR|BUILD FAILURE)|^\[INFO\]|^\s+at "
)
_COLOURS = re.compile(r"\x1b\[[0-9;]*m")
# relative to the clone
UPSTREAM_JAR = f"{upstream.MODULE}/{upstream.ARTIFACT}"
DATABASE_JAR = f"{database.MODULE}/{database.ARTIFACT}"
_SCHEMA = 1
# [INFO] boot4-tomcat 1.0.0-SNAPSHOT ............. SUCCESS [  3.214 s], or [01:02 min]
_SUMMARY_LINE = re.compile(
    r"^\[INFO\] (?P<name>\S+)(?: \S+)? \.* ?SUCCESS "
    r"\[ *(?:(?P<min>\d+):)?(?P<s>[\d.]+) (?:s|min)\]",
    re.MULTILINE,
)
# [INFO] Building boot4-tomcat 1.0.0-SNAPSHOT                              [3/9]
_BUILDING = re.compile(r"^\[INFO\] Building .*\[(\d+/\d+)\]$", re.MULTILINE)
# what Maven says when it cannot reach or find what it must download
_DOWNLOAD_FAILURES = (
    "Could not transfer artifact",
    "Could not find artifact",
    "Unknown host",
    "in offline mode",
)


def build_error(what: str, log: str, lines: Sequence[str]) -> BuildError:
    """The error of a build: what failed, the lines that say why, and the file with the rest.

    Without a line that says why, the last lines of the log stand there.
    """
    plain = [_COLOURS.sub("", line).rstrip() for line in lines]
    found = [line for line in plain if _TELLING.search(line) and not _TRAILER.search(line)]
    # the first ones: what comes after them follows from them
    shown = list(dict.fromkeys(found))[:SHOWN_LINES]
    if shown:
        return BuildError("\n".join([f"{what}; of {log}:", *shown]))
    return BuildError("\n".join([f"{what}; {log} ends:", *plain[-SHOWN_LINES:]]))


def build(
    modules: Sequence[str],
    jdk: Jdk,
    maven: Tool,
    root: Path,
    shell: Shell,
) -> None:
    """Make sure that the jars of `modules`, and of the slow upstream, are those of the sources.

    Raises BuildError when the sources do not build, HostError when Maven cannot download.
    """
    required_modules = sorted({*modules, upstream.MODULE})
    tools, lock = tools_dir(root), tools_dir(root) / "build.lock"
    tools.mkdir(exist_ok=True)
    lock.touch()
    # two builds of one clone would write the same files
    with exclusive(lock, lambda: logger.info("waiting for another build of this clone to end")):
        digest, stamp = source_digest(root), tools / "build.json"
        known = _known(stamp, digest, jdk)
        # a jar that is as it was built may be in use
        missing = [
            module for module in required_modules if not _untouched(root, known.get(module, {}))
        ]
        if not missing:
            return
        logger.info(f"building {', '.join(missing)} with Maven (log: .tools/build.log)")
        # not -q: the summary at the end tells how long each module took
        command = [str(maven.path), "-B", "-ntp", "-DskipTests", "package"]
        command += ["-pl", ",".join(missing), "-am"]
        log = tools / "build.log"
        with log.open("wb") as output:
            child = shell.start(command, stdout=output, env=jdk.env(os.environ), cwd=root)
            _wait(child, log)
        took_s = durations_s(log.read_text("utf-8", errors="replace"))
        known |= {module: _jars(root, module, took_s) for module in missing}
        _write(stamp, {"schema": _SCHEMA, "digest": digest, "jdk": jdk.major, "modules": known})


def source_digest(root: Path, without: Set[str] = frozenset()) -> str:
    """Digest of all that the build reads: names and contents of pom.xml and servers/**.

    `without` names modules, relative to `root`, that the build in question does not read.
    """
    total = hashlib.sha256()
    for path in _sources(root, without):
        name = path.relative_to(root).as_posix().encode()
        content = path.read_bytes()
        # lengths, so that no content can pass for the start of the next name
        total.update(b"%d %d " % (len(name), len(content)) + name + content)
    return total.hexdigest()


def _sources(root: Path, without: Set[str]) -> Iterator[Path]:
    yield root / "pom.xml"
    for folder, subfolders, files in os.walk(root / "servers"):
        parent = Path(folder).relative_to(root).as_posix()
        subfolders[:] = sorted(
            name for name in subfolders if name != "target" and f"{parent}/{name}" not in without
        )
        yield from (Path(folder) / name for name in sorted(files))


def _wait(child: Running, log: Path) -> None:
    """Until Maven has ended; raises what `build` does where it failed."""
    try:
        with log_elapsed(lambda took_s: f"  {_at(log)}, {duration(took_s)} so far"):
            code = child.wait()
    finally:
        child.stop()
    if code == 0:
        return
    lines = log.read_text(encoding="utf-8", errors="replace").splitlines()
    error = build_error(f"Maven failed with exit code {code}", str(log), lines)
    if any(sign in line for line in lines for sign in _DOWNLOAD_FAILURES):
        raise HostError(
            f"{error}\nMaven could not download what the build needs: is there a network, "
            "and a mirror in ~/.m2/settings.xml where one is required?"
        )
    raise error


def _at(log: Path) -> str:
    """The module that is built at this moment, as Maven counts them."""
    begun = _BUILDING.findall(log.read_text(encoding="utf-8", errors="replace"))
    return f"module {begun[-1]}" if begun else "before the first module"


def durations_s(log: str) -> dict[str, float]:
    """How long Maven took for each project, by its name, from the summary that ends its log."""
    return {
        match["name"]: 60 * int(match["min"] or 0) + float(match["s"])
        for match in _SUMMARY_LINE.finditer(log)
    }


def build_seconds(root: Path, jar: Path) -> float | None:
    """How long the last build took for the module of that jar; None where nobody knows."""
    try:
        was = json.loads((tools_dir(root) / "build.json").read_text(encoding="utf-8"))
        name = jar.relative_to(root).as_posix()
        entry = next(jars[name] for jars in was["modules"].values() if name in jars)
        return float(entry["build_s"])
    except (OSError, ValueError, LookupError, TypeError, AttributeError, StopIteration):
        return None


def _jars(root: Path, module: str, took_s: Mapping[str, float]) -> dict[str, Any]:
    """The jars that a module's build left, each with what tells it from another build's."""
    found = sorted((root / module / "target").glob("*.jar"))
    if not found:
        raise BuildError(f"{module} was built but left no jar in {module}/target")
    return {
        jar.relative_to(root).as_posix(): {
            "size_bytes": jar.stat().st_size,
            "mtime_ns": jar.stat().st_mtime_ns,
            "sha256": file_digest(jar),
            "build_s": took_s.get(jar.stem),
        }
        for jar in found
    }


def _untouched(root: Path, jars: dict[str, Any]) -> bool:
    """Whether all jars of a module are still there and still those of its build.

    Somebody may have built other sources by hand and gone back: a newer jar is compared by content.
    """
    for name, was in jars.items():
        try:
            now = (root / name).stat()
        except OSError:
            return False
        if (now.st_size, now.st_mtime_ns) == (was["size_bytes"], was["mtime_ns"]):
            continue
        if now.st_size != was["size_bytes"] or file_digest(root / name) != was["sha256"]:
            return False
    return bool(jars)


def file_digest(path: Path) -> str:
    """SHA-256 of a file's content."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _known(stamp: Path, digest: str, jdk: Jdk) -> dict[str, dict[str, Any]]:
    """Stamp that earlier builds of exactly these sources with this JDK left."""
    try:
        was = json.loads(stamp.read_text(encoding="utf-8"))
        same = (was["schema"], was["digest"], was["jdk"]) == (_SCHEMA, digest, jdk.major)
        return dict(was["modules"]) if same else {}
    except (OSError, ValueError, LookupError, TypeError):
        return {}


def _write(path: Path, content: dict[str, Any]) -> None:
    new_file = path.with_suffix(".new")
    new_file.write_text(json.dumps(content, indent=1), encoding="utf-8")
    new_file.replace(path)
