"""A window that the host spoiled is measured once more."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from types import SimpleNamespace
from typing import Any

import pytest

from springbench.matrix.rows import Matrix
from springbench.measure.duet import waiting
from springbench.results.pairs import SideRecord
from springbench.results.records import LoadRecord, Unrest
from tests.samples import case as case_of
from tests.samples import load


def window(rps: float, stolen: float, others: float = 0.0, *unrest: Unrest) -> LoadRecord:
    return load(rps, steal_ratio=stolen, others_cpu_ratio=others, unrest=list(unrest))


class Side:
    """One whose windows are known before."""

    def __init__(self, *windows: LoadRecord) -> None:
        self.windows = list(windows)
        self.names: list[str] = []
        self.record = SideRecord()
        self.drained = 0
        self.driver = SimpleNamespace(server=SimpleNamespace(check_route=self._drain))

    def _drain(self, *_: object) -> None:
        self.drained += 1

    @contextmanager
    def awake(self) -> Iterator[None]:
        yield


@pytest.mark.parametrize(
    ("windows", "counts", "measured"),
    [
        # its cause is what counts: not that it is slower, nor that it was compiling
        ([window(900, 0.0), window(1000, 0.0)], 900, 1),
        ([window(900, 0.01, 0.05, "compiling"), window(1000, 0.0)], 900, 1),
        ([window(900, 0.3, 0.0, "stolen"), window(800, 0.0)], 800, 2),
        ([window(900, 0.0, 0.4, "disturbed"), window(1000, 0.3, 0.4, "stolen")], 900, 2),
    ],
)
@pytest.mark.parametrize("last", [True, False])
def test_of_a_spoiled_window_and_another_the_one_that_lost_less_counts(
    windows: list[LoadRecord],
    counts: float,
    measured: int,
    last: bool,
    matrix: Matrix,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    case = case_of(matrix, "boot4-tomcat-virtual-jvm/pay/1000")
    side: Any = Side(*windows)

    def next_window(of: Any, _: object, name: str) -> LoadRecord:
        of.names.append(name)
        return windows[len(of.names) - 1]

    monkeypatch.setattr(waiting, "_window", next_window)
    waiting.measure_window(side, case, 0, last=last)
    [record] = side.record.windows[case.id]
    assert record.throughput_rps == counts
    # each has a file of its own
    assert len(set(side.names)) == measured
    # what is queued must not meet the next load, of which there is none after the last
    assert side.drained == measured - last
