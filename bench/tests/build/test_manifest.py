"""A jar's own word on its Spring Boot."""

from __future__ import annotations

import zipfile
from pathlib import Path

import pytest

from springbench.build.availability import boot_version, needed_java


@pytest.mark.parametrize(
    ("manifest", "version"),
    [
        ("Manifest-Version: 1.0\r\nSpring-Boot-Version: 4.0.7\r\n\r\n", "4.0.7"),
        ("Spring-Boot-Version: 4.1.0-SNAPSHOT\n", "4.1.0-SNAPSHOT"),
        ("Manifest-Version: 1.0\n", None),
        ("Spring-Boot-Version: \n", None),
    ],
)
def test_the_version_in_a_manifest(tmp_path: Path, manifest: str, version: str | None) -> None:
    jar = tmp_path / "a.jar"
    with zipfile.ZipFile(jar, "w") as archive:
        archive.writestr("META-INF/MANIFEST.MF", manifest)
    assert boot_version(jar) == version


def test_what_is_no_jar_has_none(tmp_path: Path) -> None:
    assert boot_version(tmp_path / "nowhere.jar") is None
    (tmp_path / "a.jar").write_text("words", encoding="utf-8")
    assert boot_version(tmp_path / "a.jar") is None
    with zipfile.ZipFile(tmp_path / "b.jar", "w") as archive:
        archive.writestr("a.txt", "words")
    assert boot_version(tmp_path / "b.jar") is None


@pytest.mark.parametrize(
    ("manifest", "file", "version", "required_java"),
    [
        (
            "Start-Class: dev.App\nMain-Class: boot.Loader\n",
            "BOOT-INF/classes/dev/App.class",
            65,
            21,
        ),
        ("Main-Class: dev.App\n", "dev/App.class", 52, 8),
        ("Main-Class: dev.App\n", "elsewhere/App.class", 52, 0),
        ("", "dev/App.class", 69, 0),
    ],
)
def test_a_jar_tells_the_java_that_it_needs(
    tmp_path: Path, manifest: str, file: str, version: int, required_java: int
) -> None:
    jar = tmp_path / "app.jar"
    with zipfile.ZipFile(jar, "w") as archive:
        archive.writestr("META-INF/MANIFEST.MF", manifest)
        archive.writestr(file, b"\xca\xfe\xba\xbe\0\0" + version.to_bytes(2, "big"))
    assert needed_java(jar) == required_java


def test_what_is_no_jar_needs_no_java(tmp_path: Path) -> None:
    (tmp_path / "serve").write_text("#!/bin/sh\n", encoding="utf-8")
    assert needed_java(tmp_path / "serve") == 0
    assert needed_java(tmp_path / "nowhere") == 0
