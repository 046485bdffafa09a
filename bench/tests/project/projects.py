"""Files of a small project."""

from __future__ import annotations

import zipfile
from collections.abc import Mapping
from pathlib import Path

from springbench.archives import MANIFEST

WRAPPERS = {
    "mvnw": [".mvn/wrapper/maven-wrapper.properties"],
    "gradlew": [
        "gradle/wrapper/gradle-wrapper.properties",
        "gradle/wrapper/gradle-wrapper.jar",
    ],
}


def wrapped(wrapper: str, script: str) -> dict[str, str]:
    """The files of a wrapper, which does what the script says."""
    return {wrapper: script, **dict.fromkeys(WRAPPERS[wrapper], "")}


def write_jar(file: Path, main_class: str = "shop.App") -> Path:
    """An archive whose manifest names that class; none where it is empty."""
    file.parent.mkdir(parents=True, exist_ok=True)
    with zipfile.ZipFile(file, "w") as archive:
        line = f"Main-Class: {main_class}\n" if main_class else ""
        archive.writestr(MANIFEST, f"Manifest-Version: 1.0\n{line}")
    return file


def lay_out(folder: Path, files: Mapping[str, str]) -> Path:
    """The folder with these files in it."""
    for name, text in files.items():
        file = folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
    return folder
