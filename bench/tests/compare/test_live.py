"""A live comparison, as far as it can be judged before anything is started."""

from __future__ import annotations

from pathlib import Path

import pytest

from springbench.compare.live import compare_live
from springbench.errors import ConfigurationError
from springbench.matrix.rows import Matrix
from springbench.plan.plan import make_plan
from tests.fakes import FakeShell


@pytest.mark.parametrize(
    ("profile", "said"),
    [
        ("study-slow-upstream", "compare starts no upstream: leave the workloads"),
        ("database", "compare starts no database: leave the workloads"),
    ],
)
def test_parties_that_it_does_not_start_are_refused(
    profile: str, said: str, matrix: Matrix, tmp_path: Path
) -> None:
    with pytest.raises(ConfigurationError, match=said):
        compare_live([], make_plan(matrix, profile), 60.0, tmp_path, FakeShell(), print)
    assert list(tmp_path.iterdir()) == []
