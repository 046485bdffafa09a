"""The window of a load whose requests wait by design, for one side of a pair.

Such a server cannot stand still in the middle of it. So the sides take turns with whole loads, and
of each the window is cut out as in a run: that is exact, where all from the first connection to the
last answer is not.
"""

from __future__ import annotations

from springbench.errors import CaseError
from springbench.measure.duet.side import RunningSide
from springbench.measure.fork import check_answers
from springbench.measure.warmup import ROUTE_CEILING_S, TAIL_S, id_sequence
from springbench.measure.window import EDGE_S, Collections, load_record
from springbench.plan.cases import Case
from springbench.results.records import LoadRecord, Unrest

# what the host did to a window, and not the server
SPOILED: frozenset[Unrest] = frozenset({"stolen", "disturbed"})


def measure_window(side: RunningSide, case: Case, turn: int, *, last: bool = False) -> None:
    """Load a side, and add the window to its record. Raises `CaseError`.

    A window that the host spoiled is measured once more, and the one that had less of that counts:
    they go by their cause, never by their numbers. After the `last` load of a process nobody waits
    for what is still queued in it.
    """
    name = f"{case.workload.id}-{case.connections}-window-{turn}"
    with side.awake():
        record = _window(side, case, name)
        if SPOILED.intersection(record.unrest):
            _drain(side, case)
            record = min(record, _window(side, case, f"{name}-again"), key=_taken)
        if not last:
            _drain(side, case)
    side.record.windows.setdefault(case.id, []).append(record)
    _keep(side, case, record)


def _window(side: RunningSide, case: Case, name: str) -> LoadRecord:
    delay_s, server = case.workload.delay_s, side.driver.server
    enough_s = case.ramp_s + case.window_s + delay_s + EDGE_S
    driven = side.driver.drive(
        name,
        case.route,
        case.connections,
        enough_s + TAIL_S,
        enough=lambda timeline: timeline.end_s >= enough_s,
        ids=id_sequence(case),
        begin_over_s=case.begin_over_s,
    )
    if not driven.summary.requests:
        raise CaseError(f"no request was answered: {driven.summary.errors}")
    side.record.answered_to(case.id).count(driven.summary)
    lines = side.collections()
    since_start_s = driven.began_at_s - server.started_at_s
    record = load_record(
        case,
        0.0,
        driven,
        side.testbed.cpus.counts,
        collections=None if lines is None else Collections(lines, since_start_s),
    )
    check_answers(record, case)
    return record


def _drain(side: RunningSide, case: Case) -> None:
    """What still waits in the server belongs to this load and must not meet the next; a request
    behind the queue comes back when the queue is gone."""
    side.driver.server.check_route(case.route, ROUTE_CEILING_S + case.workload.delay_s)


def _taken(record: LoadRecord) -> float:
    """CPU that server and load did not get: stolen, or had by other programs."""
    ratios = (
        record.steal_ratio,
        record.others_cpu_ratio,
        record.load_host_steal_ratio,
        record.load_host_others_cpu_ratio,
    )
    return sum(ratio or 0.0 for ratio in ratios)


def _keep(side: RunningSide, case: Case, record: LoadRecord) -> None:
    """What is told of the whole process, or of all loads of the case together."""
    if record.threads_max is not None:
        side.record.threads_max = max(side.record.threads_max or 0, record.threads_max)
    answered = side.record.answered_to(case.id)
    answered.allocated_bytes_per_request = record.allocated_bytes_per_request
