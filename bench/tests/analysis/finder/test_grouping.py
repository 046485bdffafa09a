from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from springbench.analysis.finder.grouping import commit_key, group_steps
from springbench.results.steps import Place, StepRow
from tests.analysis.finder.series import commit


def step(
    low: int, high: int, *, best: int | None = None, case: str = "a", ratio: float = 0.9
) -> StepRow:
    """A step that may begin with any of the commits from `low` to `high`."""
    return StepRow(
        kind="step",
        case=f"{case}/hello/64",
        configuration="commit-1x6s",
        host_class="a-host",
        metric="throughput_rps",
        unit="rps",
        better="higher",
        before=1000,
        after=1000 * ratio,
        ratio=ratio,
        low_ratio=ratio * 0.99,
        high_ratio=ratio * 1.01,
        p_value=0.001,
        last_before=commit(low - 1),
        places=[
            Place(commit=commit(number), run=f"run-{number}", drop=0.0 if number == best else 1.0)
            for number in range(low, high + 1)
        ],
        until=commit(90),
    )


def test_series_that_shift_at_one_commit_are_one_group_at_what_they_share() -> None:
    (group,) = group_steps([step(38, 41, case="a"), step(40, 44, case="b")])
    assert (group.before, group.after) == (commit(39), commit(41))
    assert len(group.steps) == 2


def test_the_place_is_that_which_all_together_say() -> None:
    (group,) = group_steps([step(38, 42, best=40, case="a"), step(39, 43, best=40, case="b")])
    assert group.place.commit == commit(40)


def test_other_directions_and_other_places_are_other_groups() -> None:
    steps = [step(40, 40), step(40, 40, case="b", ratio=1.1), step(60, 60, case="c")]
    assert len(group_steps(steps)) == 3


def test_services_have_groups_of_their_own() -> None:
    cases = ("app-orders-own-jvm", "app-payments-own-jvm", "boot4-tomcat-virtual-jvm")
    groups = group_steps([step(38, 42, case=case) for case in cases])
    assert [group.service for group in groups] == ["orders", "payments", None]
    assert len({(group.before.sha, group.after.sha) for group in groups}) == 1


def test_a_chain_of_overlaps_does_not_grow_beyond_what_all_share() -> None:
    steps = [step(30, 40, case="a"), step(38, 50, case="b"), step(45, 60, case="c")]
    groups = group_steps(steps)
    for group in groups:
        for member in group.steps:
            assert commit_key(member.last_before) <= commit_key(group.before)


@given(
    st.lists(
        st.tuples(st.integers(1, 80), st.integers(0, 6), st.sampled_from("abcdef")), max_size=12
    )
)
def test_every_step_is_in_one_group_and_every_group_has_a_place(
    drawn: list[tuple[int, int, str]],
) -> None:
    steps = [step(low, low + wide, case=case) for low, wide, case in drawn]
    groups = group_steps(steps)
    assert sum(len(group.steps) for group in groups) == len(steps)
    for group in groups:
        low, culprit, high = group.before, group.place.commit, group.after
        assert commit_key(low) < commit_key(culprit) <= commit_key(high)
