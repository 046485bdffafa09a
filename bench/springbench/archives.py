"""What the archives of a JVM say of themselves: jars and wars."""

from __future__ import annotations

import re
import zipfile
from pathlib import Path

MANIFEST = "META-INF/MANIFEST.MF"
# number of a class file's format, less the Java that it is for: Java 1.0 had 45
FORMAT_BEFORE_JAVA = 44
MAIN_CLASS = re.compile(rb"^Main-Class:\s*\S", re.MULTILINE)


def read_archive(path: Path) -> tuple[bytes, list[str]]:
    """The manifest of an archive, and the names of what is in it; nothing of what is none, or has
    no manifest."""
    try:
        with zipfile.ZipFile(path) as archive:
            manifest, names = archive.read(MANIFEST), archive.namelist()
    except (OSError, KeyError, zipfile.BadZipFile):
        return b"", []
    # a line of a manifest goes on behind a break and a space
    return manifest.replace(b"\r\n", b"\n").replace(b"\n ", b""), names


def is_runnable(path: Path) -> bool:
    """Whether an archive names the class that starts it."""
    manifest, _ = read_archive(path)
    return bool(MAIN_CLASS.search(manifest))
