"""A host that changes its speed within a run is told."""

from __future__ import annotations

from springbench.analysis.host_speed import speed_warning
from springbench.results.model import Result
from springbench.rows import Matrix
from tests.samples import case, failed_fork, fork, measured

TOMCAT, JETTY = "boot4-tomcat-virtual-jvm/hello/64", "boot4-jetty-virtual-jvm/hello/64"


def results(matrix: Matrix, *work_s: float | None) -> list[Result]:
    cases = [case(matrix, TOMCAT), case(matrix, JETTY)]
    return [
        measured(a_case, fork(0, 1000.0, host_work_s=each))
        for a_case, each in zip(cases, work_s, strict=True)
    ]


def test_from_five_per_cent_on_it_is_told_with_the_cases(matrix: Matrix) -> None:
    assert speed_warning(results(matrix, 0.00070, 0.00073)) is None
    found = speed_warning(results(matrix, 0.00070, 0.00098))
    assert found is not None
    assert found.code == "host-speed"
    assert "up to 40% longer" in found.message
    assert f"most in {JETTY}, least in {TOMCAT}" in found.message
    assert found.remedy


def test_forks_of_one_case_are_windows_of_their_own(matrix: Matrix) -> None:
    forks = [fork(i, 1000.0, host_work_s=s) for i, s in enumerate([0.0007, 0.0014, 0.0007])]
    found = speed_warning([measured(case(matrix, TOMCAT), *forks)])
    assert found is not None
    assert "up to 100% longer" in found.message


def test_what_was_not_seen_is_no_warning(matrix: Matrix) -> None:
    assert speed_warning(results(matrix, None, 0.0007)) is None
    assert speed_warning([measured(case(matrix, TOMCAT), failed_fork(0, "boom"))]) is None
    assert speed_warning([]) is None
