"""The version of Spring Boot that a jar was built with, from its manifest."""

from __future__ import annotations

import re
import zipfile
from pathlib import Path

_MANIFEST = "META-INF/MANIFEST.MF"
_VERSION = re.compile(r"^Spring-Boot-Version: ([\w.-]{1,40})\s*$", re.MULTILINE)
_MOST_BYTES = 1 << 16


def boot_version(jar: Path) -> str | None:
    """None for what is no jar, or none of Spring Boot's."""
    try:
        with zipfile.ZipFile(jar) as archive, archive.open(_MANIFEST) as manifest:
            text = manifest.read(_MOST_BYTES).decode("utf-8", "replace")
    except (OSError, KeyError, zipfile.BadZipFile):
        return None
    found = _VERSION.search(text)
    return found[1] if found else None
