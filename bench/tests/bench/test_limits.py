"""What a host allows of a plan: its largest load, and all servers of it at once."""

from __future__ import annotations

import pytest

from springbench.bench import assembly as kernel
from springbench.bench.assembly import check_limits, one_by_one_if_needed
from springbench.errors import HostError
from springbench.host.facts.kernel_limits import AcceptQueue, FileLimit, PortRange
from springbench.matrix.rows import Matrix
from springbench.plan.plan import Filters, Plan, make_plan

GIB = 1 << 30


def limits(monkeypatch: pytest.MonkeyPatch, *, files: int, ports: int, queue: int) -> None:
    monkeypatch.setattr(kernel, "raise_file_limit", lambda n: FileLimit(files, files, n))
    monkeypatch.setattr(kernel, "port_range", lambda n: PortRange(1, ports, 0, n))
    monkeypatch.setattr(kernel, "accept_queue", lambda n: AcceptQueue(queue, n))


def test_limits_that_suffice(monkeypatch: pytest.MonkeyPatch) -> None:
    limits(monkeypatch, files=100_000, ports=30_000, queue=4096)
    assert list(check_limits(1000)) == []


def test_a_limit_too_low_ends_the_run_before_the_first_connection(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    limits(monkeypatch, files=1024, ports=30_000, queue=4096)
    with pytest.raises(HostError, match=r"1000 connections need 2512 open files.*1024: ulimit"):
        list(check_limits(1000))
    limits(monkeypatch, files=100_000, ports=999, queue=4096)
    with pytest.raises(HostError, match=r"1000 connections need as many local ports, 999 are fre"):
        list(check_limits(1000))


def test_a_short_accept_queue_is_a_warning(monkeypatch: pytest.MonkeyPatch) -> None:
    limits(monkeypatch, files=100_000, ports=30_000, queue=128)
    [warning] = check_limits(1000)
    assert warning.code == "somaxconn"
    assert "128 connections" in warning.message
    assert warning.remedy == "sysctl -w net.core.somaxconn=1000 (as root)"


@pytest.fixture
def plan(matrix: Matrix) -> Plan:
    quick_plan = make_plan(matrix, "quick")
    assert quick_plan.interleaved
    return quick_plan


def test_seven_servers_fit_a_host_with_nine_gib(plan: Plan) -> None:
    assert one_by_one_if_needed(plan, GIB, None, available_bytes=9 * GIB) == (plan, [])


def test_a_host_with_too_little_memory_measures_one_after_the_other(plan: Plan) -> None:
    found, [caution] = one_by_one_if_needed(plan, GIB, None, available_bytes=4 * GIB)
    assert not found.interleaved
    assert [case.id for case in found.cases] == [case.id for case in plan.cases]
    assert "7 servers up at once need 8,192 MiB of memory, and 4,096 MiB are" in caution.message


def test_one_port_is_for_one_server(plan: Plan) -> None:
    found, [caution] = one_by_one_if_needed(plan, GIB, 8080, available_bytes=99 * GIB)
    assert not found.interleaved
    assert "--port" in caution.message


def test_a_plan_of_one_after_the_other_stays_so(matrix: Matrix) -> None:
    one = make_plan(matrix, "quick", Filters(only=("boot4-netty-*",)))
    assert one_by_one_if_needed(one, GIB, 8080) == (one, [])
