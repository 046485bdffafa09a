"""Methods that changed between base and head are named, and nothing else is."""

from __future__ import annotations

import random
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from springbench.analysis.comparison.methods import changed_methods, detectable_share
from springbench.results.stacks import Frames, Stack

RUN, SERVE, WRITE = "java/Thread.run", "org/Server.serve", "org/Out.write"
HELLO, BURN, MOVED = "app/Routes.hello", "app/Routes.burn", "app/Helper.burn"
# what a request costs, by stack
COSTS: dict[Frames, float] = {
    (RUN,): 0.05,
    (RUN, SERVE): 0.35,
    (RUN, SERVE, WRITE): 0.40,
    (RUN, SERVE, HELLO): 0.17,
    (RUN, SERVE, HELLO, BURN): 0.03,
}


def drawn(costs: dict[Frames, float], samples: int, dice: random.Random) -> list[Stack]:
    """What a process shows that is sampled so often; methods differ by 4 % between processes."""
    weights = [cost * dice.lognormvariate(0, 0.04) for cost in costs.values()]
    return list(Counter(dice.choices(list(costs), weights, k=samples)).items())


def changed(
    head: dict[Frames, float], pairs: int = 4, samples: int = 1000, seed: int = 1
) -> dict[str, tuple[float, float]]:
    """By method: per cent of a request, before and after."""
    dice = random.Random(seed)
    sides = [[drawn(costs, samples, dice) for _ in range(pairs)] for costs in (COSTS, head)]
    found = changed_methods(sides[0], sides[1])
    return {c.method: (round(100 * c.base_share, 1), round(100 * c.head_share, 1)) for c in found}


def with_cost(frames: Frames, cost: float) -> dict[Frames, float]:
    return {**COSTS, frames: cost}


def test_what_a_request_costs_more_is_named_with_its_size() -> None:
    [(method, (before, after))] = changed(with_cost((RUN, SERVE, HELLO, MOVED), 0.03)).items()
    assert (method, before) == (MOVED, 0.0)
    assert after == pytest.approx(3, abs=0.8)


@pytest.mark.parametrize("pairs", [4, 10])
def test_one_per_cent_is_seen_by_some_pairs(pairs: int) -> None:
    seen = [
        MOVED in changed(with_cost((RUN, SERVE, HELLO, MOVED), 0.01), pairs, seed=seed)
        for seed in range(20)
    ]
    assert sum(seen) >= (12 if pairs == 4 else 20)


@pytest.mark.parametrize("pairs", [3, 4, 6])
def test_a_method_of_the_detectable_share_is_found_in_most_comparisons(pairs: int) -> None:
    """In 80 % of them, by calculation; here processes differ by less than it allows for."""
    dice = random.Random(pairs)
    base, head = ([drawn(COSTS, 1000, dice) for _ in range(pairs)] for _ in range(2))
    share = detectable_share(base, head)
    added = with_cost((RUN, SERVE, HELLO, MOVED), share)
    assert sum(MOVED in changed(added, pairs, seed=seed) for seed in range(30)) >= 24
    # and one of a third of it seldom, so that it is no more than is needed
    added = with_cost((RUN, SERVE, HELLO, MOVED), share / 3)
    assert sum(MOVED in changed(added, pairs, seed=seed) for seed in range(30)) <= 10


def test_fewer_processes_and_fewer_samples_find_only_larger_methods() -> None:
    dice = random.Random(1)

    def share(pairs: int, samples: int) -> float:
        base, head = ([drawn(COSTS, samples, dice) for _ in range(pairs)] for _ in range(2))
        return detectable_share(base, head)

    assert share(2, 1000) > share(3, 1000) > share(5, 1000) > share(20, 1000)
    assert share(4, 100) > share(4, 1000) > share(4, 10_000)


def test_of_a_chain_of_calls_the_innermost_is_named() -> None:
    calls = (RUN, SERVE, HELLO, "java/Holder.invoke", "java/Handle.invoke", MOVED)
    assert set(changed(with_cost(calls, 0.03))) == {MOVED}


def test_a_method_that_calls_everything_is_named_for_what_it_does_itself() -> None:
    """It is in every sample, before and after."""
    [(method, (before, after))] = changed(with_cost((RUN,), 0.12)).items()
    assert method == f"{RUN} itself"
    assert before == pytest.approx(5, abs=1)
    assert after == pytest.approx(12, abs=1.5)


