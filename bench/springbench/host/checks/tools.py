"""Checks of the programs that a run needs."""

from __future__ import annotations

from collections.abc import Sequence

from springbench.host.checks.check import Check, Severity
from springbench.host.tools.find import (
    GRAALVM_MAJOR,
    GRAALVM_REMEDY,
    MIN_JDK_MAJOR,
    MIN_MAVEN,
    Jdk,
    Tool,
    at_least,
)
from springbench.host.tools.packages import remedy
from springbench.host.tools.platforms import Platform

MIN_PYTHON = (3, 11)


def check_jdk(found: Sequence[Jdk], platform: Platform) -> Check:
    """A JDK that is new enough, anywhere; older ones beside it do not matter."""
    chosen = next((jdk for jdk in found if jdk.major >= MIN_JDK_MAJOR), None)
    if chosen:
        shown = f"{chosen.version} ({chosen.vendor}) in {chosen.home}"
    else:
        shown = "only " + ", ".join(jdk.version for jdk in found) if found else "none"
    return _tool_check("JDK", shown, f"{MIN_JDK_MAJOR} or newer", chosen, platform)


def check_maven(found: Tool | None, platform: Platform) -> Check:
    """Maven, which builds the servers."""
    enough = found if found and at_least(found.version, MIN_MAVEN) else None
    shown = found.version or "of unknown version" if found else "none"
    wanted = ".".join(map(str, MIN_MAVEN)) + " or newer"
    return _tool_check("Maven", shown, wanted, enough, platform)


def check_wrk(found: Tool | None, platform: Platform) -> Check:
    """The load generator."""
    shown = found.version if found else "none"
    return _tool_check("wrk", shown, "any version", found, platform)


def check_taskset(present: bool, platform: Platform) -> Check:
    """The program that pins a process to CPUs; Linux alone has one."""
    shown = "present" if present else "none"
    return _tool_check("taskset", shown, "present", present or None, platform)


def check_native_image(found: Tool | None) -> Check:
    """GraalVM's compiler of images, without which their cases are skipped."""
    shown = f"{found.version} in {found.path}" if found else "none"
    return Check(
        "native-image",
        shown,
        f"of GraalVM {GRAALVM_MAJOR}, for the runtime native",
        ok=found is not None,
        severity=Severity.INFO,
        remedy="" if found else GRAALVM_REMEDY,
        matters="without it native images are skipped, and all else is measured",
    )


def _tool_check(name: str, found: str, wanted: str, usable: object, platform: Platform) -> Check:
    tool = name.lower()
    if usable:
        return Check(name, found, wanted, ok=True, severity=Severity.ERROR)
    return Check(name, found, wanted, False, Severity.ERROR, remedy(tool, platform), tool)


def check_python(version: tuple[int, ...]) -> Check:
    """The Python that runs this; set-up picked it."""
    return Check(
        "Python",
        ".".join(map(str, version[:3])),
        ".".join(map(str, MIN_PYTHON)) + " or newer",
        version[:2] >= MIN_PYTHON,
        Severity.ERROR,
        "make setup, with a newer python3 on the PATH",
    )
