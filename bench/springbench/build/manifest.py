"""What a jar was built with, and for: from its manifest, and the class that it starts."""

from __future__ import annotations

import re
import struct
import zipfile
from pathlib import Path

_MANIFEST = "META-INF/MANIFEST.MF"
_VERSION = re.compile(r"^Spring-Boot-Version: ([\w.-]{1,40})\s*$", re.MULTILINE)
_STARTS = re.compile(r"^(?:Start|Main)-Class: ([\w.$]{1,66})\s*$", re.MULTILINE)
_MOST_BYTES = 1 << 16
_LOADER = ("org/springframework/boot/loader/",)
# of a class file: the magic number, and two numbers of its format
_CLASS_HEADER = struct.Struct(">IHH")
_CLASS_MAGIC = 0xCAFEBABE
# the format of Java 1.0 was 45
_FORMAT_BEFORE = 44


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
            own = [_java_of(archive, file) for file in files]
            # the class that it starts may lie in a jar of its own among the libraries
            starts = [file for file in files if not any(each in file for each in _LOADER)]
            found = {*archive.namelist()}
            if starts and not any(file in found for file in starts):
                own += [_in_libraries(archive, files)]
            return max(own, default=0)
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
    return int(version) - _FORMAT_BEFORE if magic == _CLASS_MAGIC else 0
