from __future__ import annotations

from springbench.analysis.finder.events import events_of
from springbench.analysis.finder.observations import MetricSeries
from springbench.analysis.finder.series_steps import steps_of
from springbench.results.events import Acknowledgement, Event
from tests.analysis.finder.series import CASE, commit, noisy, series


def events(
    *all_series: MetricSeries, acknowledged: dict[str, Acknowledgement] | None = None
) -> list[Event]:
    steps, _ = steps_of(all_series)
    return events_of(steps, acknowledged=acknowledged)


def shifted(
    case: str, at: int, ratio: float = 0.9, seed: int = 1, length: int = 60
) -> MetricSeries:
    return series(
        noisy((1000, at), (1000 * ratio, length - at), deviation=0.01, seed=seed), case=case
    )


def test_a_shift_of_many_cases_at_one_commit_is_one_event() -> None:
    names = [CASE.replace("64", str(number)) for number in (1, 2, 3)]
    (event,) = events(*[shifted(name, 40, seed=i) for i, name in enumerate(names)])
    assert event.id == f"regression-{commit(40).sha}"
    assert event.state == "suspected"
    assert sorted(witness.case for witness in event.witnesses) == names
    assert event.culprit.before == commit(39)
    assert event.culprit.exact


def test_more_points_make_no_second_event() -> None:
    values = noisy((1000, 40), (900, 40), deviation=0.02, seed=3)
    ids = set()
    for end in range(46, 81):
        ids |= {event.id for event in events(series(values[:end]))}
    assert len(ids) == 1


def test_what_came_back_is_fixed_by_what_brought_it_back() -> None:
    values = noisy((1000, 30), (900, 20), (1000, 20), deviation=0.01)
    later, earlier = events(series(values))
    assert (earlier.state, earlier.fixed_by) == ("fixed", later.id)
    assert later.direction == "improvement"


def test_what_came_half_back_is_not_fixed() -> None:
    values = noisy((1000, 30), (800, 20), (880, 20), deviation=0.01)
    _, earlier = events(series(values))
    assert earlier.state == "suspected"


def test_cost_that_moved_is_told_on_both_sides() -> None:
    one, other = CASE, CASE.replace("64", "65")
    up, down = events(shifted(one, 40), shifted(other, 40, ratio=1.1, seed=2))
    assert {up.moved, down.moved} == {up.id, down.id}


def test_an_acknowledged_event_says_why() -> None:
    (event,) = events(shifted(CASE, 40))
    known = {event.id: Acknowledgement(reason="safer defaults")}
    (told,) = events(shifted(CASE, 40), acknowledged=known)
    assert told.state == "acknowledged"
    assert told.acknowledgement
    assert told.acknowledgement.reason == "safer defaults"


def test_the_newest_is_first() -> None:
    values = noisy((1000, 30), (900, 20), (800, 20), deviation=0.01)
    found = events(series(values))
    times = [event.culprit.after.time for event in found]
    assert len(found) == 2
    assert times == sorted(times, reverse=True)


def test_what_the_host_brought_is_marked_as_the_host_s() -> None:
    names = ["kernel 6.8"] * 40 + ["kernel 6.11"] * 20
    (event,) = events(series(noisy((1000, 40), (900, 20)), names))
    assert event.seam == "kernel 6.8 → kernel 6.11"
    assert event.state == "suspected"


def test_no_history_has_no_events() -> None:
    assert events() == []
