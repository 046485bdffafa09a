"""A JVM's own log of its collections, in the words of each collector."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from springbench.measure.readings.gclog import (
    GC_LOG,
    complete_collections,
    growths,
    most_bytes,
    not_understood,
    odd_line,
    parse,
    read,
    stopped_s,
    within,
)

MIB = 1 << 20
SERIAL = """\
[0.012s] Using Serial
[1.500s] GC(0) Pause Young (Allocation Failure) 190M->12M(693M) 9.870ms
[2.250s] GC(1) Pause Full (Metadata GC Threshold) 40M->21M(693M) 61.004ms
[3.000s] GC(2) Pause Young (Allocation Failure) 212M->30M(693M) 4.100ms
"""
G1 = """\
[9.100s] GC(40) Pause Young (Concurrent Start) (G1 Evacuation Pause) 420M->300M(616M) 20.000ms
[9.100s] GC(41) Concurrent Mark Cycle
[9.400s] GC(41) Pause Remark 340M->330M(616M) 5.000ms
[9.600s] GC(41) Concurrent Mark Cycle 500.000ms
"""
ZGC = """\
[4.000s] GC(7) Minor Collection (Allocation Rate)
[4.001s] GC(7) y: Pause Mark Start 0.200ms
[4.100s] GC(7) y: Concurrent Mark 99.000ms
[4.100s] GC(7) y: Pause Mark End 0.100ms
[4.200s] GC(7) Minor Collection (Allocation Rate) 536M(87%)->404M(66%) 0.200s
[8.500s] GC(8) Minor Collection (High Usage) 564M(92%)->400M(65%) 0.300s
"""
STALLS = """\
[5.000s] Allocation Stall (ForkJoinPool-1-worker-1) 400.000ms
[5.100s] Allocation Stall (http-nio-8080-Poller) 300.000ms
[9.000s] Allocation Stall (ForkJoinPool-1-worker-1) 100.000ms
"""
# what an image prints with -XX:+PrintGC, among its other lines
IMAGE = """\
2026-11-22T09:00:00.000Z  INFO 1 --- [main] Application : Started Application in 0.09 seconds
[2.152s] GC(0) Pause Full GC (Collect on allocation) 48.12M->28.12M 62.499ms
[2.373s] GC(2) Pause Incremental GC (Collect on allocation) 127.62M->123.62M 57.705ms
[4.592s] GC(6) Pause Full GC (Collect on allocation) 533.25M->484.25M 0.436s
"""
LIFE = (0.0, 100.0)


def test_every_pause_with_its_time_and_what_it_left() -> None:
    lines = list(parse(SERIAL))
    assert [line.kind for line in lines] == ["pause young", "pause full", "pause young"]
    assert lines[0].end_s == 1.5
    assert lines[0].took_s == pytest.approx(0.00987)
    assert (lines[1].heap_before_bytes, lines[1].heap_after_bytes) == (40 * MIB, 21 * MIB)
    assert stopped_s(lines, *LIFE) == pytest.approx(0.074974)


def test_a_collector_beside_the_requests_stops_them_for_its_pauses_only() -> None:
    lines = list(parse(ZGC))
    assert [line.kind for line in lines if not line.stops] == ["minor collection"] * 2
    assert stopped_s(lines, *LIFE) == pytest.approx(0.0003)
    # pauses are parts of a collection, and not collections themselves
    assert [line.heap_after_bytes for line in complete_collections(lines)] == [404 * MIB, 400 * MIB]


def test_what_a_collector_does_beside_is_no_pause() -> None:
    lines = list(parse(G1))
    assert [line.kind for line in lines] == ["pause young", "pause remark"]
    assert stopped_s(lines, *LIFE) == pytest.approx(0.025)


def test_threads_that_wait_for_memory_at_once_stop_the_server_once() -> None:
    lines = list(parse(STALLS))
    assert {line.kind for line in lines} == {"allocation stall"}
    # 4.6 to 5.1 s and 8.9 to 9.0 s
    assert stopped_s(lines, *LIFE) == pytest.approx(0.6)
    assert complete_collections(lines) == []
    # of a wait across the edge of a window, only what lies in it
    assert stopped_s(lines, 4.8, 8.95) == pytest.approx(0.35)


def allocated(log: str) -> tuple[int, float]:
    """What a heap grew by, and in which time."""
    found = growths(list(parse(log)))
    grown_bytes = sum(growth.grown_bytes for growth in found)
    return grown_bytes, sum(growth.until_s - growth.from_s for growth in found)


def test_what_is_allocated_is_what_the_heap_grew_by_from_one_collection_to_the_next() -> None:
    # 28 and 191 MiB in the 1.5 s from the first to the last
    assert allocated(SERIAL) == pytest.approx((219 * MIB, 1.5))
    # 160 MiB from 4.2 to 8.2 s: what came while it collected, nobody tells
    assert allocated(ZGC) == pytest.approx((160 * MIB, 4.0))
    assert growths(list(parse(SERIAL))[:1]) == growths([]) == []


def test_a_collection_within_another_tells_nothing_of_allocation() -> None:
    nested = """\
