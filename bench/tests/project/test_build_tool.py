"""By what a project is built."""

from __future__ import annotations

from pathlib import Path

import pytest

from springbench.errors import BuildError
from springbench.host.shell import RealShell
from springbench.project.build_tool import find_build
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


def test_a_folder_without_a_build_has_none(tmp_path: Path) -> None:
    assert find_build(tmp_path) is None


@pytest.mark.process
@pytest.mark.parametrize(
    ("printed", "said"),
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
    ],
)
def test_a_build_that_fails_says_why_in_one_line(tmp_path: Path, printed: str, said: str) -> None:
    lay_out(tmp_path, {"log.txt": printed, **wrapped("gradlew", "cat log.txt; exit 1")})
    build = find_build(lay_out(tmp_path, {"build.gradle": ""}))
    assert build is not None
    log = tmp_path / "build.log"
    with pytest.raises(BuildError) as raised:
        build.run(tmp_path, RealShell(), log)
    assert str(raised.value) == f"`sh gradlew assemble` ended with exit code 1: {said} (log: {log})"
