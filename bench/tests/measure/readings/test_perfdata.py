"""HotSpot's counters, read from bytes laid out as HotSpot lays them out."""

from __future__ import annotations

import struct

import pytest
from hypothesis import given
from hypothesis import strategies as st

from springbench.measure.readings import perfdata

COUNTERS = {
    "java.threads.live": 17,
    "java.threads.started": 22,
    "sun.gc.generation.0.capacity": 300,
    "sun.gc.generation.0.maxCapacity": 400,
    "sun.gc.generation.0.space.0.used": 30,
    "sun.gc.generation.0.space.0.capacity": 240,
    "sun.gc.generation.1.capacity": 700,
    "sun.gc.generation.1.maxCapacity": 1600,
    "sun.gc.generation.1.space.0.used": 70,
    "sun.gc.generation.1.space.0.capacity": 700,
    "sun.gc.collector.0.invocations": 5,
    "sun.gc.collector.0.time": 250_000_000,
    "sun.gc.collector.1.invocations": 1,
    "sun.gc.collector.1.time": 50_000_000,
    "sun.os.hrt.frequency": 1_000_000_000,
}


def laid_out(counters: dict[str, int], order: str = "<") -> bytes:
    """A file with these counters and one text."""
    entries = b""
    for name, value in counters.items():
        text = name.encode() + b"\0"
        value_at = (20 + len(text) + 7) // 8 * 8
        entry = struct.pack(order + "IIIBBBBI", value_at + 8, 20, 0, ord("J"), 0, 1, 3, value_at)
        entries += (entry + text).ljust(value_at, b"\0") + struct.pack(order + "q", value)
    entry = struct.pack(order + "IIIBBBBI", 40, 20, 8, ord("B"), 0, 5, 1, 32)
    entries += (entry + b"java.x\0").ljust(32, b"\0") + b"25.0.3\0\0"
    head = b"\xca\xfe\xc0\xc0" + bytes([order == "<", 2, 0, 1])
    numbers = (len(entries) + 32, 0, 0, 32, len(counters) + 1)
    return head + struct.pack(order + "IIqII", *numbers) + entries


@pytest.mark.parametrize("order", ["<", ">"])
def test_numbers_are_read_in_either_byte_order(order: str) -> None:
    assert perfdata.parse(laid_out(COUNTERS, order)) == COUNTERS
    assert perfdata.parse_texts(laid_out(COUNTERS, order)) == {"java.x": "25.0.3"}


def test_the_heap_is_the_sum_of_its_generations_and_not_of_their_spaces() -> None:
    assert perfdata.heap(COUNTERS) == {
        "heap_committed_bytes": 1000,
        "heap_max_bytes": 2000,
    }
    assert perfdata.heap({}) == {}


def test_generations_that_share_the_heap_have_its_limit_once() -> None:
    # G1 and ZGC: each generation may take the whole of it
    shared = COUNTERS | {"sun.gc.generation.0.maxCapacity": 1600}
    assert perfdata.heap(shared) == {"heap_committed_bytes": 1000, "heap_max_bytes": 1600}


def test_collections_of_all_collectors_together() -> None:
    found = perfdata.collections(COUNTERS)
    assert found is not None
    assert found[0] == 6
    assert found[1] == pytest.approx(0.3)
    assert perfdata.collections({}) is None


@given(st.binary(max_size=200), st.integers(0, 600))
def test_a_file_that_is_none_or_was_cut_gives_no_mistake(noise: bytes, length: int) -> None:
    perfdata.parse(noise)
    perfdata.parse(laid_out(COUNTERS)[:length] + noise)
    perfdata.parse_texts(laid_out(COUNTERS)[:length] + noise)


def test_a_text_in_another_encoding_costs_no_number() -> None:
    data = laid_out(COUNTERS).replace(b"25.0.3", b"\xe4.0.3 ")
    assert perfdata.parse(data) == COUNTERS
    assert perfdata.parse_texts(data)["java.x"].startswith("\ufffd")


def test_a_process_without_counters_has_none() -> None:
    assert perfdata.read(2**22) == {}
    assert perfdata.collector(2**22) is None
