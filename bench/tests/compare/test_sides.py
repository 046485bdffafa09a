"""What a person may compare, and what they are told when it is none of these."""

from __future__ import annotations

from pathlib import Path

import pytest

from springbench.compare.sides import find_variant, resolve
from springbench.errors import ConfigurationError
from springbench.host.shell import RealShell
from springbench.matrix.rows import Matrix


def test_a_folder_of_jars(tmp_path: Path, matrix: Matrix) -> None:
    (tmp_path / "boot4-tomcat.jar").touch()
    side = resolve(str(tmp_path), matrix, RealShell())
    assert (side.info.kind, side.jars) == ("jars", tmp_path)


def test_a_stored_run(tmp_path: Path, matrix: Matrix) -> None:
    (tmp_path / "run.json").touch()
    assert resolve(str(tmp_path), matrix, RealShell()).info.kind == "run"


def test_a_variant_of_the_matrix(matrix: Matrix) -> None:
    side = resolve("boot3-undertow-virtual-jvm", matrix, RealShell())
    assert side.info.kind == "variant"
    assert side.variant is not None
    assert side.variant.module == "servers/boot3/undertow"
    assert find_variant("boot4-undertow-virtual-jvm", matrix) is None


def test_a_commit(matrix: Matrix) -> None:
    side = resolve("HEAD", matrix, RealShell())
    assert side.info.kind == "commit"
    assert side.info.sha is not None
    assert len(side.info.sha) == 40
    assert side.info.sha[:12] in side.info.label


@pytest.mark.parametrize("text", ["no-such-thing", "--output=/tmp/x", "", "HEAD~999999"])
def test_anything_else_is_told_what_is_allowed(text: str, matrix: Matrix) -> None:
    with pytest.raises(ConfigurationError, match="allowed: results/<run-id>, a folder"):
        resolve(text, matrix, RealShell())
