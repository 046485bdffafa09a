"""What counts as enough, and what is said when it is not."""

from __future__ import annotations

from pathlib import Path

import pytest

from springbench.host.checks import cpu, system
from springbench.host.checks.check import Check, Severity
from springbench.host.facts.kernel_limits import AcceptQueue, FileLimit, PortRange
from springbench.host.tools.find import Jdk, Tool
from tests.host.tools.test_install import DEBIAN, MACOS

OLD = Jdk(Path("/jdk-17"), "17.0.15", 17, "Debian")
NEW = Jdk(Path("/jdk-25"), "25.0.3", 25, "Eclipse Adoptium")


def test_a_new_jdk_beside_older_ones_is_enough() -> None:
    found = system.check_jdk([OLD, NEW], DEBIAN)
    assert found.ok
    assert found.found == "25.0.3 (Eclipse Adoptium) in /jdk-25"
    assert found.tool == ""


def test_only_older_jdks_are_named_with_what_to_do() -> None:
    found = system.check_jdk([OLD], MACOS)
    assert not found.ok
    assert found.severity is Severity.ERROR
    assert found.found == "only 17.0.15"
    assert found.remedy == "brew install openjdk"
    assert found.tool == "jdk"


def test_native_image_is_worth_knowing_and_no_mistake_to_lack() -> None:
    found = system.check_native_image(Tool("native-image", Path("/g/bin/native-image"), "25.0.2"))
    assert (found.ok, found.found) == (True, "25.0.2 in /g/bin/native-image")
    lacking = system.check_native_image(None)
    assert (lacking.ok, lacking.severity) == (False, Severity.INFO)
    assert "sdk install java 25-graalce" in lacking.remedy
    assert "GRAALVM_HOME" in lacking.remedy


def test_a_maven_that_is_too_old_is_named() -> None:
    found = system.check_maven(Tool("maven", Path("/usr/bin/mvn"), "3.6.3"), DEBIAN)
    assert (found.ok, found.found, found.wanted) == (False, "3.6.3", "3.8 or newer")
    assert found.remedy.endswith("apt-get install -y --no-install-recommends maven")


@pytest.mark.parametrize(
    ("check", "ok"),
    [
        (system.check_jdk([], DEBIAN), False),
        (system.check_maven(None, DEBIAN), False),
        (system.check_wrk(None, DEBIAN), False),
        (system.check_wrk(Tool("wrk", Path("/usr/bin/wrk"), "4.1.0"), DEBIAN), True),
        (system.check_taskset(False, DEBIAN), False),
        (system.check_python((3, 10, 4)), False),
        (system.check_python((3, 14, 0)), True),
        (system.check_files(FileLimit(1_024, 4_096, 10_512), 5_000), False),
        (system.check_files(FileLimit(20_000, 20_000, 10_512), 5_000), True),
        (system.check_ports(PortRange(32_768, 60_999, 25_000, 5_000)), False),
        (system.check_accept_queue(AcceptQueue(128, 1_024)), False),
        (cpu.check_cores(1), False),
        (cpu.check_cores(2), True),
        (system.check_platform(DEBIAN), True),
        (system.check_platform(MACOS), False),
    ],
)
def test_enough_or_not(check: Check, ok: bool) -> None:
    assert check.ok is ok
    assert check.found
    assert check.wanted
    assert check.ok or check.remedy


def test_on_macos_what_it_costs_is_reported() -> None:
    found = system.check_platform(MACOS)
    assert found.severity is Severity.WARNING
    assert "not pinned" in found.matters
    assert "timeline" in found.matters
