"""What tests of workflows share."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.workflows.local_github import LocalGitHub


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """The composite actions' scripts are processes."""
    for item in items:
        if item.path.parent.name == "actions":
            item.add_marker(pytest.mark.process)


@pytest.fixture
def github(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> LocalGitHub:
    """A repository of this clone's files, and a runner."""
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", "")  # restored after the test
    return LocalGitHub(tmp_path)