[4.500s] GC(9) Minor Collection (Allocation Rate) 500M(81%)->400M(65%) 0.200s
[5.000s] GC(8) Major Collection (Proactive) 450M(73%)->350M(57%) 1.000s
"""
    assert growths(list(parse(nested))) == []


def test_a_window_has_the_pauses_that_ended_in_it() -> None:
    assert [p.end_s for p in within(list(parse(SERIAL)), 2.0, 3.0)] == [2.25, 3.0]


def test_a_runtime_without_a_log_is_not_one_without_pauses(tmp_path: Path) -> None:
    assert read(tmp_path / GC_LOG) is None
    (tmp_path / GC_LOG).write_text("[0.012s] Using Serial\n", encoding="utf-8")
    assert read(tmp_path / GC_LOG) == []


def test_a_log_in_the_numbers_of_another_language_is_read_as_any() -> None:
    german = "[0,039s] GC(0) Pause Young (Normal) (G1 Evacuation Pause) 13M->1M(32M) 2,499ms\n"
    [line] = parse(german)
    assert line.end_s == 0.039
    assert line.took_s == pytest.approx(0.002499)
    assert (line.heap_before_bytes, line.heap_after_bytes) == (13 * MIB, MIB)
    assert not_understood(german) is None


@pytest.mark.parametrize("text", [SERIAL, G1, ZGC, STALLS, IMAGE])
def test_every_collector_is_understood(text: str) -> None:
    assert not_understood(text) is None


@pytest.mark.parametrize(
    "line",
    [
        # ZGC of JDK 17: how long it took stands elsewhere
        "[0.912s] GC(0) Garbage Collection (Warmup) 130M(13%)->24M(2%)",
        # other decorations
        "[2026-11-26T22:00:00.000+0000][0.5s] GC(0) Pause Young (Normal) 13M->1M(32M) 2.4ms",
        # another unit
        "[1.500s] GC(0) Pause Young (Allocation Failure) 1G->12M(2G) 9.870ms",
        "[1.500s] Allocation Stall (main) 9.870us",
    ],
)
def test_a_line_that_is_not_understood_is_not_one_without_collections(
    tmp_path: Path, line: str
) -> None:
    log = tmp_path / GC_LOG
    log.write_text(f"{SERIAL}{line}\n", encoding="utf-8")
    assert read(log) is None
    assert odd_line(log) == line


def test_a_line_that_is_being_written_is_not_held_against_the_log(tmp_path: Path) -> None:
    log = tmp_path / GC_LOG
    log.write_text(SERIAL + "[4.000s] GC(3) Pause Young (Allocation Failure) 190M->", "utf-8")
    assert [line.end_s for line in read(log) or []] == [1.5, 2.25, 3.0]


@given(st.text())
def test_no_line_is_too_odd(text: str) -> None:
    assert all(line.took_s >= 0 for line in parse(text))


SPANS = st.lists(st.tuples(st.floats(1, 100), st.floats(0, 10)))


@given(SPANS)
def test_nobody_waits_longer_than_there_is_time(spans: list[tuple[float, float]]) -> None:
    text = "\n".join(
        f"[{end_s:.3f}s] Allocation Stall (a) {took_s * 1000:.3f}ms" for end_s, took_s in spans
    )
    lines = list(parse(text))
    assert len(lines) == len(spans)
    stopped = stopped_s(lines, 20.0, 50.0)
    assert 0 <= stopped <= 30.0 + 1e-9
    # together at most as long as one after the other, at least as long as any of them
    inside = [max(0.0, min(line.end_s, 50.0) - max(line.begin_s, 20.0)) for line in lines]
    assert max(inside, default=0.0) - 1e-9 <= stopped <= sum(inside) + 1e-9


def test_an_image_tells_its_collections_among_its_other_lines() -> None:
    lines = list(parse(IMAGE))
    assert [line.kind for line in lines] == ["pause full", "pause incremental", "pause full"]
    assert all(line.stops for line in lines)
    assert stopped_s(lines, *LIFE) == pytest.approx(0.062499 + 0.057705 + 0.436)
    assert lines[1].heap_before_bytes == round(127.62 * MIB)
    assert lines[1].heap_after_bytes == round(123.62 * MIB)
    assert most_bytes(lines) == round(533.25 * MIB)
    assert allocated(IMAGE)[0] > 0


def test_the_most_of_a_heap_that_was_never_collected_is_not_known() -> None:
    assert most_bytes([]) is None
