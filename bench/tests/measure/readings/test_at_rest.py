"""What a process looks like at rest, and why a figure is missing."""

from __future__ import annotations

import os
import sys

import pytest

from springbench.measure.readings import perfdata
from springbench.measure.readings.at_rest import (
    NO_COUNTERS,
    NO_SHARE,
    NOT_ASKED,
    NOT_SEEN,
    NOT_TOLD,
    at_rest,
    reasons,
)
from springbench.results.records import IdleRecord
from tests.measure.readings.test_perfdata import COUNTERS


def test_a_process_that_is_no_jvm_has_memory_but_no_heap() -> None:
    record = at_rest(os.getpid())
    assert record.rss_bytes
    assert record.threads
    if sys.platform.startswith("linux"):
        assert record.pss_bytes
        assert record.pss_bytes <= record.rss_bytes * 1.1
    missing = dict(reasons("idle", record))
    assert missing["idle.heap_used_bytes"] == NO_COUNTERS
    assert missing["idle.threads_live"] == NO_COUNTERS
    assert "idle.rss_bytes" not in missing


def test_the_counters_of_a_jvm(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(perfdata, "read", lambda pid: COUNTERS)
    record = at_rest(os.getpid())
    assert (record.heap_committed_bytes, record.heap_max_bytes) == (1000, 2000)
    # known as of the last collection only, so not reported before it is asked for
    assert dict(reasons("idle", record)) == {"idle.heap_used_bytes": NOT_ASKED} | (
        {} if record.pss_bytes else {"idle.pss_bytes": NO_SHARE}
    )
    assert (record.threads_live, record.threads_started) == (17, 22)
    assert record.gc_count == 6
    assert record.gc_pause_s == pytest.approx(0.3)


def test_every_missing_figure_has_a_reason() -> None:
    assert set(dict(reasons("after", IdleRecord())).values()) == {NOT_SEEN}
    record = IdleRecord(rss_bytes=1, threads=1, heap_max_bytes=1)
    assert dict(reasons("after", record, heap_requested=True))["after.heap_used_bytes"] == NOT_TOLD
    assert dict(reasons("after", IdleRecord(rss_bytes=1, threads=1)))["after.pss_bytes"] == NO_SHARE
