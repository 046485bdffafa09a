"""A JVM's own log of its collections."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from springbench.measure.gclog import GC_LOG, parse, read, within

LOG = """\
[0.012s] Using Serial
[1.500s] GC(0) Pause Young (Allocation Failure) 190M->12M(693M) 9.870ms
[2.250s] GC(1) Pause Full (Metadata GC Threshold) 40M->21M(693M) 61.004ms
[3.000s] GC(2) Pause Young (Allocation Failure) 212M->30M(693M) 4.100ms
"""


def test_every_pause_with_its_time_and_what_it_left() -> None:
    pauses = list(parse(LOG))
    assert [pause.kind for pause in pauses] == ["young", "full", "young"]
    assert pauses[0].end_s == 1.5
    assert pauses[0].pause_s == pytest.approx(0.00987)
    assert pauses[1].heap_after_bytes == 21 << 20


def test_a_window_has_the_pauses_that_ended_in_it() -> None:
    assert [p.end_s for p in within(list(parse(LOG)), 2.0, 3.0)] == [2.25, 3.0]


def test_a_runtime_without_a_log_is_not_one_without_pauses(tmp_path: Path) -> None:
    assert read(tmp_path) is None
    (tmp_path / GC_LOG).write_text("[0.012s] Using Serial\n", encoding="utf-8")
    assert read(tmp_path) == []


@given(st.text())
def test_no_line_is_too_odd(text: str) -> None:
    assert all(pause.pause_s >= 0 for pause in parse(text))
