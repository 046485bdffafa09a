from __future__ import annotations

import math

from hypothesis import given
from hypothesis import strategies as st

from springbench.analysis.halving import Answer, Halving, share_of


def search(length: int, answer_at: dict[int, Answer]) -> tuple[Halving, int]:
    halving, asked = Halving(length), 0
    while (place := halving.next) is not None:
        halving, asked = halving.told(place, answer_at[place]), asked + 1
    return halving, asked


@given(st.integers(1, 200), st.data())
def test_it_finds_the_commit_in_few_comparisons(length: int, data: st.DataObject) -> None:
    culprit = data.draw(st.integers(1, length))
    answers: dict[int, Answer] = {
        place: "bad" if place >= culprit else "good" for place in range(1, length)
    }
    found, asked = search(length, answers)
    assert found.is_split
    assert found.bad == culprit
    assert asked <= math.ceil(math.log2(length)) + 1


@given(st.integers(1, 60), st.data())
def test_what_cannot_be_told_leaves_a_range_that_holds_the_commit(
    length: int, data: st.DataObject
) -> None:
    culprit = data.draw(st.integers(1, length))
    blind = data.draw(st.sets(st.integers(1, length)))
    kind = data.draw(st.sampled_from(("unknown", "broken")))
    answers: dict[int, Answer] = {
        place: kind if place in blind else "bad" if place >= culprit else "good"
        for place in range(1, length)
    }
    found, asked = search(length, answers)
    assert found.good < culprit <= found.bad
    assert all(place in blind for place in range(found.good + 1, found.bad))
    assert asked < length or length == 1


def test_a_share_is_that_of_the_change_whichever_end_it_is_compared_with() -> None:
    change = math.log(0.8)
    like_bad = share_of(change, 0.81, 0.79, 0.83)
    assert like_bad.answer == "bad"
    same = share_of(change, 0.99, 0.97, 1.01, from_bad=True)
    assert same.answer == "bad"
    assert share_of(change, 0.99, 0.97, 1.01).answer == "good"
    assert share_of(change, 0.9, 0.8, 1.0).answer == "unknown"
