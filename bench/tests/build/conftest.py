"""What tests of builds share."""

from __future__ import annotations

from pathlib import Path

import pytest

from springbench.matrix.rows import Matrix
from tests.build.clones import Clone


@pytest.fixture
def clone(tmp_path: Path, matrix: Matrix) -> Clone:
    return Clone(tmp_path, matrix)
