"""What a profile and its filters select."""

from __future__ import annotations

from dataclasses import replace
from fnmatch import fnmatchcase
from itertools import pairwise

import pytest
from hypothesis import given, reject
from hypothesis import strategies as st

from springbench.errors import ConfigurationError
from springbench.matrix.load import load_matrix
from springbench.matrix.profiles import Load, Profile, Weekday
from springbench.matrix.rows import Matrix
from springbench.matrix.templates import get
from springbench.paths import MATRIX
from springbench.plan.plan import Filters, Plan, make_plan

REAL = load_matrix(MATRIX)


def some(names: list[str]) -> st.SearchStrategy[tuple[str, ...]]:
    return st.lists(st.sampled_from(names), unique=True).map(tuple)


def some_of(*tables: str) -> dict[str, st.SearchStrategy[tuple[str, ...]]]:
    return {table: some([row.id for row in getattr(REAL, table)]) for table in tables}


LOADS = st.builds(
    Load,
    workload=st.sampled_from([row.id for row in REAL.workloads]),
    connections=st.lists(st.integers(1, 60_000), min_size=1, max_size=4).map(tuple),
    boots=st.sampled_from(["all", "newest", ("boot3",), ("boot4", "boot3")]),
    forks=st.integers(1, 4),
    memory=some(["128m", "1g", "2048m", "2g"]),
    cpus=some(["0.5", "0.50", "1.0", "1"]),
    **some_of("servers", "models", "runtimes"),
)
MATRICES = st.lists(LOADS, min_size=1, max_size=4).map(
    lambda loads: REAL.model_copy(
        update={"profiles": (Profile(id="made-up", description="", loads=tuple(loads)),)}
    )
)
GLOBS = st.lists(
    st.sampled_from(["*", "boot4-*", "*-virtual-*", "*/pay/*", "*/hello/*", "*tomcat*", "x*"]),
    max_size=2,
).map(tuple)


def ids(plan: Plan) -> list[str]:
    return [case.id for case in plan.cases]


def planned(matrix: Matrix, filters: Filters | None = None) -> Plan | None:
    """The plan, or None where it would be empty."""
    try:
        return make_plan(matrix, matrix.profiles[0].id, filters)
    except ConfigurationError:
        return None


@given(MATRICES)
def test_every_case_is_unique_and_exists_in_the_matrix(matrix: Matrix) -> None:
    plan = planned(matrix)
    if plan is None:
        return
    assert len(set(ids(plan))) == len(plan.cases)
    requested_loads = {
        (load.workload, n) for load in matrix.profiles[0].loads for n in load.connections
    }
    for case in plan.cases:
        variant = case.variant
        assert variant.server in matrix.servers
        assert variant.boot in variant.server.boots
        assert variant.model.id in variant.server.models
        assert variant.runtime.id in variant.server.runtimes
        assert (case.workload.id, case.connections) in requested_loads
        assert case.id == (
            f"{variant.boot}-{variant.server.id}-{variant.model.id}-{variant.runtime_name}"
            f"/{case.workload.id}/{case.connections}"
        )


@given(MATRICES, GLOBS)
def test_a_filter_only_ever_shrinks(matrix: Matrix, globs: tuple[str, ...]) -> None:
    full_plan, filtered_plan = planned(matrix), planned(matrix, Filters(only=globs))
    if full_plan is None:
        # too many for the database at once, of which fewer may be few enough
        reject()
    filtered_ids = ids(filtered_plan) if filtered_plan else []
    expected = [i for i in ids(full_plan) if not globs or any(fnmatchcase(i, g) for g in globs)]
    assert filtered_ids == expected


@given(MATRICES)
def test_cases_of_one_workload_stand_together(matrix: Matrix) -> None:
    plan = planned(matrix)
    workloads = [case.workload.id for case in plan.cases] if plan else []
    changes = sum(a != b for a, b in pairwise(workloads))
    assert changes == max(0, len(set(workloads)) - 1)


@given(MATRICES)
def test_rounds_measure_every_fork_once_and_each_case_before_any_again(matrix: Matrix) -> None:
    plan = planned(matrix)
    if plan is None:
        return
    rounds = [(fork, case.id) for fork, case in plan.rounds()]
    assert sorted(rounds) == sorted(
        (fork, case.id) for case in plan.cases for fork in range(case.forks)
    )
    assert [fork for fork, _ in rounds] == sorted(fork for fork, _ in rounds)


def test_newest_takes_each_server_on_its_newest_line(matrix: Matrix) -> None:
    boots = {case.variant.server.id: case.variant.boot for case in make_plan(matrix, "quick").cases}
    assert boots == {"tomcat": "boot4", "jetty": "boot4", "undertow": "boot3", "netty": "boot4"}


def test_options_replace_what_the_profile_says(matrix: Matrix) -> None:
    filters = Filters(("boot4-tomcat-*",), connections=(7, 9), forks=3, window_s=3.5)
    plan = make_plan(matrix, "quick", filters)
    assert {case.connections for case in plan.cases} == {7, 9}
    assert {(case.forks, case.window_s) for case in plan.cases} == {(3, 3.5)}
    assert len(plan.cases) == 8
    assert plan.modules == ("servers/boot4/tomcat",)


