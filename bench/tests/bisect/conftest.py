"""What tests of `springbench bisect` share."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.bisect.benches import Bench, Run
from tests.conftest import Cli
from tests.repositories import Repository


@pytest.fixture
def bench(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Bench:
    clone = Repository.create(tmp_path / "clone")
    for module in (
        "springbench.bisect.begin",
        "springbench.compare.sides",
    ):
        monkeypatch.setattr(f"{module}.ROOT", clone.root)
    instance = Bench(clone, tmp_path / "results")
    monkeypatch.setattr("springbench.bisect.drive.compare_live", instance.compare)
    return instance


@pytest.fixture
def run(bench: Bench, cli: Cli) -> Run:
    def call(*arguments: object) -> tuple[int, str, str]:
        return cli("bisect", "--results", bench.results, *arguments)

    return call
