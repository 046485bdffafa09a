"""Several shares of one step as one number."""

from __future__ import annotations

import math
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from springbench.analysis.evidence import Share, pooled
from springbench.analysis.intervals import Spread

shares = st.lists(
    st.builds(
        Share,
        st.integers(0, 3),
        st.floats(-5, 5),
        st.floats(0.01, 10),
        st.floats(5, 50),
    ),
    min_size=1,
    max_size=8,
)


def test_one_share_is_itself() -> None:
    alone = Share("a", 0.7, 0.2, 9.0)
    together = pooled([alone])
    assert (together.value, together.error, together.degrees) == pytest.approx((0.7, 0.2, 9.0))


def test_without_any_there_is_none() -> None:
    with pytest.raises(ValueError, match="no shares"):
        pooled([])


def test_more_metrics_of_the_same_processes_make_nothing_surer() -> None:
    one = Share("a", 0.7, 0.2, 9.0)
    again = pooled([one, one, one])
    assert (again.value, again.error, again.degrees) == pytest.approx((0.7, 0.2, 9.0))
    assert pooled([one, Share("b", 0.7, 0.2, 9.0)]).error < 0.2


@given(shares)
def test_what_comes_out_lies_between_what_went_in(parts: list[Share]) -> None:
    together = pooled(parts)
    values = [share.value for share in parts]
    assert min(values) - 1e-9 <= together.value <= max(values) + 1e-9
    assert 0 < together.error <= max(share.error for share in parts) * math.sqrt(2)
    assert 0 <= together.p_above(0) <= 1
    assert together.p_above(0) == pytest.approx(1 - together.p_below(0))


def test_p_values_of_nothing_are_as_often_small_as_they_say() -> None:
    """Groups of few pairs, and of unlike noise: errors are estimates, as in a comparison."""
    dice = random.Random(17)

    def measured(group: int) -> Share:
        noise = (0.5, 1.0, 3.0)[group % 3]
        values = [dice.gauss(0, noise) for _ in range(6)]
        spread = Spread.of(values)
        return Share(group, sum(values) / 6, spread.deviation / math.sqrt(6), spread.degrees)

    tries = 2000
    small = sum(pooled([measured(g) for g in range(4)]).p_above(0) <= 0.05 for _ in range(tries))
    # 5 % of them, and four standard deviations of such a count
    assert small / tries <= 0.05 + 4 * math.sqrt(0.05 * 0.95 / tries)