def test_the_digest_tells_plans_apart(matrix: Matrix) -> None:
    plans = [
        make_plan(matrix, "quick"),
        make_plan(matrix, "smoke"),
        make_plan(matrix, "quick", Filters(forks=2)),
        make_plan(matrix, "quick", Filters(window_s=3)),
        make_plan(matrix, "quick", Filters(("*/pay/*",))),
    ]
    assert len({plan.digest for plan in plans}) == len(plans)
    assert make_plan(matrix, "quick").digest == plans[0].digest


def test_a_case_knows_its_theoretical_max_its_ramp_and_its_cap(matrix: Matrix) -> None:
    cases = {case.id: case for case in make_plan(matrix, "quick").cases}
    pay, hello = (
        cases["boot4-jetty-virtual-jvm/pay/1000"],
        cases["boot4-tomcat-platform-jvm/hello/64"],
    )
    assert (pay.theoretical_max_rps, pay.ramp_s) == (1000, 3)
    assert (hello.theoretical_max_rps, hello.ramp_s) == (None, 1)
    assert pay.cap is not None
    assert pay.cap.at_once == 199
    assert cases["boot4-tomcat-virtual-jvm/pay/1000"].cap is None
    cache = cases["boot4-tomcat-virtual-jvm/pay/1000"].cache
    assert cache is not None
    assert cache.property == "server.tomcat.processor-cache"
    # the pool of threads is as large: no request is without one
    assert cases["boot4-tomcat-platform-jvm/pay/1000"].cache is None


def test_a_filter_that_matches_nothing_is_answered_with_the_nearest_ids(matrix: Matrix) -> None:
    with pytest.raises(ConfigurationError) as caught:
        make_plan(matrix, "quick", Filters(("boot4-tomcat-virtul-jvm/pay/1000",)))
    message = str(caught.value)
    assert message.startswith(
        "--only 'boot4-tomcat-virtul-jvm/pay/1000': no case of profile 'quick'"
    )
    assert "nearest: boot4-tomcat-virtual-jvm/pay/1000," in message


def test_an_unknown_profile_is_answered_with_those_there_are(matrix: Matrix) -> None:
    with pytest.raises(ConfigurationError, match=r"'quik': no such profile; allowed: smoke, quick"):
        make_plan(matrix, "quik")


def test_a_profile_that_selects_nothing_says_so(matrix: Matrix) -> None:
    load = Load(workload="hello", connections=(1,), boots=("boot4",), servers=("undertow",))
    empty = Profile(id="empty", description="", loads=(load,))
    with pytest.raises(ConfigurationError, match="'empty' selects no case"):
        make_plan(matrix.model_copy(update={"profiles": (empty,)}), "empty")


def test_a_window_of_fewer_than_three_delays_is_refused(matrix: Matrix) -> None:
    make_plan(matrix, "quick", Filters(only=("*/pay/*",), window_s=3.0))
    with pytest.raises(
        ConfigurationError, match=r"2\.9 s is too short for .*/pay/1000.*allowed: 3 s"
    ):
        make_plan(matrix, "quick", Filters(only=("*/pay/*",), window_s=2.9))
    make_plan(matrix, "quick", Filters(only=("*/hello/*",), window_s=1.0))


def test_a_constant_id_stands_in_the_route(matrix: Matrix) -> None:
    (case, *_) = make_plan(matrix, "database").cases
    constant = case.workload.model_copy(update={"ids": 5_800_000})
    assert replace(case, workload=constant).templates == (get("/users/5800000"),)


def test_a_server_with_routes_has_only_these_workloads(matrix: Matrix) -> None:
    tomcat = matrix.servers[0].model_copy(update={"routes": {"pay": "/checkout"}})
    changed = matrix.model_copy(update={"servers": (tomcat, *matrix.servers[1:])})
    cases = {case.id: case for case in make_plan(changed, "quick").cases}
    assert "boot4-tomcat-virtual-jvm/hello/64" not in cases
    assert "boot4-jetty-virtual-jvm/hello/64" in cases
    pay = cases["boot4-tomcat-virtual-jvm/pay/1000"]
    assert (pay.workload.route, pay.workload.warmup_route) == ("/checkout", None)
    assert pay.theoretical_max_rps == 1000


DAYS: tuple[Weekday | None, ...] = (None, "monday")


def test_on_a_day_the_loads_of_other_days_are_left_out() -> None:
    every, monday = (
        {case.workload.id for case in make_plan(REAL, "nightly", weekday=day).cases} for day in DAYS
    )
    assert "hello" in monday
    assert {"headers"} == monday & {"headers", "download", "upload", "json-in", "hello-h2"}
    assert {"headers", "download", "upload", "json-in", "hello-h2"} <= every


def test_servers_that_are_up_at_once_share_what_the_database_lets_in(matrix: Matrix) -> None:
    assert make_plan(matrix, "orders").interleaved
    assert matrix.database
    few = matrix.database.model_copy(update={"max_connections": 100})
    crowded = matrix.model_copy(update={"database": few})
    with pytest.raises(ConfigurationError, match=r"7 servers are up at once and open 280 .* 96: "):
        make_plan(crowded, "orders")
    assert make_plan(crowded, "orders", Filters(only=("boot4-tomcat-*",))).interleaved
    # one after the other they do not meet
    assert not make_plan(crowded, "database").interleaved
