"""What tests of histories share."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.history.remotes import make_bare


@pytest.fixture
def bare(tmp_path: Path) -> Path:
    """An empty repository to push to."""
    return make_bare(tmp_path / "remote.git")
