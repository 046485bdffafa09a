"""Cases of a plan that this host can run: a native image needs GraalVM, or to be prebuilt, and
HTTP/2 its load generator.
"""

from __future__ import annotations

import re
import struct
import zipfile
from collections.abc import Mapping
from pathlib import Path

from springbench.archives import FORMAT_BEFORE_JAVA
from springbench.host.tools.find import (
    GRAALVM_MAJOR,
    GRAALVM_REMEDY,
    JDK_PLACES,
    NO_JDK,
    Jdk,
    find_h2load,
    find_native_image,
)
from springbench.host.tools.packages import remedy, this_platform
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
    if jdk is None or (required_java := needed_java(artifact)) <= jdk.major:
        return None
    return (
        f"JDK {jdk.version}: {artifact.name} is compiled for {required_java} or newer; build it "
        f"for {jdk.major}, or leave {jdk.major} out of jdks"
    )


def _lack_of_jdk(variant: Variant, jdk: Jdk, jdks: Mapping[str, Jdk]) -> str | None:
    release, required_jdk = variant.settings.jdk, variant.runtime.needed_jdk
    if release and release not in jdks:
        return (
            f"JDK {release}: none is on this host, in {JDK_PLACES}; install one there, or leave "
            f"{release} out of jdks"
        )
    used = jdks[release] if release else jdk
    if used is NO_JDK or required_jdk <= used.major:
        return None
    what_to_do = f"leave {release} out of jdks" if release else "set JAVA_HOME to such a JDK"
    return (
        f"{variant.runtime.id} needs JDK {required_jdk} or newer, and servers run on "
        f"{used.version}; {what_to_do}"
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


# --- What a jar was built with, and for: from its manifest, and the class that it starts ----------


_MANIFEST = "META-INF/MANIFEST.MF"
_VERSION = re.compile(r"^Spring-Boot-Version: ([\w.-]{1,40})\s*$", re.MULTILINE)
_STARTS = re.compile(r"^(?:Start|Main)-Class: ([\w.$]{1,66})\s*$", re.MULTILINE)
_MOST_BYTES = 1 << 16
_LOADER = ("org/springframework/boot/loader/",)
# of a class file: the magic number, and two numbers of its format
_CLASS_HEADER = struct.Struct(">IHH")
_CLASS_MAGIC = 0xCAFEBABE


def boot_version(jar: Path) -> str | None:
    """None for what is no jar, or none of Spring Boot's."""
    try:
        with zipfile.ZipFile(jar) as archive:
            text = _manifest(archive)
    except (OSError, KeyError, zipfile.BadZipFile):
        return None
    found = _VERSION.search(text)
    return found[1] if found else None


def needed_java(jar: Path) -> int:
    """The oldest Java that can load the class that it starts; 0 for what does not tell."""
    try:
        with zipfile.ZipFile(jar) as archive:
            names = {name.replace(".", "/") for name in _STARTS.findall(_manifest(archive))}
            folders = ("BOOT-INF/classes/", "WEB-INF/classes/", "")
            files = [f"{folder}{name}.class" for folder in folders for name in names]
            versions = [_java_of(archive, file) for file in files]
            # the class that it starts may lie in a jar of its own among the libraries
            starts = [file for file in files if not any(package in file for package in _LOADER)]
            found = {*archive.namelist()}
            if starts and not any(file in found for file in starts):
                versions += [_in_libraries(archive, files)]
            return max(versions, default=0)
    except (OSError, KeyError, zipfile.BadZipFile):
        return 0


def _in_libraries(archive: zipfile.ZipFile, files: list[str]) -> int:
    for name in archive.namelist():
        if name.startswith("BOOT-INF/lib/") and name.endswith(".jar"):
            with archive.open(name) as nested, zipfile.ZipFile(nested) as library:
                if found := max((_java_of(library, file) for file in files), default=0):
                    return found
    return 0


def _manifest(archive: zipfile.ZipFile) -> str:
    with archive.open(_MANIFEST) as manifest:
        return manifest.read(_MOST_BYTES).decode("utf-8", "replace")


def _java_of(archive: zipfile.ZipFile, file: str) -> int:
    try:
        with archive.open(file) as found:
            magic, _, version = _CLASS_HEADER.unpack(found.read(_CLASS_HEADER.size))
    except (KeyError, struct.error):
        return 0
    return int(version) - FORMAT_BEFORE_JAVA if magic == _CLASS_MAGIC else 0
