"""JDKs and pool sizes as axes: what cases are called, and what is said to what cannot be."""

from __future__ import annotations

from pathlib import Path

import pytest

from springbench.build.availability import too_old, unavailable
from springbench.errors import ConfigurationError
from springbench.host.tools.find import Jdk
from springbench.matrix.load import parse_matrix
from springbench.matrix.rows import Matrix
from springbench.paths import MATRIX
from springbench.plan.plan import Filters, Plan, make_plan
from tests.commands.test_service_jdk import make_jar

JDK = Jdk(Path("/jdk-25"), "25.0.3", 25, "Somebody")
OLD = Jdk(Path("/jdk-17"), "17.0.15", 17, "Somebody")
POOLS = 'runtimes = ["jvm"]\npool_sizes = [10, 20, 40, 100]'


def with_rows(rows: str) -> Matrix:
    """The matrix whose profile `smoke` has more keys."""
    text = MATRIX.read_text("utf-8")
    return parse_matrix(text.replace("window_s = 2\n", f"window_s = 2\n{rows}\n", 1))


def with_pools(rows: str) -> Matrix:
    """The matrix whose profile `pools` lists others."""
    text = MATRIX.read_text("utf-8")
    assert POOLS in text
    return parse_matrix(text.replace(POOLS, f'runtimes = ["jvm"]\n{rows}'))


def ladder(rows: str) -> Plan:
    return make_plan(with_rows(rows), "smoke", Filters(only=("*-tomcat-*/hello/*",)))


def test_a_case_names_the_jdk_that_a_row_names() -> None:
    plan = ladder('jdks = ["21", "25"]\nmemory = ["256m", "1g"]')
    assert [case.variant.runtime_name for case in plan.cases] == [
        *("jvm_256m_jdk21", "jvm_256m_jdk25", "jvm_jdk21", "jvm_jdk25"),
    ]
    assert plan.jdks == {"21", "25"}


def test_an_image_has_no_jdk_and_a_cache_its_own() -> None:
    text = MATRIX.read_text("utf-8").replace(
        'runtimes = ["jvm"]\njdks', 'runtimes = ["jvm-aot", "native"]\njdks', 1
    )
    plan = make_plan(parse_matrix(text), "jdks", Filters(only=("*-tomcat-*",)))
    preparations = [case.variant.prepared_as.id for case in plan.cases]
    assert preparations == [
        *(f"boot4-tomcat-virtual-jvm-aot_jdk{release}" for release in (17, 21, 25, 27)),
        "boot4-tomcat-virtual-native",
    ]


def test_a_case_names_the_pool_that_differs_from_the_default(matrix: Matrix) -> None:
    plan = make_plan(matrix, "pools", Filters(only=("*-virtual-*",)))
    assert [(case.variant.runtime_name, case.database) for case in plan.cases] == [
        (name, matrix.database and matrix.database.model_copy(update={"pool_size": size}))
        for name, size in (
            ("jvm_pool10", 10),
            ("jvm_pool20", 20),
            ("jvm", 40),
            ("jvm_pool100", 100),
        )
    ]
    assert [case.settings["pool_size"] for case in plan.cases] == ["10", "20", "40", "100"]


def test_pools_of_servers_that_are_up_at_once_fit_into_the_database() -> None:
    matrix = with_pools("pool_sizes = [20, 200]")
    rows = tuple(row.model_copy(update={"interleaved": True}) for row in matrix.profiles)
    with pytest.raises(ConfigurationError, match="open 440 connections to the database, which"):
        make_plan(matrix.model_copy(update={"profiles": rows}), "pools")


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ('jdks = ["7"]', "jdks[0]: '7' is too little; allowed: 8 and more"),
        ('jdks = ["21.0.2"]', "jdks[0]: allowed: a release, like 21; found '21.0.2'"),
        ("jdks = [21]", "jdks[0]: allowed: a text in quotes"),
        ("pool_sizes = [0]", "pool_sizes[0]: allowed: 1 or more"),
        ("pool_sizes = [10]", "pool_sizes: 'hello' uses no database; leave this key out"),
    ],
)
def test_what_cannot_be_is_a_line(rows: str, message: str) -> None:
    with pytest.raises(ConfigurationError) as caught:
        with_rows(rows)
    assert message in str(caught.value)


def test_a_pool_that_the_database_does_not_let_in_is_a_line() -> None:
    with pytest.raises(ConfigurationError) as caught:
        with_pools("pool_sizes = [10, 397]")
    assert "pool_sizes[1]: must leave 4 of max_connections; allowed: at most 396" in str(
        caught.value
    )


def test_a_jdk_that_is_not_there_costs_its_own_step_alone() -> None:
    plan = ladder('jdks = ["21", "25"]')
    [(case, why)] = unavailable(plan, None, JDK, {"25": JDK}).items()
    assert case == "boot4-tomcat-virtual-jvm_jdk21/hello/16"
    assert why.startswith("JDK 21: none is on this host, in JAVA_HOME, the path, /usr/lib/jvm")
    assert why.endswith("install one there, or leave 21 out of jdks")
    assert unavailable(plan, None, OLD, {"21": OLD, "25": JDK}) == {}


def test_a_jdk_that_is_too_old_for_the_classes_says_for_what_they_are(tmp_path: Path) -> None:
    make_jar(tmp_path, class_format=65)
    assert too_old(OLD, tmp_path / "app.jar") == (
        "JDK 17.0.15: app.jar is compiled for 21 or newer; build it for 17, or leave 17 out of jdks"
    )
    assert too_old(JDK, tmp_path / "app.jar") is None
    assert too_old(None, tmp_path / "app.jar") is None
