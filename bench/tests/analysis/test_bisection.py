"""Bisection over random histories: it ends with the culprit, or with a range that holds it."""

from __future__ import annotations

import math
import random
from collections.abc import Callable
from dataclasses import dataclass, field

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from springbench.analysis.bisection import Answer, Change, Compare, Search
from springbench.results.comparison import Verdict
from tests.comparisons import finding

NOTABLE, EQUIVALENT = math.log(1.03), math.log(1.05)


def change(low: float, middle: float, high: float) -> Change:
    """What `compare` would call it."""
    verdict: Verdict = "undecided"
    if low > 0 and middle >= NOTABLE:
        verdict = "regression"
    elif high < 0 and middle <= -NOTABLE:
        verdict = "improvement"
    elif low >= -EQUIVALENT and high <= EQUIVALENT:
        verdict = "unchanged"
    return Change(low, middle, high, verdict)


@dataclass
class History:
    """Commits with a level each; some do not run. Comparisons see levels through noise."""

    levels: list[float]
    broken: frozenset[int] = frozenset()
    noise: float = 0.0
    width: float = 0.01
    dice: random.Random = field(default_factory=lambda: random.Random(1))
    requests: list[Compare] = field(default_factory=list)

    @property
    def last(self) -> int:
        return len(self.levels) - 1

    def answer(self, request: Compare) -> Answer:
        self.requests.append(request)
        for commit in (request.base, request.head):
            if commit in self.broken:
                return Answer(request, broken=commit)
        shift = self.levels[request.head] - self.levels[request.base]
        shift += self.dice.uniform(-self.noise, self.noise)
        return Answer(request, change(shift - self.width, shift, shift + self.width))

    def bisected(self, answer: Callable[[Compare], Answer] | None = None) -> Search:
        """Ask and answer to the end; what was answered leads to the same when read again."""
        answers: list[Answer] = []
        search = Search.after(self.last, answers)
        while (request := search.ask()) is not None:
            answers.append((answer or self.answer)(request))
            assert len(answers) <= most(self.last, len(self.broken))
            search.record(answers[-1])
            assert search == Search.after(self.last, answers)
        return search


def most(last: int, broken: int) -> int:
    """Comparisons that are never exceeded: two for each that narrows, or cannot tell."""
    narrowing = math.ceil(math.log(max(last, 2)) / math.log(4 / 3)) + 1
    return 2 + 2 * (3 * narrowing + broken)


def stepping(count: int, culprit: int, size: float) -> list[float]:
    """Levels of a history that became worse with that commit."""
    return [size if number >= culprit else 0.0 for number in range(count + 1)]


@st.composite
def histories(draw: st.DrawFn) -> tuple[History, int]:
    """One step; noise within what the intervals say; ends that run."""
    count = draw(st.integers(1, 200))
    culprit = draw(st.integers(1, count))
    size = draw(st.floats(0.04, 0.4))
    width = draw(st.floats(0.001, 0.03))
    broken = draw(st.frozensets(st.integers(1, max(1, count - 1)), max_size=20)) - {count}
    seed = draw(st.integers(0, 10_000))
    levels = stepping(count, culprit, size)
    return History(levels, broken, width, width, random.Random(seed)), culprit


@given(histories())
def test_the_culprit_or_a_range_that_holds_it(drawn: tuple[History, int]) -> None:
    history, culprit = drawn
    found = history.bisected()
    if found.step is None:
        # noise hid it at the ends
        assert found.ended in ("unclear", "no-change")
        return
    assert found.low < culprit <= found.high
    assert found.ended != "contradiction"
    if found.kind == "range":
        inside = set(range(found.low + 1, found.high))
        assert inside <= found.broken | found.unclear or len(found.unclear & inside) == 2


@given(st.integers(1, 500), st.data())
def test_without_noise_a_commit_in_as_many_comparisons_as_halving_needs(
    count: int, data: st.DataObject
) -> None:
    culprit = data.draw(st.integers(1, count))
    history = History(stepping(count, culprit, 0.2))
    found = history.bisected()
    assert (found.kind, found.high, found.checked) == ("culprit", culprit, True)
    # both ends first, and the two neighbours last
    assert len(history.requests) <= math.ceil(math.log2(count)) + 2 if count > 1 else 1
    assert history.requests[0] == Compare(0, count)


@given(histories(), st.lists(st.booleans(), min_size=400, max_size=400))
def test_what_cannot_tell_now_and_then_costs_no_right_answer(
    drawn: tuple[History, int], failures: list[bool]
) -> None:
    history, culprit = drawn
    failing = iter(failures)

    def answer(request: Compare) -> Answer:
        answered = history.answer(request)
        if len(history.requests) > 1 and answered.broken is None and next(failing):
            return Answer(request)
        return answered

    found = history.bisected(answer)
    if found.step is not None:
        assert found.low < culprit <= found.high


