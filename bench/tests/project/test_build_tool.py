"""By what a project is built."""

from __future__ import annotations

from pathlib import Path

import pytest

from springbench.errors import BuildError
from springbench.host.shell import RealShell
from springbench.project.build_tool import find_build, folders_with_builds
from tests.project.projects import lay_out, wrapped


@pytest.mark.parametrize(
    ("files", "command"),
    [
        ({"pom.xml": ""}, "mvn -B -DskipTests package"),
        ({"pom.xml": "", **wrapped("mvnw", "")}, "sh mvnw -B -DskipTests package"),
        # a wrapper whose folder was not committed
        ({"pom.xml": "", "mvnw": ""}, "mvn -B -DskipTests package"),
        ({"settings.gradle.kts": "", **wrapped("gradlew", "")}, "sh gradlew assemble"),
        ({"build.gradle": "", "gradlew": ""}, "gradle assemble"),
        # without the program that fetches Gradle: many repositories ignore *.jar
        (
            {
                "build.gradle": "",
                "gradlew": "",
                "gradle/wrapper/gradle-wrapper.properties": "",
            },
            "gradle assemble",
        ),
        # which no shell runs
        ({"pom.xml": "", **wrapped("mvnw", "#!/bin/sh\r\n")}, "mvn -B -DskipTests package"),
        ({"pom.xml": "", "build.gradle": "", **wrapped("gradlew", "")}, "sh gradlew assemble"),
        (
            {"pom.xml": "", "build.gradle": "", **wrapped("gradlew", ""), **wrapped("mvnw", "")},
            "sh mvnw -B -DskipTests package",
        ),
    ],
)
def test_a_wrapper_that_is_complete_goes_first(
    tmp_path: Path, files: dict[str, str], command: str
) -> None:
    assert str(find_build(lay_out(tmp_path, files))) == command


def test_a_module_is_built_by_the_wrapper_of_its_repository(tmp_path: Path) -> None:
    lay_out(tmp_path / "outside", {**wrapped("gradlew", ""), "own/rest/build.gradle": ""})
    assert str(find_build(tmp_path / "outside/own/rest")) == "sh ../../gradlew assemble"
    (tmp_path / "outside/own/.git").mkdir()
    assert str(find_build(tmp_path / "outside/own/rest")) == "gradle assemble"


def test_a_module_that_is_named_is_built_alone(tmp_path: Path) -> None:
    folder = lay_out(tmp_path, {"pom.xml": "", "samples/web/pom.xml": ""})
    assert str(find_build(folder, "samples/web")) == (
        "mvn -pl samples/web -am -B -DskipTests package"
    )
    # the name of the whole project
    assert str(find_build(folder, folder.name)) == "mvn -B -DskipTests package"


def test_a_folder_without_a_build_has_none_and_those_below_it_are_known(tmp_path: Path) -> None:
    assert find_build(tmp_path) is None
    assert folders_with_builds(tmp_path) == []
    lay_out(tmp_path, {"docs/a.txt": "", "apps/a/pom.xml": "", "apps/b/build.gradle.kts": ""})
    assert folders_with_builds(tmp_path) == ["apps/a", "apps/b"]
    lay_out(tmp_path, {"server/pom.xml": "", ".mvn/pom.xml": ""})
    assert folders_with_builds(tmp_path) == ["server"]


def test_a_build_tool_that_is_not_installed_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    build = find_build(lay_out(tmp_path, {"build.gradle.kts": ""}))
    assert build is not None
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(BuildError, match="no wrapper that is complete, and no gradle on the PATH"):
        build.run(tmp_path, RealShell(), tmp_path / "build.log")


@pytest.mark.process
@pytest.mark.parametrize(
    ("printed", "message"),
    [
        (
            "[INFO] Building\n[ERROR] Failed to execute goal: No compiler\n[ERROR] Re-run\n",
            "Failed to execute goal: No compiler; Re-run",
        ),
        (
            "> Task :a FAILED\n* What went wrong:\nCould not resolve all files.\n\n"
            "* Try:\n> Run with --info\n",
            "Could not resolve all files.",
        ),
        (
            'Exception in thread "main" java.net.UnknownHostException: gradle\n\tat a.b(C:1)\n',
            'Exception in thread "main" java.net.UnknownHostException: gradle',
        ),
        (
            "[ERROR] Fatal error compiling: java.lang.ExceptionInInitializerError: "
            "com.sun.tools.javac.code.TypeTag :: UNKNOWN\n",
            "Fatal error compiling: java.lang.ExceptionInInitializerError: "
            "com.sun.tools.javac.code.TypeTag :: UNKNOWN",
        ),
    ],
)
def test_a_build_that_fails_says_why_in_one_line(
    tmp_path: Path, printed: str, message: str
) -> None:
    lay_out(tmp_path, {"log.txt": printed, **wrapped("gradlew", "cat log.txt; exit 1")})
    build = find_build(lay_out(tmp_path, {"build.gradle": ""}))
    assert build is not None
    log = tmp_path / "build.log"
    with pytest.raises(BuildError) as raised:
        build.run(tmp_path, RealShell(), log)
    first, *hints = str(raised.value).splitlines()
    assert first == f"`sh gradlew assemble` ended with exit code 1: {message} (log: {log})"
    assert hints == (["it may need another JDK: set JAVA_HOME"] if "javac" in printed else [])
