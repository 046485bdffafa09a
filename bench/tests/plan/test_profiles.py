"""What the profiles of matrix.toml select."""

from __future__ import annotations

from collections import Counter

from springbench.matrix.profiles import COMPILING_MAX_S
from springbench.matrix.rows import Matrix
from springbench.plan.cases import COMPILING_ESTIMATE_S
from springbench.plan.plan import Plan, make_plan

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


def ids(plan: Plan) -> list[str]:
    return [case.id for case in plan.cases]


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
