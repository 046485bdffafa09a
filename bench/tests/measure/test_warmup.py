"""When the compilers go back, and when the load that is measured ends."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from springbench.host.cpus import CpuPartition
from springbench.matrix.rows import Matrix
from springbench.measure.instability import compilation_has_settled
from springbench.measure.load.timeline import Sample, Timeline
from springbench.measure.server.compilers import Compilers
from springbench.measure.warmup import Settling
from springbench.measure.window import last_span
from springbench.plan.cases import Case
from tests.fakes import FakeShell
from tests.measure.testbeds import testbed
from tests.samples import case

HELLO = "boot4-tomcat-virtual-jvm/hello/64"
CPUS = CpuPartition(frozenset({1}), frozenset({0}), frozenset({0}), separate=True)
TICK_S = 0.2


class FakeCompilers(Compilers):
    """Compilers that are only told where to go."""

    def __init__(self) -> None:
        super().__init__(0)
        self.homes: list[frozenset[int]] = []

    def widen_affinity(self, cpus: frozenset[int]) -> None:
        self.homes.append(cpus)

    def restore_affinity(self, cpus: frozenset[int]) -> None:
        self.homes.append(cpus)


class Watching:
    """An observer that keeps what is reported of compilers."""

    def __init__(self) -> None:
        self.cpu_s: list[float] = []

    def part(self, ratio: float) -> None:
        """Nothing."""

    def left_out(self, case: Case, fork: int) -> None:
        pass

    def compiling(self, cpu_s: float) -> None:
        self.cpu_s.append(cpu_s)

    def phase(self, *_: object) -> None: ...
    def rate(self, *_: object) -> None: ...
    def finished(self, *_: object) -> None: ...


def load(
    compile_until_s: float | None, rate_rps: float = 1000.0, again: tuple[float, float] = (0.0, 0.0)
) -> list[Sample]:
    """Two and a half minutes of a load; compilers have half a CPU until then, None: there are none.

    While they work the server does a half of what it does later. `again`: from when to when they
    work once more.
    """
    samples, answers, compiled_s = [], 0.0, 0.0
    for index in range(150 * 20):
        at_s = index / 20
        at_work = at_s < (compile_until_s or 0.0) or again[0] <= at_s < again[1]
        answers += (rate_rps / 2 if at_work else rate_rps) / 20
        cpu_s = None if compile_until_s is None else compiled_s
        samples.append(Sample(at_s, int(100 * answers), int(answers), at_s, compiler_cpu_s=cpu_s))
        compiled_s += 0.5 / 20 if at_work else 0.0
    return samples


def ended(settling: Settling, samples: list[Sample]) -> float:
    """How long it lets a load last that is looked at five times a second."""
    for index in range(1, int(settling.longest_s / TICK_S) + 2):
        so_far = tuple(sample for sample in samples if sample.at_s <= index * TICK_S)
        if settling(Timeline(so_far)):
            return index * TICK_S
    raise AssertionError("it never ended")


@pytest.fixture
def compilers() -> FakeCompilers:
    return FakeCompilers()


def settling_of(
    tmp_path: Path,
    matrix: Matrix,
    compilers: Compilers,
    compiling_s: float,
    observer: Watching | None = None,
) -> Settling:
    bed = testbed(tmp_path, FakeShell(), cpus=CPUS, observer=observer or Watching())
    return Settling(bed, case(matrix, HELLO), compilers, compiling_s)


@pytest.mark.parametrize("until_s", [0.0, 7.0, 40.0])
def test_a_window_begins_when_they_rest_and_are_back(
    tmp_path: Path, matrix: Matrix, compilers: FakeCompilers, until_s: float
) -> None:
    watching = Watching()
    settling = settling_of(tmp_path, matrix, compilers, 100.0, watching)
    end_s = ended(settling, load(until_s))
    assert compilers.homes == [CPUS.server]
    assert until_s < settling.alone_from_s < until_s + 3
    span = last_span(settling.case, end_s)
    assert span is not None
    assert until_s < span.begin_s < until_s + 6
    assert max(watching.cpu_s, default=0.0) <= until_s / 2 + 1e-9


def test_a_flat_stretch_while_they_work_is_no_window(
    tmp_path: Path, matrix: Matrix, compilers: FakeCompilers
) -> None:
    settling = settling_of(tmp_path, matrix, compilers, 60.0)
    # the half of it lies flat for 40 s
    assert ended(settling, load(40.0)) > 48.0


def test_compilers_that_work_again_get_their_own_cpus_again(
    tmp_path: Path, matrix: Matrix, compilers: FakeCompilers
) -> None:
    settling = settling_of(tmp_path, matrix, compilers, 100.0)
    end_s = ended(settling, load(5.0, again=(9.0, 30.0)))
    assert compilers.homes == [CPUS.server, CPUS.outside_server, CPUS.server]
    assert 30.0 < settling.alone_from_s < 33.0
    span = last_span(settling.case, end_s)
    assert span is not None
    assert span.begin_s >= settling.alone_from_s


def test_a_method_more_does_not_begin_anew(
    tmp_path: Path, matrix: Matrix, compilers: FakeCompilers
) -> None:
    settling = settling_of(tmp_path, matrix, compilers, 100.0)
    ended(settling, load(5.0, again=(9.0, 9.2)))
    assert compilers.homes == [CPUS.server]


def test_once_their_time_is_up_they_stay(
    tmp_path: Path, matrix: Matrix, compilers: FakeCompilers
) -> None:
    settling = settling_of(tmp_path, matrix, compilers, 8.0)
    ended(settling, load(5.0, again=(9.0, 60.0)))
    assert compilers.homes == [CPUS.server]


def test_who_comes_to_rest_in_the_last_window_gets_another_one(
    tmp_path: Path, matrix: Matrix, compilers: FakeCompilers
) -> None:
    settling = settling_of(tmp_path, matrix, compilers, 8.0)
    case = settling.case
    # what is the last window of one whose compilers are never told to rest
    last_s = 8.0 + case.warmup_max_s - case.warmup_min_s
    until_s = last_s + case.window_s / 2
    samples = load(5.0, again=(9.0, until_s))
    end_s = ended(settling, samples)
    assert end_s <= settling.longest_s + 0.3
    span = last_span(case, end_s)
    assert span is not None
    assert span.begin_s > until_s
    so_far = Timeline(tuple(sample for sample in samples if sample.at_s <= end_s))
    assert compilation_has_settled(so_far, *span, CPUS.counts.server, waits=False)


def test_compilers_that_never_rest_go_back_when_their_time_is_up(
    tmp_path: Path, matrix: Matrix, compilers: FakeCompilers
) -> None:
    settling = settling_of(tmp_path, matrix, compilers, 20.0)
    end_s = ended(settling, load(1000.0))
    assert settling.alone_from_s == pytest.approx(20.0, abs=0.3)
    assert end_s <= settling.longest_s + 0.3
    span = last_span(settling.case, end_s)
    assert span is not None
    assert span.begin_s >= settling.alone_from_s


def test_a_server_without_compilers_is_not_held_up(
    tmp_path: Path, matrix: Matrix, compilers: FakeCompilers
) -> None:
    settling = settling_of(tmp_path, matrix, compilers, 100.0)
    assert ended(settling, load(None)) == pytest.approx(1 + settling.case.window_s + 0.1, abs=0.5)


def test_a_host_that_is_fast_for_a_moment_is_waited_for(
    tmp_path: Path, matrix: Matrix, compilers: FakeCompilers
) -> None:
    settling = settling_of(tmp_path, matrix, compilers, 100.0)
    samples = [
        sample._replace(
            server_cpu_s=sample.at_s, calibration_probe_s=0.0005 if sample.at_s < 9 else 0.0006
        )
        for sample in load(None)
    ]
    at_once_s = ended(replace(settling), samples)
    # until then the host was slower
    waited_s = ended(replace(settling, probes_s=[0.0006] * 200), samples)
    assert at_once_s < 9 < waited_s <= settling.longest_s