def test_frames_that_a_profiler_finds_in_some_processes_alone_are_no_change() -> None:
    """Nor do they hide one: of virtual threads it walks up to the outermost frame, or does not."""
    mounted = "java/Continuation.run", "java/VirtualThread.run"
    dice = random.Random(1)

    def process(costs: dict[Frames, float], *, whole: bool) -> list[Stack]:
        drawn_stacks = drawn(costs, 1000, dice)
        return [((*mounted, *f), n) for f, n in drawn_stacks] if whole else drawn_stacks

    for head, expected in ((COSTS, []), (with_cost((RUN, SERVE, HELLO, MOVED), 0.04), [MOVED])):
        base_stacks = [process(COSTS, whole=True) for _ in range(3)]
        head_stacks = [process(head, whole=False) for _ in range(3)]
        assert [c.method for c in changed_methods(base_stacks, head_stacks)] == expected


def test_what_is_gone_is_named_too() -> None:
    costs = {frames: cost for frames, cost in COSTS.items() if frames[-1] != BURN}
    [(method, (before, after))] = changed(costs).items()
    assert (method, after) == (BURN, 0.0)
    assert before == pytest.approx(3, abs=0.8)


def test_code_that_moved_is_named_at_both_places() -> None:
    costs = {
        **{frames: cost for frames, cost in COSTS.items() if frames[-1] != BURN},
        (RUN, SERVE, MOVED): 0.03,
    }
    found = changed(costs)
    assert set(found) == {BURN, MOVED}
    assert sum(after - before for before, after in found.values()) == pytest.approx(0, abs=0.9)


FILTER, CHECK = "app/Filter.doFilter", "app/Tokens.check"


def filtered(around: str, added: tuple[str, ...] = (), cost: float = 0.0) -> dict[Frames, float]:
    """With a filter around that method, which adds something of its own."""
    costs, outer = dict[Frames, float](), (RUN, SERVE) if around != SERVE else (RUN,)
    for frames, known in COSTS.items():
        inner = frames[len(outer) :]
        costs[(*outer, FILTER, *inner) if inner[:1] == (around,) else frames] = known
    return {**costs, (*outer, FILTER, *added): cost} if cost else costs


@pytest.mark.parametrize("around", [SERVE, WRITE, HELLO])
def test_a_method_around_what_was_there_before_costs_what_it_adds(around: str) -> None:
    """Its frame is in the stacks of all that it calls, and so was nothing of that before."""
    for seed in range(20):
        assert changed(filtered(around), seed=seed) == {}
        for added in ((), (CHECK,)):
            [(method, (before, after))] = changed(filtered(around, added, 0.04), seed=seed).items()
            assert method.removesuffix(" itself") == (FILTER, *added)[-1]
            assert before == 0
            assert after == pytest.approx(4, abs=1.5)


def test_a_method_around_others_that_is_gone_costs_what_it_took() -> None:
    dice = random.Random(1)
    costs = filtered(WRITE, (CHECK,), 0.04), COSTS
    base, head = ([drawn(side, 1000, dice) for _ in range(4)] for side in costs)
    [change] = changed_methods(base, head)
    assert (change.method, change.head_share) == (CHECK, 0.0)
    assert change.base_share == pytest.approx(0.04, abs=0.01)


def test_a_method_that_doubles_leaves_the_others_alone() -> None:
    """Its share of all grows, and those of all others fall."""
    [(method, (before, after))] = changed(with_cost((RUN, SERVE, WRITE), 0.80)).items()
    assert method == WRITE
    assert before == pytest.approx(40, abs=2)
    assert after == pytest.approx(80, abs=6)


@pytest.mark.parametrize("pairs", [2, 3, 5, 10])
def test_builds_that_are_the_same_show_nothing(pairs: int) -> None:
    assert not any(changed(COSTS, pairs, seed=seed) for seed in range(100))


def test_samples_of_one_process_are_not_those_of_a_build() -> None:
    """A method that costs another share in each process has not changed."""
    dice = random.Random(1)
    for _ in range(50):
        sides = [
            [
                drawn(with_cost((RUN, SERVE, HELLO, BURN), dice.choice((0.01, 0.05))), 1000, dice)
                for _ in range(4)
            ]
            for _ in range(2)
        ]
        assert changed_methods(sides[0], sides[1]) == []


STACKS = st.lists(
    st.tuples(
        st.lists(st.sampled_from("abcd"), min_size=1, max_size=4).map(tuple), st.integers(1, 50)
    ),
    min_size=1,
    max_size=8,
)


@settings(deadline=None)
@given(st.lists(st.tuples(STACKS, STACKS), min_size=2, max_size=4))
def test_shares_are_shares(pairs: list[tuple[list[Stack], list[Stack]]]) -> None:
    for change in changed_methods([base for base, _ in pairs], [head for _, head in pairs]):
        assert 0 <= change.base_share <= 1
        assert change.head_share >= 0
