"""Cases of a plan that this host can run: a native image needs GraalVM, or to be prebuilt, and
HTTP/2 its load generator.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from springbench.build.manifest import needed_java
from springbench.errors import HostError
from springbench.host.tools.find import (
    GRAALVM_MAJOR,
    GRAALVM_REMEDY,
    JDK_PLACES,
    NO_JDK,
    Jdk,
    find_h2load,
    find_native_image,
)
from springbench.host.tools.packages import remedy
from springbench.host.tools.platforms import this_platform
from springbench.plan.cases import Variant
from springbench.plan.plan import Plan

NO_NATIVE_IMAGE = f"needs native-image of GraalVM {GRAALVM_MAJOR}; {GRAALVM_REMEDY}"


def unavailable(
    plan: Plan, jars: Path | None, jdk: Jdk = NO_JDK, jdks: Mapping[str, Jdk] | None = None
) -> dict[str, str]:
    """By case id: why this host cannot run it, and the command that would change that.

    `jdk` is the one that servers run on, `jdks` those that variants name, by release.
    """
    lacks = {case.id: _lack_of_jdk(case.variant, jdk, jdks or {}) for case in plan.cases}
    without_jdk = {case: why for case, why in lacks.items() if why}
    return without_jdk | _without_image(plan, jars) | _without_h2load(plan)


def too_old(jdk: Jdk | None, artifact: Path) -> str | None:
    """Why a JDK that a variant names cannot start its artifact; None where it can."""
    if jdk is None or (needed := needed_java(artifact)) <= jdk.major:
        return None
    return (
        f"JDK {jdk.version}: {artifact.name} is compiled for {needed} or newer; build it for "
        f"{jdk.major}, or leave {jdk.major} out of jdks"
    )


def _lack_of_jdk(variant: Variant, jdk: Jdk, jdks: Mapping[str, Jdk]) -> str | None:
    release, needed = variant.settings.jdk, variant.runtime.needed_jdk
    if release and release not in jdks:
        return (
            f"JDK {release}: none is on this host, in {JDK_PLACES}; install one there, or leave "
            f"{release} out of jdks"
        )
    used = jdks[release] if release else jdk
    if used is NO_JDK or needed <= used.major:
        return None
    what_to_do = f"leave {release} out of jdks" if release else "set JAVA_HOME to such a JDK"
    return (
        f"{variant.runtime.id} needs JDK {needed} or newer, and servers run on {used.version}; "
        f"{what_to_do}"
    )


def _without_h2load(plan: Plan) -> dict[str, str]:
    cases = [case.id for case in plan.cases if case.protocol.generator == "h2load"]
    if not cases or find_h2load():
        return {}
    return dict.fromkeys(cases, f"HTTP/2 needs h2load: {remedy('h2load', this_platform())}")


def _without_image(plan: Plan, jars: Path | None) -> dict[str, str]:
    if jars:
        return {
            case: f"--jars {jars}: not there: {name}; build it, or leave out --jars"
            for case, name in missing_images(plan, jars).items()
        }
    native = [case.id for case in plan.cases if case.variant.runtime.is_native]
    if native and find_native_image() is None:
        return dict.fromkeys(native, NO_NATIVE_IMAGE)
    return {}


def missing_images(plan: Plan, jars: Path) -> dict[str, str]:
    """By case id: the name of its image, where that does not lie beside the jars."""
    return {
        case.id: f"{case.variant.prepared_as.id}/{case.variant.runtime.makes}"
        for case in plan.cases
        if case.variant.runtime.is_native and not prebuilt(jars, case.variant)
    }


def prebuilt(jars: Path | None, variant: Variant) -> Path | None:
    """The folder of what was made elsewhere, if it lies beside the jars."""
    folder = jars / variant.prepared_as.id if jars else None
    return folder if folder and (folder / str(variant.runtime.makes)).is_file() else None


def runnable(plan: Plan, absent: Mapping[str, str]) -> Plan:
    """The cases that this host can run. Raises `HostError` where there is none."""
    cases = tuple(case for case in plan.cases if case.id not in absent)
    if not cases:
        raise HostError("\n".join(dict.fromkeys(absent.values())))
    return replace(plan, cases=cases)
