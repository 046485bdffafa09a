"""Cases of a plan that this host can run: a native image needs GraalVM, or to be brought along."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from springbench.errors import HostError
from springbench.host.tools.find import GRAALVM_MAJOR, GRAALVM_REMEDY, find_native_image
from springbench.plan.cases import Variant
from springbench.plan.plan import Plan

NO_NATIVE_IMAGE = f"needs native-image of GraalVM {GRAALVM_MAJOR}; {GRAALVM_REMEDY}"


def unavailable(plan: Plan, jars: Path | None) -> dict[str, str]:
    """By case id: why this host cannot run it, and the command that would change that."""
    absent = [
        case
        for case in plan.cases
        if case.variant.runtime.is_native and not brought(jars, case.variant)
    ]
    if jars:
        return {
            case.id: f"--jars {jars}: not there: {case.variant.prepared_as.id}/"
            f"{case.variant.runtime.makes}; build it, or leave out --jars"
            for case in absent
        }
    if absent and find_native_image() is None:
        return dict.fromkeys((case.id for case in absent), NO_NATIVE_IMAGE)
    return {}


def brought(jars: Path | None, variant: Variant) -> Path | None:
    """The folder of what was made elsewhere, if it lies beside the jars."""
    folder = jars / variant.prepared_as.id if jars else None
    return folder if folder and (folder / str(variant.runtime.makes)).is_file() else None


def runnable(plan: Plan, absent: Mapping[str, str]) -> Plan:
    """The cases that this host can run. Raises `HostError` where there is none."""
    cases = tuple(case for case in plan.cases if case.id not in absent)
    if not cases:
        raise HostError("\n".join(dict.fromkeys(absent.values())))
    return replace(plan, cases=cases)
