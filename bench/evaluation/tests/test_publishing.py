"""Publishers that are killed and that race, in small."""

from __future__ import annotations

import pytest

from evaluation import publishing


@pytest.mark.process
def test_what_is_killed_and_what_races_loses_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    publishing.main(kills=1, publishers=2)
    output = capsys.readouterr().out
    assert "1 kills: " in output
    assert "the history holds 3 of 3 runs" in output
