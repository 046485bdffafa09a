"""A jar's own word on its Spring Boot."""

from __future__ import annotations

import zipfile
from pathlib import Path

import pytest

from springbench.build.manifest import boot_version


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
