"""By what a project is built."""

from __future__ import annotations

from pathlib import Path

import pytest

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
