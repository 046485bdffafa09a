"""How a case was measured, in a word that becomes the name of a series."""

from __future__ import annotations

import pytest

from springbench.history.condense import configuration
from springbench.results.history_names import profile_of
from springbench.results.run import PlannedInfo


def planned(begin_over_s: float = 0.0) -> PlannedInfo:
    return PlannedInfo(
        forks=3, warmup_min_s=5, warmup_max_s=20, window_s=2.5, begin_over_s=begin_over_s
    )


def test_loads_that_began_apart_are_another_series_than_those_that_began_together() -> None:
    """Their throughput is another one, and no change of the server."""
    assert configuration("nightly", planned()) == "nightly-3x2.5s"
    assert configuration("nightly", planned(1.0)) == "nightly-3x2.5s-apart"
    # of a run that did not tell
    assert configuration("nightly", None) == "nightly"


@pytest.mark.parametrize("begin_over_s", [0.0, 1.0])
@pytest.mark.parametrize("profile", ["nightly", "study-3x5s", "far-apart"])
def test_the_profile_is_found_again(profile: str, begin_over_s: float) -> None:
    assert profile_of(configuration(profile, planned(begin_over_s))) == profile
