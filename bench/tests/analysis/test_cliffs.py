"""Where a ladder has its cliff: which step is measured next, and what is known at the end."""

from __future__ import annotations

import pytest

from springbench.analysis.answers import Cliff, Tried, find_cliff, least_runs

STEPS = [f"{size}m" for size in range(64, 513, 16)] + ["1g"]


def search(cliff_mib: int) -> tuple[Cliff, int]:
    """What a bisection ends with where all steps from `cliff_mib` on hold, and after how many."""
    tried: dict[str, Tried] = {}
    while step := (found := find_cliff("tomcat", STEPS, tried)).next_step:
        tried |= {step: Tried(int(step[:-1]) >= cliff_mib, 1), "1g": Tried(True, 1)}
    return found, len(tried) - 1


@pytest.mark.parametrize(
    ("cliff_mib", "low", "high"),
    [(60, None, "64m"), (65, "64m", "80m"), (128, "112m", "128m"), (512, "496m", "512m")],
)
def test_it_lies_between_two_neighbours(cliff_mib: int, low: str | None, high: str) -> None:
    found, steps = search(cliff_mib)
    assert (found.low, found.high, found.undecided) == (low, high, None)
    assert steps <= least_runs(len(STEPS)) == 5


def test_above_all_smaller_steps_it_lies_below_the_baseline() -> None:
    assert search(10_000)[0] == Cliff("tomcat", "512m", "1g")


def test_a_step_that_failed_outweighs_a_smaller_one_that_did_not() -> None:
    tried = {"128m": Tried(True, 1), "256m": Tried(False, 1), "1g": Tried(True, 1)}
    found = find_cliff("tomcat", STEPS, tried)
    assert (found.low, found.high, found.next_step) == ("256m", "1g", "384m")


def test_the_least_step_must_hold_in_several_runs() -> None:
    tried = {"112m": Tried(False, 1), "128m": Tried(True, 1), "144m": Tried(True, 1)}
    tried["1g"] = Tried(True, 1)
    assert find_cliff("tomcat", STEPS, tried, 3) == Cliff(
        "tomcat", "112m", "128m", "128m", "seen in 1 of 3 runs"
    )
    tried["128m"] = Tried(True, 3)
    assert find_cliff("tomcat", STEPS, tried, 3) == Cliff("tomcat", "112m", "128m")
    # it ended in the second: the next one is looked at as closely
    tried["128m"] = Tried(False, 2)
    assert find_cliff("tomcat", STEPS, tried, 3).next_step == "144m"
    tried["144m"] = Tried(True, 3)
    assert find_cliff("tomcat", STEPS, tried, 3) == Cliff("tomcat", "128m", "144m")


def test_above_all_steps_the_baseline_is_tried() -> None:
    tried = {"512m": Tried(False, 1)}
    assert find_cliff("tomcat", STEPS, tried, 3).next_step == "1g"
    tried["1g"] = Tried(True, 3)
    assert find_cliff("tomcat", STEPS, tried, 3) == Cliff("tomcat", "512m", "1g")
    tried["1g"] = Tried(False, 1, "out of memory")
    assert find_cliff("tomcat", STEPS, tried, 3).undecided == "out of memory"
    assert least_runs(len(STEPS), 3) == 7


def test_a_step_that_was_not_decided_is_measured_once_more() -> None:
    once = find_cliff("tomcat", STEPS, {"288m": Tried(None, 1), "1g": Tried(True, 1)})
    assert once.next_step == "288m"
    twice = {"288m": Tried(None, 2, "not warmed up"), "1g": Tried(True, 2)}
    assert find_cliff("tomcat", STEPS, twice) == Cliff(
        "tomcat", None, "1g", undecided="288m was not decided: not warmed up"
    )


def test_without_a_baseline_there_is_nothing_to_look_for() -> None:
    found = find_cliff("tomcat", STEPS, {"1g": Tried(False, 1, "it did not start")})
    assert found == Cliff("tomcat", None, None, undecided="it did not start")


def test_what_stays_undecided_goes_where_its_middle_leans() -> None:
    tried = {
        "112m": Tried(False, 1),
        "128m": Tried(None, 2, leans=True),
        "288m": Tried(True, 1),
        "1g": Tried(True, 2),
    }
    assert find_cliff("tomcat", STEPS, tried) == Cliff("tomcat", "112m", "128m", leaning="128m")
    # once is too early for that
    tried["128m"] = Tried(None, 1, leans=True)
    assert find_cliff("tomcat", STEPS, tried).high == "288m"
