from __future__ import annotations

from springbench.analysis.finder.events import events_of
from springbench.analysis.finder.observations import MetricSeries
from springbench.analysis.finder.series_steps import steps_of
from springbench.results.events import Acknowledgement, Event
from springbench.results.history_names import CommitRow
from springbench.results.published_comparison import PublishedComparison, PublishedExplanation
from tests.analysis.finder.series import CASE, commit, noisy, row, series
from tests.suspected import OTHER_CASES, compared, found
from tests.suspected import commit as suspected_commit


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
    assert sorted(affected.case for affected in event.affected_series) == names
    assert event.culprit.before == commit(39)
    assert event.culprit.exact


def test_cases_of_which_the_history_has_no_run_are_named() -> None:
    names = [CASE.replace("64", str(number)) for number in range(1, 6)]
    steps, _ = steps_of([shifted(name, 40, seed=at) for at, name in enumerate(names)])
    known = row("tomcat", "virtual", connections=1)
    assert known.case == names[0]
    (event,) = events_of(steps, cases=[known])
    assert event.shared == f"{', '.join(names[:3])}, 2 more"
    (event,) = events_of([step for step in steps if step.case == names[0]], cases=[known])
    assert event.shared == names[0]


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


def test_cost_that_moved_is_reported_on_both_sides() -> None:
    one, other = CASE, CASE.replace("64", "65")
    up, down = events(shifted(one, 40), shifted(other, 40, ratio=1.1, seed=2))
    assert {up.moved, down.moved} == {up.id, down.id}


def test_an_acknowledged_event_says_why() -> None:
    (event,) = events(shifted(CASE, 40))
    acknowledgements = {event.id: Acknowledgement(reason="safer defaults")}
    (found,) = events(shifted(CASE, 40), acknowledged=acknowledgements)
    assert found.state == "acknowledged"
    assert found.acknowledgement
    assert found.acknowledgement.reason == "safer defaults"


def test_an_event_has_the_explanations_of_comparisons_that_agree() -> None:
    def explained(ratio: float, number: int, case: str, text: str) -> PublishedComparison:
        why = PublishedExplanation(case=case, event="cpu", text=text)
        comparison = compared(found(ratio), purpose="confirm", id=f"confirm-{number}")
        started = f"2026-11-09T0{number}:00:00Z"
        return comparison.model_copy(update={"explanations": [why], "started_at": started})

    surely = found(1.1).model_copy(update={"verdict": "regression", "p_value": 1e-9})
    comparisons = [
        compared(surely, purpose="push"),
        explained(1.1, 1, CASE, "earlier"),
        explained(1.1, 2, CASE, "grew most: Routes.hello"),
        explained(1.1, 3, OTHER_CASES[0], "another case"),
        explained(0.9, 4, CASE, "of what it was not"),
    ]
    (event,) = events_of((), comparisons)
    assert [explanation.text for explanation in event.explanations] == ["grew most: Routes.hello"]


SERVICES = ("app-orders-own-jvm/hello/64", "app-payments-own-jvm/hello/64")


def test_services_have_events_of_their_own_at_one_commit() -> None:
    one, other = events(*[shifted(case, 40, seed=i) for i, case in enumerate(SERVICES)])
    first = f"regression-{commit(40).sha}"
    assert sorted((one.id, other.id)) == [f"{first}-of-orders", f"{first}-of-payments"]
    assert {event.affected_series_total for event in (one, other)} == {1}


def test_cost_does_not_move_from_one_service_to_another() -> None:
    worse, better = SERVICES
    assert [
        event.moved for event in events(shifted(worse, 40), shifted(better, 40, ratio=1.1, seed=2))
    ] == [None, None]


def test_an_acknowledgement_that_names_no_service_is_of_each() -> None:
    acknowledgements = {f"regression-{commit(40).sha}": Acknowledgement(reason="safer defaults")}
    found = events(
        *[shifted(case, 40, seed=i) for i, case in enumerate(SERVICES)],
        acknowledged=acknowledgements,
    )
    assert [event.state for event in found] == ["acknowledged"] * 2
    acknowledgements = {
        f"regression-{commit(40).sha}-of-orders": Acknowledgement(reason="safer defaults")
    }
    found = events(
        *[shifted(case, 40, seed=i) for i, case in enumerate(SERVICES)],
        acknowledged=acknowledgements,
    )
    assert {event.service: event.state for event in found} == {
        "orders": "acknowledged",
        "payments": "suspected",
    }


def test_the_newest_is_first() -> None:
    values = noisy((1000, 30), (900, 20), (800, 20), deviation=0.01)
    found = events(series(values))
    times = [event.culprit.after.time for event in found]
    assert len(found) == 2
    assert times == sorted(times, reverse=True)


def test_what_the_host_brought_is_marked_as_the_host_s() -> None:
    names = ["kernel 6.8"] * 40 + ["kernel 6.11"] * 20
    (event,) = events(series(noisy((1000, 40), (900, 20)), names))
    assert event.environment_change == "kernel 6.8 → kernel 6.11"
    assert event.state == "suspected"


def test_no_history_has_no_events() -> None:
    assert events() == []


def test_a_bisected_push_of_one_second_is_known_by_its_commit() -> None:
    """Commits of a rebase have one time, and their hashes are in no order."""
    shas = {10: "9c7cf7679c0e", 11: "352398dda3ea", 12: "be238fe868ba", 13: "06f2bf9f4c5a"}

    def row(number: int) -> CommitRow:
        original = suspected_commit(number)
        time = suspected_commit(13).time if number > 10 else original.time
        return original.model_copy(update={"sha": shas[number], "time": time})

    def step(base: int, head: int, ratio: float, purpose: str) -> PublishedComparison:
        surely = {"verdict": "regression", "p_value": 1e-9} if purpose == "push" else {}
        finding = found(ratio).model_copy(update=surely)
        comparison = compared(
            finding, base=base, head=head, purpose=purpose, profile="pr", commits=head - base
        )
        ends = {"base": row(base), "head": row(head), "id": f"{purpose}-{base}-{head}"}
        return comparison.model_copy(update=ends)

    bisected = [
        step(10, 13, 1.095, "bisect"),
        step(10, 11, 0.994, "bisect"),
        step(10, 12, 1.086, "bisect"),
        step(11, 12, 1.101, "bisect"),
    ]
    comparisons = [step(10, 13, 1.084, "push"), step(10, 13, 1.094, "confirm")]
    (event,) = events_of((), [*comparisons, *bisected])
    assert (event.state, event.culprit.after.sha) == ("confirmed", shas[12])
    assert (event.culprit.before.sha, event.culprit.exact) == (shas[11], True)
