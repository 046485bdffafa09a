"""Who gets which CPU."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from springbench.errors import ConfigurationError
from springbench.host.cpus import (
    CpuPartition,
    partition,
    partition_from_option,
    partition_with_load_host,
    smt_siblings,
    usable_kinds,
)
from springbench.host.topology import group_by_core, parse_cpu_list

Cores = list[frozenset[int]]


@st.composite
def hosts(draw: st.DrawFn, min_size: int = 1) -> Cores:
    """Hosts of up to 64 cores with one to four hardware threads each."""
    threads = draw(st.lists(st.integers(1, 4), min_size=min_size, max_size=64))
    cpu = iter(range(1_000))
    return [frozenset(next(cpu) for _ in range(count)) for count in threads]


@given(hosts(min_size=2))
def test_the_server_shares_no_core_and_no_cpu_is_idle(host: Cores) -> None:
    parts = partition([host])
    assert parts.separate
    assert not parts.server & (parts.load | parts.upstream)
    assert parts.server | parts.load | parts.upstream == frozenset().union(*host)
    for part in (parts.server, parts.load, parts.upstream):
        assert part
        # hardware threads of one core go to one role
        assert all(core <= part or not core & part for core in host)


@given(hosts(min_size=3))
def test_from_three_cores_on_all_are_apart(host: Cores) -> None:
    parts = partition([host])
    assert not parts.load & parts.upstream
    assert parts.upstream == host[0]


@pytest.mark.parametrize(
    ("count", "load", "server"), [(3, 1, 1), (4, 1, 2), (8, 2, 5), (16, 4, 11), (64, 8, 55)]
)
def test_the_load_generator_gets_about_a_quarter(count: int, load: int, server: int) -> None:
    parts = partition([[frozenset({cpu}) for cpu in range(count)]])
    assert (len(parts.load), len(parts.server)) == (load, server)


def test_a_server_may_be_held_to_some_of_its_cpus_or_to_a_quota_of_them() -> None:
    host = CpuPartition(frozenset({2, 3, 4}), frozenset({1}), frozenset({0}), separate=True)
    two = host.held(2, None)
    assert (two.server, two.counts.server, two.counts.pinned) == (frozenset({2, 3}), 2, 2)
    # nobody else gets the CPU that is left
    assert (two.load, two.upstream) == (host.load, host.upstream)
    half = host.held(None, 0.5)
    assert (half.server, half.counts.server) == (host.server, 0.5)
    assert (half.counts.pinned, half.counts.quota) == (3, 0.5)
    # more than there is, is what there is
    assert host.held(None, 3.5).counts.server == 3
    assert host.held(None, None) == host


def test_two_cores_give_the_last_to_the_server() -> None:
    first, last = frozenset({0, 2}), frozenset({1, 3})
    parts = partition([[first, last]])
    assert (parts.server, parts.load, parts.upstream) == (last, first, first)


def test_one_core_is_shared_and_says_so() -> None:
    parts = partition([[frozenset({0, 1})]])
    assert not parts.separate
    assert parts.server == parts.load == parts.upstream == {0, 1}


def test_a_host_that_cannot_pin_gets_empty_sets(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr("os.sched_getaffinity", raising=False)
    parts = partition(usable_kinds())
    assert not (parts.server or parts.load or parts.upstream or parts.separate)


def test_only_the_cpus_that_this_process_may_use_count(tmp_path: Path) -> None:
    for cpu, siblings in {0: "0,4", 4: "0,4", 1: "1,5", 5: "1,5"}.items():
        folder = tmp_path / f"cpu{cpu}/topology"
        folder.mkdir(parents=True)
        (folder / "thread_siblings_list").write_text(siblings + "\n")
    assert group_by_core({0, 4, 5}, tmp_path) == [{0, 4}, {5}]
    assert group_by_core({0, 9}, tmp_path) == [{0}, {9}]


@pytest.mark.parametrize(
    ("text", "cpus"), [("0-2,8\n", {0, 1, 2, 8}), ("3", {3}), ("", set()), ("0,64", {0, 64})]
)
def test_lists_as_the_kernel_writes_them(text: str, cpus: set[int]) -> None:
    assert parse_cpu_list(text) == cpus


def test_who_shares_a_core_with_the_server_is_found(tmp_path: Path) -> None:
    for cpu, siblings in {2: "2,6", 3: "3,7"}.items():
        folder = tmp_path / f"cpu{cpu}" / "topology"
        folder.mkdir(parents=True)
        (folder / "thread_siblings_list").write_text(f"{siblings}\n")
    assert smt_siblings(frozenset({2, 3, 6}), tmp_path) == {7}
    assert smt_siblings(frozenset({2, 3, 6, 7}), tmp_path) == frozenset()
    assert smt_siblings(frozenset(), tmp_path) == frozenset()


def test_a_person_may_divide_the_cpus() -> None:
    usable = frozenset(range(4))
    parts = partition_from_option("2-3:1:0", usable)
    assert roles(parts) == [{2, 3}, {1}, {0}]
    assert parts.separate
    assert partition_from_option("1,2:0", usable).upstream == {0}
    assert not partition_from_option("0:0", usable).separate


@pytest.mark.parametrize("text", ["", "1", "1:", "a:b", "1:2:3:0", "-1:0", ":1:2"])
def test_a_division_that_cannot_be_read_is_refused(text: str) -> None:
    with pytest.raises(ConfigurationError, match=r"for example 2-3:1:0"):
        partition_from_option(text, frozenset(range(4)))


def test_cpus_that_are_not_there_are_named() -> None:
    with pytest.raises(ConfigurationError, match=r"may not use 7, only 0, 1"):
        partition_from_option("7:0", frozenset({0, 1}))


def roles(parts: CpuPartition) -> list[set[int]]:
    return [set(parts.server), set(parts.load), set(parts.upstream)]


def apart(first: int, *sizes: int) -> Cores:
    """Cores of so many CPUs each, numbered on from the first."""
    cpu = iter(range(first, 1_000))
    return [frozenset(next(cpu) for _ in range(size)) for size in sizes]


P2, E8 = apart(0, 2, 2), apart(4, *8 * [1])


@pytest.mark.parametrize(
    ("kinds", "server", "load", "upstream"),
    [
        # two fast cores and eight others
        ([P2, E8], {0, 1, 2, 3}, set(range(5, 12)), {4}),
        # eight fast cores, sixteen others: wrk needs no more than eight
        ([apart(0, *8 * [2]), apart(16, *16 * [1])], set(range(16)), set(range(17, 25)), {16}),
        # two slow cores drive no eight fast ones
        ([apart(2, *8 * [1]), apart(0, 1, 1)], set(range(4, 10)), {2, 3}, {0}),
        ([apart(0, 1, 1, 1), apart(3, 1)], {1, 2}, {0}, {3}),
        ([apart(0, 1, 1), apart(2, 1)], {1}, {0}, {2}),
        # one fast core
        ([apart(1, 1), apart(0, 1)], {1}, {0}, {0}),
        ([apart(7, 1), apart(4, 1, 1, 1), apart(0, 1, 1, 1, 1)], {7}, {5, 6}, {4}),
        ([apart(2, 1), apart(1, 1), apart(0, 1)], {2}, {1}, {0}),
        ([apart(5, 1), apart(4, 1), apart(0, 1, 1, 1, 1)], {5}, {4}, {0}),
        # a container without the fast ones, and one with them alone
        ([[], E8], {7, 8, 9, 10, 11}, {5, 6}, {4}),
        ([P2, []], {2, 3}, {0, 1}, {0, 1}),
    ],
)
def test_the_server_has_the_fastest_kind(
    kinds: list[Cores], server: set[int], load: set[int], upstream: set[int]
) -> None:
    parts = partition(kinds)
    assert roles(parts) == [server, load, upstream]
    assert parts.separate


@given(st.lists(hosts(), min_size=1, max_size=4))
def test_no_role_has_cores_of_two_kinds(drawn: list[Cores]) -> None:
    kinds = [
        [frozenset(cpu + 1_000 * index for cpu in core) for core in kind]
        for index, kind in enumerate(drawn)
    ]
    parts = partition(kinds)
    all_of = [frozenset().union(*kind) for kind in kinds]
    assert parts.server <= all_of[0]
    assert sum(bool(parts.load & cpus) for cpus in all_of) == 1
    assert not parts.roles_with_mixed_cores([sorted(cpus) for cpus in all_of])
    for part in (parts.server, parts.load, parts.upstream):
        assert part
        assert all(core <= part or not core & part for kind in kinds for core in kind)
    assert parts.separate == (len(kinds) > 1 or len(kinds[0]) > 1)


def test_beside_a_load_host_the_server_has_the_fastest_kind_whole() -> None:
    parts = partition_with_load_host([P2, E8], 6)
    assert roles(parts) == [{0, 1, 2, 3}, {4}, {4}]
    assert parts.counts.load == 6
    alike = partition_with_load_host([E8], 6)
    assert roles(alike) == [set(range(5, 12)), {4}, {4}]
    assert not partition_with_load_host([[frozenset({0})]], 6).separate


def test_a_division_of_ones_own_that_mixes_kinds_is_known() -> None:
    kinds = [(0, 1, 2, 3), (4, 5, 6, 7)]
    cpu_partition = partition_from_option("2-5:6:7", frozenset(range(8)))
    assert cpu_partition.roles_with_mixed_cores(kinds) == ["the server"]
    assert not cpu_partition.roles_with_mixed_cores([])
