"""build-server: which GraalVM makes an image is known, and tells one image from another."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.workflows.actions.scripts import script


def path_with(folder: Path, name: str, body: str) -> str:
    program = folder / name
    program.write_text(f"#!/bin/sh\n{body}\n", encoding="utf-8")
    program.chmod(0o755)
    return f"{folder}:{os.environ['PATH']}"


@pytest.mark.parametrize(
    ("printed", "suffix"),
    [
        ("native-image 25.0.2 2026-01-20", "suffix=-native-image-25.0.2-2026-01-20"),
        ("native-image 25.0.2+10 (a; b)", "suffix=-native-image-25.0.2-10-a-b"),
    ],
)
def test_another_release_of_graalvm_is_another_key(
    tmp_path: Path, printed: str, suffix: str
) -> None:
    path = path_with(tmp_path, "native-image", f"echo '{printed}'; echo 'GraalVM CE'")
    done = script("build-server/made-with.sh", PATH=path)
    assert (done.returncode, done.stdout.splitlines()) == (0, [suffix])


def test_without_graalvm_there_is_no_key(tmp_path: Path) -> None:
    path = path_with(tmp_path, "native-image", "exit 1")
    assert script("build-server/made-with.sh", PATH=path).returncode != 0


def test_an_image_comes_with_what_made_it(tmp_path: Path) -> None:
    path_with(tmp_path, "native-image", "echo 'native-image 25.0.2 2026-01-20'; echo more")
    path = path_with(tmp_path, "mvn", "mkdir -p jars/image && echo made > jars/image/server")
    done = script(
        "build-server/build.sh",
        cwd=tmp_path,
        PATH=path,
        MODULE="servers/boot4/tomcat",
        MADE="image/server",
        RUNTIME="native",
        IMAGE="virtual",
    )
    assert (done.returncode, done.stderr) == (0, "")
    noted = (tmp_path / "jars/image/made-with").read_text(encoding="utf-8")
    assert noted == "native-image 25.0.2 2026-01-20\n"


def test_why_a_build_failed_is_said_in_the_summary_and_in_no_markup(tmp_path: Path) -> None:
    lines = [f"[ERROR] Broken.java:[{number},7] <b>@all</b> `x`" for number in range(30)]
    (tmp_path / "said").write_text("[INFO] building\n" + "\n".join(lines) + "\n", encoding="utf-8")
    path = path_with(tmp_path, "mvn", f"cat {tmp_path}/said; exit 1")
    summary = tmp_path / "summary"
    done = script(
        "build-server/build.sh",
        cwd=tmp_path,
        PATH=path,
        MODULE="servers/boot4/tomcat",
        MADE="servers/boot4/tomcat/target/boot4-tomcat.jar",
        RUNTIME="jvm",
        IMAGE="",
        GITHUB_STEP_SUMMARY=summary,
    )
    assert done.returncode == 1
    assert lines[-1] in done.stdout
    head, _, *log_lines = summary.read_text(encoding="utf-8").splitlines()
    assert head.startswith("**servers/boot4/tomcat (jvm) could not be built.**")
    assert log_lines == [f"    {line}" for line in lines[:10]] + [""]
    assert not (tmp_path / "jars/boot4-tomcat.jar").exists()
