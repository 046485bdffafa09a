"""What a profile and its filters select."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from fnmatch import fnmatchcase
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from springbench.errors import ConfigurationError
from springbench.matrix.load import load_matrix
from springbench.matrix.rows import COMPILING_MAX_S, Load, Matrix, Profile
from springbench.paths import MATRIX
from springbench.plan.cases import COMPILING_ESTIMATE_S
from springbench.plan.plan import Filters, Plan, make_plan

# history hangs on these: an id is never changed, only added
QUICK = [
    "boot4-tomcat-platform-jvm/hello/64",
    "boot4-tomcat-virtual-jvm/hello/64",
    "boot4-jetty-platform-jvm/hello/64",
    "boot4-jetty-virtual-jvm/hello/64",
    "boot3-undertow-platform-jvm/hello/64",
    "boot3-undertow-virtual-jvm/hello/64",
    "boot4-netty-reactive-jvm/hello/64",
    "boot4-tomcat-platform-jvm/pay/1000",
    "boot4-tomcat-virtual-jvm/pay/1000",
    "boot4-jetty-platform-jvm/pay/1000",
    "boot4-jetty-virtual-jvm/pay/1000",
    "boot3-undertow-platform-jvm/pay/1000",
    "boot3-undertow-virtual-jvm/pay/1000",
    "boot4-netty-reactive-jvm/pay/1000",
]
SERVLET = [
    "boot4-tomcat-platform",
    "boot4-tomcat-virtual",
    "boot4-jetty-platform",
    "boot4-jetty-virtual",
    "boot3-undertow-platform",
    "boot3-undertow-virtual",
]
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


def test_the_cases_of_quick_are_stable_for_ever(matrix: Matrix) -> None:
    assert ids(make_plan(matrix, "quick")) == QUICK


def test_quick_is_told_to_take_at_most_ten_minutes(matrix: Matrix) -> None:
    quick = make_plan(matrix, "quick")
    assert quick.estimate_s <= 10 * 60
    # two minutes for the compilers of each
    processes = sum(case.forks for case in quick.cases)
    assert quick.ceiling_s == quick.estimate_s + processes * (
        COMPILING_MAX_S - COMPILING_ESTIMATE_S
    )


def test_smoke_is_told_to_take_under_a_minute(matrix: Matrix) -> None:
    assert make_plan(matrix, "smoke").estimate_s < 60


@given(MATRICES)
def test_every_case_is_unique_and_exists_in_the_matrix(matrix: Matrix) -> None:
    plan = planned(matrix)
    if plan is None:
        return
    assert len(set(ids(plan))) == len(plan.cases)
    asked = {(load.workload, n) for load in matrix.profiles[0].loads for n in load.connections}
    for case in plan.cases:
        variant = case.variant
        assert variant.server in matrix.servers
        assert variant.boot in variant.server.boots
        assert variant.model.id in variant.server.models
        assert variant.runtime.id in variant.server.runtimes
        assert (case.workload.id, case.connections) in asked
        assert case.id == (
            f"{variant.boot}-{variant.server.id}-{variant.model.id}-{variant.runtime.id}"
            f"/{case.workload.id}/{case.connections}"
        )


@given(MATRICES, GLOBS)
def test_a_filter_only_ever_shrinks(matrix: Matrix, globs: tuple[str, ...]) -> None:
    whole, part = planned(matrix), planned(matrix, Filters(only=globs))
    kept = ids(part) if part else []
    everything = ids(whole) if whole else []
    expected = [i for i in everything if not globs or any(fnmatchcase(i, g) for g in globs)]
    assert kept == expected


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


def test_a_case_knows_its_ideal_its_ramp_and_its_cap(matrix: Matrix) -> None:
    cases = {case.id: case for case in make_plan(matrix, "quick").cases}
    pay, hello = cases["boot4-jetty-virtual-jvm/pay/1000"], cases[QUICK[0]]
    assert (pay.ideal_rps, pay.ramp_s) == (1000, 3)
    assert (hello.ideal_rps, hello.ramp_s) == (None, 1)
    assert pay.cap is not None
    assert pay.cap.at_once == 199
    assert cases["boot4-tomcat-virtual-jvm/pay/1000"].cap is None
    kept = cases["boot4-tomcat-virtual-jvm/pay/1000"].cache
    assert kept is not None
    assert kept.property == "server.tomcat.processor-cache"
    # the pool of threads is as large: no request is without one
    assert cases["boot4-tomcat-platform-jvm/pay/1000"].cache is None


def test_a_filter_that_matches_nothing_is_answered_with_the_nearest_ids(matrix: Matrix) -> None:
    with pytest.raises(ConfigurationError) as caught:
        make_plan(matrix, "quick", Filters(("boot4-tomcat-virtul-jvm/pay/1000",)))
    said = str(caught.value)
    assert said.startswith("--only 'boot4-tomcat-virtul-jvm/pay/1000': no case of profile 'quick'")
    assert "nearest: boot4-tomcat-virtual-jvm/pay/1000," in said


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


def test_each_way_to_the_database_is_measured_on_the_servers_that_have_it(matrix: Matrix) -> None:
    plan = make_plan(matrix, "database")
    assert ids(plan) == [
        f"{variant}-jvm/{workload}/500"
        for workload, variants in {
            "db-jpa": SERVLET,
            "db-jdbc": SERVLET,
            "db-r2dbc": ["boot4-netty-reactive"],
        }.items()
        for variant in variants
    ]
    assert plan.needs("database")
    assert not plan.needs("upstream")
    assert {case.route for case in plan.cases} == {"/users/1"}
    assert all(case.database == matrix.database for case in plan.cases)
    assert not make_plan(matrix, "quick").needs("database")


def test_a_constant_id_stands_in_the_route(matrix: Matrix) -> None:
    (case, *_) = make_plan(matrix, "database").cases
    constant = case.workload.model_copy(update={"ids": 5_800_000})
    assert replace(case, workload=constant).route == "/users/5800000"


def test_the_first_profiles_keep_their_cases(matrix: Matrix) -> None:
    ids = {name: [case.id for case in make_plan(matrix, name).cases] for name in ("smoke", "pr")}
    assert ids["smoke"] == [
        "boot4-tomcat-virtual-jvm/hello/16",
        "boot4-netty-reactive-jvm/hello/16",
        "boot4-tomcat-virtual-jvm/pay/100",
    ]
    assert len(ids["pr"]) == 11
    assert all("-jvm/" in name for name in ids["pr"])


def test_a_pull_request_is_held_against_limits_on_every_server_and_model(matrix: Matrix) -> None:
    """Far above every cap that is known, so that a new one is met."""
    cases = make_plan(matrix, "pr").cases
    loaded = {c.variant.id for c in cases if c.workload.delay_s and c.connections >= 1000}
    models = {"platform", "virtual", "reactive"}
    newest = {
        c.variant.id for c in make_plan(matrix, "quick").cases if c.variant.model.id in models
    }
    assert loaded == newest


def test_a_commit_is_measured_on_every_server_model_and_runtime(matrix: Matrix) -> None:
    cases = make_plan(matrix, "commit").cases
    models = {"platform", "virtual", "reactive"}
    runtimes = {"jvm", "jvm-aot", "native"}
    everything = [case.variant for case in make_plan(matrix, "full").cases]
    newest = {
        server.id: next(boot.id for boot in matrix.boots if boot.id in server.boots)
        for server in matrix.servers
    }
    wanted = {
        variant.id
        for variant in everything
        if variant.boot == newest[variant.server.id]
        and variant.model.id in models
        and variant.runtime.id in runtimes
    }
    assert Counter(case.id for case in cases) == Counter(
        f"{variant}/{load}" for variant in wanted for load in ("hello/64", "pay/1000")
    )
    assert {variant.split("-")[1] for variant in wanted} == {s.id for s in matrix.servers}


def test_full_has_every_combination_and_no_other(matrix: Matrix) -> None:
    cases = make_plan(matrix, "full").cases
    variants = {case.variant.id for case in cases}
    assert "boot3-undertow-virtual-jvm-aot" in variants
    assert "boot4-netty-reactive-native" in variants
    for absent in ("undertow-platform-native", "boot4-undertow", "netty-virtual", "boot3-tomcat-n"):
        assert not any(absent in name for name in variants)
    # on the JVM, again with an AOT cache, the images of the newest line, and G1 and ZGC on it
    assert len(variants) == 27 + 27 + 11 + 10 + 10
    # two loads of hello and json, five of pay, one of task and upstream, and of each database
    # workload that the server has, but none with an image, which is built without a database
    had = Counter(case.variant.id for case in cases)
    assert {id_: had[id_] for id_ in variants} == {
        id_: 2 + 2 + 5 + 1 + 1 + (0 if "-native" in id_ else 1 if "-netty-" in id_ else 2)
        for id_ in variants
    }


def test_a_study_is_repeated_with_its_own_loads(matrix: Matrix) -> None:
    cases = make_plan(matrix, "study-virtual-threads").cases
    assert {case.connections for case in cases} == {100, 500, 1000, 3000, 5000}
    assert {case.window_s for case in cases} == {30}
    [containers] = [p for p in matrix.profiles if p.id == "study-containers"]
    assert all(load.cold_s for load in containers.loads)


def test_a_cold_load_is_part_of_the_plan(matrix: Matrix) -> None:
    plan = make_plan(matrix, "study-containers")
    [load, *_] = next(p for p in matrix.profiles if p.id == "study-containers").loads
    assert {case.cold_s for case in plan.cases} == {10}
    case = plan.cases[0]
    assert case.fork_estimate_s > 10 + load.warmup_max_s + load.window_s


def test_a_server_with_routes_has_only_these_workloads(matrix: Matrix) -> None:
    tomcat = matrix.servers[0].model_copy(update={"routes": {"pay": "/checkout"}})
    changed = matrix.model_copy(update={"servers": (tomcat, *matrix.servers[1:])})
    cases = {case.id: case for case in make_plan(changed, "quick").cases}
    assert "boot4-tomcat-virtual-jvm/hello/64" not in cases
    assert "boot4-jetty-virtual-jvm/hello/64" in cases
    pay = cases["boot4-tomcat-virtual-jvm/pay/1000"]
    assert (pay.workload.route, pay.workload.warmup_route) == ("/checkout", None)
    assert pay.ideal_rps == 1000


def test_quick_takes_turns_where_there_are_several_to_be_told_apart() -> None:
    assert make_plan(REAL, "quick").in_turn
    assert make_plan(REAL, "quick", Filters(only=("*/hello/*",))).in_turn
    # one variant alone, waits alone, and what a fresh process alone shows
    assert not make_plan(REAL, "quick", Filters(only=("*-netty-*",))).in_turn
    assert not make_plan(REAL, "quick", Filters(only=("*/pay/*",))).in_turn
    assert not make_plan(REAL, "quick", Filters(rates=("half",))).in_turn
    assert not make_plan(REAL, "nightly").in_turn


def one_by_one(plan: Plan) -> Plan:
    return replace(plan, cases=tuple(replace(case, in_turn=False) for case in plan.cases))


def test_a_plan_in_turn_is_another_plan() -> None:
    plan = make_plan(REAL, "quick")
    assert plan.digest != one_by_one(plan).digest


def test_a_process_goes_through_the_cases_that_it_can_answer() -> None:
    plan = make_plan(REAL, "full", Filters(only=("boot4-tomcat-*-jvm/*",)))
    groups = plan.processes(0)
    assert sorted(case.id for group in groups for case in group) == sorted(
        case.id for case in plan.cases
    )
    for group in groups:
        assert len({case.variant.id for case in group}) == 1
        # threads as many as connections, or a database: made for that alone
        if group[0].variant.model.id == "platform-tuned":
            assert len({case.connections for case in group}) == 1
        if any(case.needs_own_process for case in group):
            assert len({case.workload.id for case in group}) == 1


def test_a_process_that_is_up_already_costs_less() -> None:
    plan = make_plan(REAL, "quick")
    hello, pay = plan.processes(0)[0]
    assert plan.cost_s(0, pay) < plan.cost_s(0, replace(pay, in_turn=False))
    assert plan.estimate_s == sum(plan.cost_s(fork, case) for fork, case in plan.rounds())
    assert plan.ceiling_s > plan.estimate_s
    # in the second round `pay` is not asked for
    assert [case.workload.id for group in plan.processes(1) for case in group] == ["hello"] * 7
    assert hello.takes_turns and not pay.takes_turns
