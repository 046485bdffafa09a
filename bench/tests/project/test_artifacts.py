"""What a build has left, by what is in it."""

from __future__ import annotations

import zipfile
from pathlib import Path

import pytest

from springbench.project.artifacts import Artifact, logging_library, pattern_of, read_artifact

LAUNCHER = "Main-Class: org.springframework.boot.loader.launch.JarLauncher\n"
MAIN_CLASS = "Main-Class: a.Main\n"


def packaged(file: Path, manifest: str, *names: str) -> Path:
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr("META-INF/MANIFEST.MF", manifest)
        for name in names:
            archive.writestr(name, "")
    return file


@pytest.mark.parametrize(
    ("manifest", "names", "has_web"),
    [
        (LAUNCHER, ("BOOT-INF/lib/spring-web-7.0.8.jar",), True),
        (LAUNCHER, ("BOOT-INF/lib/spring-core-7.0.8.jar",), False),
        # all classes in one jar
        (
            MAIN_CLASS,
            (
                "org/springframework/boot/SpringApplication.class",
                "org/springframework/web/servlet/DispatcherServlet.class",
            ),
            True,
        ),
        # libraries in a folder next to it; a line of a manifest goes on behind a space
        (
            f"{MAIN_CLASS}Class-Path: lib/spring-boot-3.5.3.jar lib/spring-w\n ebmvc-6.2.8.jar\n",
            (),
            True,
        ),
        (MAIN_CLASS, ("a/Main.class",), None),
        ("Class-Path: lib/spring-boot-3.5.3.jar\n", (), None),
    ],
)
def test_any_jar_that_starts_spring_boot_is_one(
    tmp_path: Path, manifest: str, names: tuple[str, ...], has_web: bool | None
) -> None:
    file = packaged(tmp_path / "a.jar", manifest, *names)
    assert read_artifact(file) == (None if has_web is None else Artifact(file, None, has_web))


@pytest.mark.parametrize(
    ("names", "library"),
    [
        (("BOOT-INF/lib/log4j-core-2.25.jar", "BOOT-INF/lib/logback-classic-1.5.jar"), "logback"),
        (("WEB-INF/lib/log4j-core-2.25.jar",), "log4j2"),
        (("BOOT-INF/lib/log4j-to-slf4j-2.25.jar",), None),
    ],
)
def test_what_an_artifact_logs_with_is_known(
    tmp_path: Path, names: tuple[str, ...], library: str | None
) -> None:
    assert logging_library(packaged(tmp_path / "a.jar", LAUNCHER, *names)) == library
    assert logging_library(tmp_path / "none.jar") is None


def test_a_version_is_left_open_where_one_jar_runs(tmp_path: Path) -> None:
    app = packaged(tmp_path / "target-app-1.0-SNAPSHOT.jar", LAUNCHER)
    assert pattern_of(app, tmp_path) == "target-app-*.jar"
    packaged(tmp_path / "target-app-1.0-SNAPSHOT-stubs.jar", "Manifest-Version: 1.0\n")
    assert pattern_of(app, tmp_path) == "target-app-*.jar"
    # of an older build
    packaged(tmp_path / "target-app-0.9.jar", LAUNCHER)
    assert pattern_of(app, tmp_path) == "target-app-1.0-SNAPSHOT.jar"
