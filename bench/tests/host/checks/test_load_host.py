"""Checks of another host, as `doctor` prints them and a run asks for them."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from springbench.host.checks.check import Severity
from springbench.host.checks.load_host import checks_of, checks_of_link, survey
from springbench.host.remote.found import FoundHost, Link

FINE = FoundHost(
    destination="bench@load",
    system="Linux",
    kernel="6.18",
    python="3.11.2",
    cpu_model="AMD EPYC",
    kinds=((frozenset({0, 4}), frozenset({1, 5}), frozenset({2, 6})),),
    memory_bytes=1 << 33,
    files=65_536,
    ports=(32_768, 60_999),
    address="10.0.0.7",
    server_address="10.0.0.1",
    cache="/home/me/.cache/springbench",
    programs={"wrk": "/usr/bin/wrk", "java": "/usr/bin/java", "taskset": "/usr/bin/taskset"},
    wrk_version="4.1.0",
)


def bad(
    found: FoundHost, connections: int = 5000, *, with_java: bool = True
) -> dict[str, Severity]:
    checks = checks_of(found, connections, with_java=with_java)
    return {check.name: check.severity for check in checks if not check.ok}


def test_a_host_that_has_all_is_fine() -> None:
    assert bad(FINE) == {}
    assert FINE.upstream_cpus == {0, 4}
    assert FINE.load_cpus == {1, 5, 2, 6}


def test_one_core_is_shared_and_one_that_cannot_pin_does_not() -> None:
    single = replace(FINE, kinds=((frozenset({0}),),))
    assert single.upstream_cpus == single.load_cpus == {0}
    unpinned = replace(
        FINE, cache="/home/me/.cache/springbench", programs={**FINE.programs, "taskset": None}
    )
    assert unpinned.upstream_cpus == unpinned.load_cpus == frozenset()
    assert bad(unpinned) == {"taskset there": Severity.WARNING}


def test_the_load_has_the_fastest_kind_and_the_upstream_another() -> None:
    fast = (frozenset({4}), frozenset({5}))
    slow = tuple(frozenset({cpu}) for cpu in range(4))
    hybrid = replace(FINE, kinds=(fast, slow))
    assert list(map(set, (hybrid.load_cpus, hybrid.upstream_cpus))) == [{4, 5}, {0}]
    # one fast core drives less than four others
    single = replace(FINE, kinds=(fast[:1], slow))
    assert list(map(set, (single.load_cpus, single.upstream_cpus))) == [{0, 1, 2, 3}, {4}]
    [kinds] = [check for check in checks_of(hybrid, 64, with_java=False) if "kinds" in check.name]
    assert (
        kinds.found == "2, the fastest first: CPU 4, 5; CPU 0, 1, 2, 3. wrk on 4, 5, upstream on 0"
    )
    assert bad(hybrid) == {"core kinds there": Severity.INFO}
    # of the slow kind nothing is left to a container
    assert replace(FINE, kinds=(FINE.kinds[0], ())).load_cpus == {1, 5, 2, 6}


@pytest.mark.parametrize(
    ("change", "name"),
    [
        ({"system": "Darwin"}, "system"),
        ({"programs": {**FINE.programs, "wrk": None}}, "wrk there"),
        ({"programs": {**FINE.programs, "java": None}}, "java there"),
        ({"files": 1024}, "open files there"),
        ({"ports": (60_000, 60_999)}, "ports there"),
    ],
)
def test_what_is_lacking_is_named_with_a_remedy(change: dict[str, Any], name: str) -> None:
    found = replace(FINE, **change)
    assert bad(found) == {name: Severity.ERROR}
    [check] = [
        candidate for candidate in checks_of(found, 5000, with_java=True) if not candidate.ok
    ]
    assert check.remedy


def test_java_is_asked_for_where_something_of_it_runs_there() -> None:
    found = replace(
        FINE, cache="/home/me/.cache/springbench", programs={**FINE.programs, "java": None}
    )
    assert bad(found, with_java=False) == {"java there": Severity.INFO}


def test_a_link_that_moves_numbers_is_a_warning() -> None:
    assert all(check.ok for check in checks_of_link(Link(0.0002, 1e9)))
    slow = checks_of_link(Link(0.02, 1e6))
    assert [(check.name, check.ok, check.severity) for check in slow] == [
        ("round trip", False, Severity.WARNING),
        ("bandwidth", False, Severity.WARNING),
    ]


@pytest.mark.process
def test_a_host_that_is_not_there_is_a_finding() -> None:
    [check] = survey("nobody@no-such-host.invalid", 5000)
    assert (check.ok, check.severity) == (False, Severity.ERROR)
    assert "no-such-host.invalid" in check.found
    assert check.remedy
