"""Variants at several memory limits: the id says what differs from the default, and no more."""

from __future__ import annotations

import pytest

from springbench.bench.assembly import SPARE_BYTES, one_by_one_if_needed
from springbench.errors import ConfigurationError
from springbench.limits import Resources
from springbench.matrix.load import parse_matrix
from springbench.matrix.rows import Matrix
from springbench.paths import MATRIX
from springbench.plan.plan import Filters, Plan, make_plan

MIB = 1 << 20
ONLY = Filters(only=("*-tomcat-virtual-jvm_*", "*-tomcat-virtual-jvm/*"))


def with_memory(sizes: str) -> Matrix:
    """The matrix whose profile `smoke` has a ladder."""
    text = MATRIX.read_text("utf-8")
    return parse_matrix(text.replace("window_s = 2\n", f"window_s = 2\nmemory = {sizes}\n", 1))


def ladder(sizes: str) -> Plan:
    return make_plan(with_memory(sizes), "smoke", Filters(only=("*-tomcat-*/hello/*",)))


def test_a_case_names_the_limit_that_differs_from_the_default() -> None:
    plan = ladder('["128m", "1g", "1536m", "2048m"]')
    assert [case.id for case in plan.cases] == [
        "boot4-tomcat-virtual-jvm_128m/hello/16",
        "boot4-tomcat-virtual-jvm/hello/16",
        "boot4-tomcat-virtual-jvm_1536m/hello/16",
        "boot4-tomcat-virtual-jvm_2g/hello/16",
    ]
    assert plan.resources == {Resources(size * MIB) for size in (128, 1536, 2048)}


def test_one_limit_by_two_names_is_one_case() -> None:
    assert len(ladder('["1024m", "1g"]').cases) == 1
    assert len(ladder('["2048m", "2g"]').cases) == 1


def test_without_a_ladder_nothing_differs(matrix: Matrix) -> None:
    assert not any("_" in case.id for case in make_plan(matrix, "full").cases)
    assert make_plan(matrix, "full").resources == frozenset()


def test_each_limit_is_a_process_of_its_own() -> None:
    assert len(ladder('["128m", "1g"]').processes(0)) == 2


def test_an_image_serves_all_limits_and_a_cache_its_own(matrix: Matrix) -> None:
    serial = 'runtimes = ["jvm"]\nmemory'
    text = MATRIX.read_text("utf-8")
    assert serial in text
    images = text.replace(serial, serial.replace('"jvm"', '"jvm-aot", "native"'), 1)
    plan = make_plan(parse_matrix(images), "memory", Filters(only=("*-jetty-*",)))
    preparations = {case.variant.prepared_as.id for case in plan.cases if "_192m" in case.id}
    assert preparations == {"boot4-jetty-virtual-jvm-aot_192m", "boot4-jetty-virtual-native"}


@pytest.mark.parametrize(
    ("sizes", "message"),
    [
        ('["63m"]', "memory[0]: '63m' is too little; allowed: 64m and more"),
        ('["1g", "1t"]', "memory[1]: allowed: a whole number with m or g, like 512m or 2g"),
        ("[128]", "memory[0]: allowed: a text in quotes"),
        ('"128m"', "memory: allowed: a list"),
    ],
)
def test_a_limit_that_is_none_is_a_line(sizes: str, message: str) -> None:
    with pytest.raises(ConfigurationError) as caught:
        with_memory(sizes)
    assert message in str(caught.value)


def test_a_ladder_needs_as_much_memory_as_its_steps(matrix: Matrix) -> None:
    plan = make_plan(matrix, "memory", ONLY)
    required_bytes = SPARE_BYTES + (128 + 192 + 256 + 384 + 512 + 1024) * MIB
    assert one_by_one_if_needed(plan, 1024 * MIB, None, required_bytes) == (plan, [])
    _, [caution] = one_by_one_if_needed(plan, 1024 * MIB, None, required_bytes - 1)
    assert caution.code == "one-by-one"
