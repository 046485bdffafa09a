"""How much time is left, by the plan and by what has been measured."""

from __future__ import annotations

from collections.abc import Hashable

import pytest

from springbench.plan.countdown import Countdown, Left, Step


class Clock:
    now_s = 0.0

    def __call__(self) -> float:
        return self.now_s


@pytest.fixture
def clock() -> Clock:
    return Clock()


def test_what_a_kind_took_holds_for_the_others_of_that_kind(clock: Clock) -> None:
    countdown = Countdown({n: Step("load", 10.0) for n in range(4)}, clock)
    assert countdown.left == Left(0.0, 40.0, 0.0)
    countdown.begin(0)
    clock.now_s = 20.0
    countdown.begin(1)
    assert countdown.left.total_s == pytest.approx(60, rel=0.06)


def test_a_kind_of_which_nothing_is_known_takes_most_of_what_another_was_off_by(
    clock: Clock,
) -> None:
    countdown = Countdown({"a": Step("start", 10.0), "b": Step("load", 100.0)}, clock)
    countdown.begin("a")
    clock.now_s = 20.0
    countdown.end()
    assert 155 < countdown.left.total_s < 175


def test_a_kind_that_took_next_to_nothing_says_little_of_others(clock: Clock) -> None:
    countdown = Countdown({"a": Step("start", 10.0), "b": Step("load", 100.0)}, clock)
    countdown.begin("a")
    clock.now_s = 0.1
    countdown.end()
    assert countdown.left.total_s > 50


def test_the_part_that_is_done_tells_of_the_rest(clock: Clock) -> None:
    countdown = Countdown({n: Step("interleaved", 30.0) for n in range(2)}, clock)
    countdown.begin(0)
    clock.now_s = 45.0
    assert countdown.left.over_s == pytest.approx(15)
    countdown.part(0.5)
    left = countdown.left
    assert (left.step_s, left.after_s) == pytest.approx((45, 90), rel=0.05)
    clock.now_s = 55.0
    assert countdown.left.step_s == pytest.approx(35, rel=0.05)


def test_a_step_that_is_too_long_says_so_and_for_how_long(clock: Clock) -> None:
    countdown = Countdown({"a": Step("load", 10.0), "b": Step("load", 60.0)}, clock)
    countdown.begin("a")
    assert countdown.words() == "about 1 min 10 s left"
    clock.now_s = 13.0
    # and those after it are of its kind
    assert countdown.words() == "3 s longer than planned, then about 1 min 17 s"
    countdown.begin("b")
    clock.now_s = 100.0
    assert countdown.words() == "10 s longer than planned"


def test_a_step_that_no_plan_has_is_over_at_once(clock: Clock) -> None:
    countdown = Countdown({"a": Step("load", 10.0)}, clock)
    countdown.begin("again")
    clock.now_s = 4.0
    assert countdown.words() == "4 s longer than planned, then about 10 s"


def test_what_is_finished_needs_no_step_any_more(clock: Clock) -> None:
    """As of a server that ended in its start: it is not interleaved with the others."""
    steps: dict[Hashable, Step] = {
        "load a": Step("load", 8.0, "a"),
        "interleaved": Step("interleaved", 30.0, "abc"),
    }
    countdown = Countdown(steps, clock, finished=set("a"))
    assert countdown.left.total_s == pytest.approx(20)
    countdown.finished.update("bc")
    assert countdown.left.total_s == 0


def test_what_was_said_is_counted_down_until_something_else_is_known(clock: Clock) -> None:
    countdown = Countdown({n: Step("interleaved", 100.0) for n in range(2)}, clock)
    countdown.begin(0)
    assert countdown.words() == "about 3 min 20 s left"
    clock.now_s = 10.0
    # a little late: it is not reported
    countdown.part(0.097)
    assert countdown.words() == "about 3 min 10 s left"
    clock.now_s = 20.0
    countdown.part(0.1)
    assert countdown.words() == "about 6 min 11 s left, more than planned"
    clock.now_s = 21.0
    assert countdown.words() == "about 6 min 10 s left"
