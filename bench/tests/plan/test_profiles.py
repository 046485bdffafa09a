"""What the profiles of matrix.toml select."""

from __future__ import annotations

from collections import Counter

from springbench.matrix.profiles import COMPILING_ESTIMATE_S, COMPILING_MAX_S
from springbench.matrix.rows import Matrix
from springbench.plan.plan import Plan, make_plan

# history hangs on such ids: they may be added to, never changed or dropped
FOR_EVER = {
    "quick": {"boot4-tomcat-virtual-jvm/hello/64", "boot4-tomcat-virtual-jvm/pay/1000"},
    "smoke": {
        "boot4-tomcat-virtual-jvm/hello/16",
        "boot4-netty-reactive-jvm/hello/16",
        "boot4-tomcat-virtual-jvm/pay/100",
    },
    "pr": {"boot4-jetty-virtual-jvm/hello/64", "boot3-undertow-virtual-jvm/hello/64"},
}
USUAL_MODELS = {"platform", "virtual", "reactive"}


def ids(plan: Plan) -> list[str]:
    return [case.id for case in plan.cases]


def newest(matrix: Matrix) -> dict[str, str]:
    """The newest line that each server is on, by server."""
    return {
        server.id: next(boot.id for boot in matrix.boots if boot.id in server.boots)
        for server in matrix.servers
    }


def variants(matrix: Matrix, models: set[str], runtimes: set[str]) -> set[str]:
    """Every combination of these on the newest line of its server."""
    return {
        f"{newest(matrix)[server.id]}-{server.id}-{model}-{runtime}"
        for server in matrix.servers
        for model in models & set(server.models)
        for runtime in runtimes & set(server.runtimes)
    }


def test_what_history_hangs_on_is_still_measured(matrix: Matrix) -> None:
    for profile, cases in FOR_EVER.items():
        assert cases <= set(ids(make_plan(matrix, profile)))


def test_quick_has_every_server_in_its_usual_models_under_both_loads(matrix: Matrix) -> None:
    usual = variants(matrix, USUAL_MODELS, {"jvm"})
    assert Counter(ids(make_plan(matrix, "quick"))) == Counter(
        f"{variant}/{load}" for variant in usual for load in ("hello/64", "pay/1000")
    )


def test_quick_is_planned_to_take_at_most_ten_minutes(matrix: Matrix) -> None:
    quick = make_plan(matrix, "quick")
    assert quick.estimate_s <= 10 * 60
    # two minutes for the compilers of each
    processes = sum(case.forks for case in quick.cases)
    assert quick.ceiling_s == quick.estimate_s + processes * (
        COMPILING_MAX_S - COMPILING_ESTIMATE_S
    )


def test_smoke_is_planned_to_take_under_a_minute(matrix: Matrix) -> None:
    assert make_plan(matrix, "smoke").estimate_s < 60


def test_each_way_to_the_database_is_measured_on_the_servers_that_have_it(matrix: Matrix) -> None:
    plan = make_plan(matrix, "database")
    workloads = {row.id for row in matrix.workloads if row.id.startswith("db-")}
    assert {case.workload.id for case in plan.cases} == workloads
    for case in plan.cases:
        # a servlet blocks on JDBC, a reactive server never does
        assert (case.workload.id == "db-r2dbc") == (case.variant.model.id == "reactive")
    measured = {case.variant.id for case in plan.cases}
    assert measured == variants(matrix, USUAL_MODELS, {"jvm"})
    assert plan.needs("database")
    assert not plan.needs("upstream")
    assert {case.templates[0].title for case in plan.cases} == {"GET /users/{random:1:6000000}"}
    assert all(case.database == matrix.database for case in plan.cases)
    assert not make_plan(matrix, "quick").needs("database")


def test_a_pull_request_is_compared_on_the_jvm_where_most_run_it(matrix: Matrix) -> None:
    cases = make_plan(matrix, "pr").cases
    assert {case.variant.runtime.id for case in cases} == {"jvm"}
    hello = {case.variant.id for case in cases if case.workload.id == "hello"}
    assert hello == variants(matrix, {"virtual", "reactive"}, {"jvm"})


def test_a_pull_request_is_held_against_limits_on_every_server_and_model(matrix: Matrix) -> None:
    """Far above every cap that is known, so that a new one is met."""
    cases = make_plan(matrix, "pr").cases
    loaded = {c.variant.id for c in cases if c.workload.delay_s and c.connections >= 1000}
    assert loaded == variants(matrix, USUAL_MODELS, {"jvm"})


def test_a_commit_is_measured_on_every_server_model_and_runtime(matrix: Matrix) -> None:
    expected_variants = variants(matrix, USUAL_MODELS, {"jvm", "jvm-aot", "native"})
    assert Counter(ids(make_plan(matrix, "commit"))) == Counter(
        f"{variant}/{load}"
        for variant in expected_variants
        for load in ("hello/64", "pay/1000", "upstream/500")
    )


def test_full_has_every_combination_and_no_other(matrix: Matrix) -> None:
    cases = make_plan(matrix, "full").cases
    measured = {case.variant.id for case in cases}
    on_the_jvm = {
        f"{boot}-{server.id}-{model}-{runtime}"
        for server in matrix.servers
        for boot in server.boots
        for model in server.models
        for runtime in ("jvm", "jvm-aot")
    }
    assert on_the_jvm <= measured
    # what is not on the older line: images, and other collectors
    other_variants = {
        case.variant.id.removesuffix(f"-{case.variant.runtime.id}")
        for case in cases
        if case.variant.id not in on_the_jvm
    }
    assert other_variants <= {variant.rsplit("-", 1)[0] for variant in on_the_jvm}
    assert all(
        variant.split("-")[0] == newest(matrix)[variant.split("-")[1]] for variant in other_variants
    )
    assert len({case.id for case in cases}) == len(cases)


def test_full_asks_every_question_of_each_that_can_answer(matrix: Matrix) -> None:
    had: dict[str, set[str]] = {}
    for case in make_plan(matrix, "full").cases:
        had.setdefault(case.variant.id, set()).add(case.workload.id)
    plain = {row.id for row in matrix.workloads if "database" not in row.needs}
    for variant, workloads in had.items():
        assert workloads >= {"hello", "json", "pay", "task", "upstream"}, variant
        # an image is built without a database
        assert not (variant.endswith("-native") and workloads - plain), variant


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
