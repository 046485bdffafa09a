"""What of a window is not the server answering: each kind, and its edges."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from springbench.host.cpus import CpuCounts
from springbench.measure.instability import (
    compilation_has_just_settled,
    compilation_has_resumed,
    compiled_s,
    compiler_ratio,
    compilers_starve,
    find_instability,
)
from springbench.measure.load.timeline import Sample, Timeline

CPUS = CpuCounts(1, used=2)
BEGIN_S, END_S = 10.0, 18.0
Rate = Callable[[float], float]


def looks(
    compiling: Rate | None = lambda _: 0.0, used: float = 1.0, end_s: float = 20.0, **last: float
) -> Timeline:
    """Looks every quarter of a second; `compiling` is what the compilers take of a CPU then.

    `last` are fields that grow evenly to this.
    """
    samples, compiled = [], 5.0
    for index in range(int(end_s * 4) + 1):
        at_s = index / 4
        fields: dict[str, Any] = {
            name: round(value * at_s / end_s, 3) for name, value in last.items()
        }
        sample = Sample(at_s, index, server_cpu_s=used * at_s)._replace(**fields)
        samples.append(sample._replace(compiler_cpu_s=compiled if compiling else None))
        compiled += compiling(at_s) / 4 if compiling else 0.0
    return Timeline(tuple(samples))


def seen(timeline: Timeline, *, waits: bool = False, cpus: CpuCounts = CPUS) -> list[str]:
    return list(find_instability(timeline, BEGIN_S, END_S, cpus, waits=waits))


def between(begin_s: float, end_s: float, ratio: float) -> Rate:
    return lambda at_s: ratio if begin_s <= at_s < end_s else 0.0


@given(st.floats(0.0, 0.5))
def test_compilers_rest_below_two_per_cent_of_a_full_cpu(ratio: float) -> None:
    if abs(ratio - 0.02) > 1e-6:
        assert seen(looks(lambda _: ratio)) == (["compiling"] if ratio > 0.02 else [])
    assert compiler_ratio(looks(lambda _: ratio), BEGIN_S, END_S, 1) == pytest.approx(ratio)


@pytest.mark.parametrize(
    ("compiling", "rests"),
    [
        # one method, compiled in the middle of eight seconds
        (between(13, 14, 0.15), True),
        (between(13, 14, 0.17), False),
        # as much at the end goes on behind it
        (between(17, 18, 0.15), False),
        # it had just been at work
        (between(8, 10, 0.11), False),
        (between(8, 10, 0.09), True),
        (between(0, 7.5, 1.0), True),
        # what comes later belongs to nobody
        (between(18.5, 20, 1.0), True),
    ],
)
def test_neither_in_it_nor_at_its_edges(compiling: Rate, rests: bool) -> None:
    assert seen(looks(compiling)) == ([] if rests else ["compiling"])


def test_of_a_server_that_has_a_third_of_a_cpu_it_is_a_third() -> None:
    assert seen(looks(lambda _: 0.01, used=1.0)) == []
    assert seen(looks(lambda _: 0.01, used=0.33)) == ["compiling"]
    # one that waits by design has the CPU, and leaves it alone
    assert seen(looks(lambda _: 0.01, used=0.10), waits=True) == []
    assert seen(looks(lambda _: 0.03, used=0.40), waits=True) == []
    assert seen(looks(lambda _: 0.03, used=0.60), waits=True) == ["compiling"]
    # nor does one compiled method make a server that nobody asks restless
    assert seen(looks(lambda _: 0.004, used=0.01)) == []


def test_it_is_the_share_of_all_cpus_of_the_server() -> None:
    four = CpuCounts(4, used=6)
    assert seen(looks(lambda _: 0.07, used=4.0), cpus=four) == []
    assert seen(looks(lambda _: 0.09, used=4.0), cpus=four) == ["compiling"]


def test_a_server_without_compilers_is_at_rest() -> None:
    timeline = looks(None)
    assert seen(timeline) == []
    assert compilation_has_just_settled(timeline, 1, waits=False)
    assert compiler_ratio(timeline, BEGIN_S, END_S, 1) is None
    assert compiled_s(timeline) is None


def test_a_jvm_whose_compilers_are_not_recognised_has_not_been_seen_to_settle() -> None:
    assert seen(looks(None, classes_loaded=0)) == ["unknown-compilers"]


def test_classes_a_heap_and_stolen_time_are_reported() -> None:
    assert seen(looks(classes_loaded=90)) == []
    assert seen(looks(classes_loaded=110)) == ["loading-classes"]
    assert seen(looks(heap_committed_bytes=1_000_000)) == ["growing-heap"]
    still = looks()
    same = tuple(sample._replace(heap_committed_bytes=1 << 30) for sample in still.samples)
    assert seen(Timeline(same)) == []
    # of 20 s of two CPUs
    assert seen(looks(stolen_s=1)) == ["stolen"]
    assert seen(looks(stolen_s=1), cpus=replace(CPUS, used=10)) == []
    # a tenth of one CPU, however many there are
    assert seen(looks(background_cpu_s=1)) == []
    assert seen(looks(background_cpu_s=3)) == ["disturbed"]
    assert seen(looks(background_cpu_s=3), cpus=replace(CPUS, used=10)) == ["disturbed"]
    # the same where only the load runs: of 20 s of its own CPUs
    assert seen(looks(stolen_away_s=1)) == ["stolen"]
    assert seen(looks(stolen_away_s=1), cpus=replace(CPUS, load=10)) == []
    assert seen(looks(stolen_away_s=1, stolen_s=0)) == ["stolen"]
    assert seen(looks(others_away_cpu_s=1)) == []
    assert seen(looks(others_away_cpu_s=3, background_cpu_s=0)) == ["disturbed"]


def test_at_this_moment_means_the_last_two_seconds() -> None:
    assert not compilation_has_just_settled(looks(end_s=1.5), 1, waits=False)
    assert compilation_has_just_settled(looks(between(0, 17, 1.0)), 1, waits=False)
    assert not compilation_has_just_settled(looks(between(0, 19, 1.0)), 1, waits=False)


def test_they_wake_when_no_window_can_hold_it() -> None:
    assert not compilation_has_resumed(looks(), 1, waits=False)
    assert not compilation_has_resumed(looks(between(19, 20, 0.15)), 1, waits=False)
    assert compilation_has_resumed(looks(between(19, 20, 0.25)), 1, waits=False)
    assert not compilation_has_resumed(looks(None), 1, waits=False)


def test_what_the_compilers_have_had_is_that_since_the_process_began() -> None:
    assert compiled_s(looks(between(0, 4, 1.0))) == pytest.approx(9.0)


def wanting(had: float, runnable: int) -> Timeline:
    """Compilers that have work all the time, and so much of a CPU."""
    samples = looks(lambda _: had).samples
    return Timeline(tuple(sample._replace(compilers_runnable=runnable) for sample in samples))


@pytest.mark.parametrize(
    ("had", "runnable", "starve"),
    [
        (0.15, 1, True),
        (0.49, 1, True),
        (0.6, 1, False),
        # both of them want the one CPU, and have it
        (0.95, 2, False),
        (0.0, 0, False),
    ],
)
def test_compilers_starve_that_want_a_cpu_and_get_less_than_half(
    had: float, runnable: int, starve: bool
) -> None:
    assert compilers_starve(wanting(had, runnable), cpus=1) is starve


def test_a_server_without_compilers_starves_nobody() -> None:
    assert not compilers_starve(looks(None), cpus=1)
