"""A load that cannot fit ends a run before its first connection."""

from __future__ import annotations

import pytest

from springbench.errors import HostError
from springbench.host.facts.kernel_limits import AcceptQueue, FileLimit, PortRange
from springbench.matrix.rows import Matrix
from springbench.plan.plan import Filters, Plan, make_plan
from springbench.run import limits as kernel
from springbench.run.limits import check_limits


@pytest.fixture
def plan(matrix: Matrix) -> Plan:
    return make_plan(matrix, "quick", Filters(("*-tomcat-*", "*-netty-*")))


def limits(monkeypatch: pytest.MonkeyPatch, *, files: int, ports: int, queue: int) -> None:
    monkeypatch.setattr(kernel, "raise_file_limit", lambda n: FileLimit(files, files, n))
    monkeypatch.setattr(kernel, "port_range", lambda n: PortRange(1, ports, 0, n))
    monkeypatch.setattr(kernel, "accept_queue", lambda n: AcceptQueue(queue, n))


def test_limits_that_suffice(monkeypatch: pytest.MonkeyPatch, plan: Plan) -> None:
    limits(monkeypatch, files=100_000, ports=30_000, queue=4096)
    assert list(check_limits(plan)) == []


def test_a_limit_too_low_ends_the_run_before_the_first_connection(
    monkeypatch: pytest.MonkeyPatch, plan: Plan
) -> None:
    limits(monkeypatch, files=1024, ports=30_000, queue=4096)
    with pytest.raises(HostError, match=r"1000 connections need 2512 open files.*1024: ulimit"):
        list(check_limits(plan))
    limits(monkeypatch, files=100_000, ports=999, queue=4096)
    with pytest.raises(HostError, match=r"1000 connections need as many local ports, 999 are fre"):
        list(check_limits(plan))


def test_a_short_accept_queue_is_a_warning(monkeypatch: pytest.MonkeyPatch, plan: Plan) -> None:
    limits(monkeypatch, files=100_000, ports=30_000, queue=128)
    [warning] = check_limits(plan)
    assert warning.code == "somaxconn"
    assert "128 connections" in warning.message
    assert warning.remedy == "sysctl -w net.core.somaxconn=1000 (as root)"