@given(
    st.lists(st.sampled_from([0.0, 0.0, 0.0, 0.05, 0.1, -0.05]), min_size=2, max_size=60),
    st.floats(0.001, 0.01),
)
def test_of_several_steps_it_ends_with_one(parts: list[float], width: float) -> None:
    levels = [sum(parts[:count]) for count in range(len(parts) + 1)]
    history = History(levels, width=width)
    found = history.bisected()
    assume(found.step is not None)
    if found.kind in ("culprit", "range"):
        # from the one end to the other it became worse
        assert levels[found.high] > levels[found.low]


def test_the_larger_of_two_steps_is_followed_and_the_other_one_reported() -> None:
    levels = [0.0] * 5 + [0.05] * 10 + [0.2] * 6
    found = History(levels).bisected()
    assert (found.kind, found.high) == ("culprit", 15)
    [(low, high)] = found.other_ranges
    assert low < 5 <= high
    levels = [0.0] * 5 + [0.15] * 10 + [0.2] * 6
    found = History(levels).bisected()
    assert (found.kind, found.high) == ("culprit", 5)
    assert [low < 15 <= high for low, high in found.other_ranges] == [True]


@pytest.mark.parametrize(
    ("levels", "ended"),
    [([0.0, 0.1, 0.0], "no-change"), ([0.1, 0.1, 0.0], "opposite")],
)
def test_ends_that_do_not_show_it_end_it_at_once(levels: list[float], ended: str) -> None:
    history = History(levels)
    assert history.bisected().kind == ended
    assert history.requests == [Compare(0, 2)]


def test_ends_that_are_not_distinguishable_are_no_answer() -> None:
    found = History([0.0, 0.0, 0.1], width=0.2).bisected()
    assert found.kind == "unclear"


def test_a_culprit_among_commits_that_do_not_run_is_a_range() -> None:
    found = History(stepping(20, 10, 0.2), frozenset(range(8, 13))).bisected()
    assert (found.kind, found.low, found.high) == ("range", 7, 13)
    assert found.broken == set(range(8, 13))


def test_commits_that_do_not_run_beside_the_culprit_are_stepped_around() -> None:
    found = History(stepping(20, 4, 0.2), frozenset({9, 10, 11})).bisected()
    assert (found.kind, found.high) == ("culprit", 4)
    assert found.broken


def test_a_middle_that_the_good_end_cannot_tell_is_compared_with_the_bad_one() -> None:
    history = History(stepping(4, 3, 0.2))

    def answer(request: Compare) -> Answer:
        answered = history.answer(request)
        return Answer(request) if request == Compare(0, 2) else answered

    found = history.bisected(answer)
    assert history.requests[:3] == [Compare(0, 4), Compare(0, 2), Compare(2, 4)]
    assert (found.kind, found.high) == ("culprit", 3)


def test_noise_that_hides_every_middle_leaves_the_range() -> None:
    history = History(stepping(16, 7, 0.2))
    ends = Compare(0, 16)
    found = history.bisected(
        lambda request: history.answer(ends) if request == ends else Answer(request)
    )
    assert (found.kind, found.low, found.high) == ("range", 0, 16)
    assert len(history.requests) == 1
    assert len(found.unclear) == 2


def test_one_false_answer_is_found_out_by_the_two_neighbours() -> None:
    history = History(stepping(16, 12, 0.2))

    def answer(request: Compare) -> Answer:
        false = request == Compare(0, 8)
        return Answer(request, change(0.19, 0.2, 0.21)) if false else history.answer(request)

    assert history.bisected(answer).kind == "contradiction"


def test_of_noise_as_intervals_have_it_few_answers_are_false() -> None:
    """At 95 %, one interval of twenty is wrong: the neighbours find most of what that leads to."""
    wrong, culprits = 0, 0
    for seed in range(300):
        dice = random.Random(seed)
        count = dice.randint(2, 60)
        culprit = dice.randint(1, count)
        history = History(stepping(count, culprit, 0.08), dice=dice, width=0.02)

        def answer(request: Compare, history: History = history) -> Answer:
            shift = history.levels[request.head] - history.levels[request.base]
            shift += history.dice.gauss(0, history.width / 1.96)
            return Answer(request, change(shift - history.width, shift, shift + history.width))

        found = history.bisected(answer)
        if found.kind == "culprit":
            culprits += 1
            wrong += found.high != culprit
    assert culprits > 270
    assert wrong <= 3


def test_a_throughput_that_falls_is_a_step_up() -> None:
    fallen = Change.of(finding("regression", 0.9))
    assert fallen.is_step
    assert fallen.low < fallen.middle < fallen.high
    assert fallen.middle == pytest.approx(-math.log(0.9))
    grown = Change.of(finding("regression", 1.1, better="lower"))
    assert grown.middle == pytest.approx(math.log(1.1))
