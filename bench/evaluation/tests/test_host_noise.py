from __future__ import annotations

import statistics
from random import Random

import pytest

from evaluation.finder.host_noise import COMMITS, DEVIATION, KINDS, host_histories


@pytest.mark.parametrize("kind", sorted(KINDS))
def test_noise_deviates_as_much_as_it_says(kind: str) -> None:
    random = Random(1)
    rows = [KINDS[kind](random, COMMITS) for _ in range(50)]
    assert {len(row) for row in rows} == {COMMITS}
    if "speeds" not in kind:
        deviation = statistics.pstdev([value for row in rows for value in row])
        assert 0.7 * DEVIATION < deviation < 2 * DEVIATION


def test_a_history_is_the_same_noise_with_and_without_its_step() -> None:
    quiet, *changed = [
        candidate for candidate in host_histories(1, 1) if candidate.kind.startswith("independent")
    ]
    assert quiet.truths == ()
    for history in changed:
        (truth,) = history.truths
        assert history.logs[: truth.commit] == quiet.logs[: truth.commit]
        assert history.logs[-1] == pytest.approx(quiet.logs[-1] + truth.change)
