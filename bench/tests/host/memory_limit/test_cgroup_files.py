"""Control groups as folders, on trees made for the test: what is read, written and swept."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from springbench.host.memory_limit import cgroup_files
from springbench.host.memory_limit.cgroup_files import Hierarchy, hierarchies
from springbench.host.memory_limit.choose import choose_memory_limit, groups_v1, groups_v2, scopes
from springbench.host.memory_limit.control_group import Throttling, group_name, sweep
from tests.fakes import FakeShell
from tests.host.facts.test_facts import make_host

LIMIT = 2**30
UNIFIED = "30 24 0:26 / /sys/fs/cgroup rw,nosuid - cgroup2 cgroup2 rw,nsdelegate\n"
LEGACY = """\
31 23 0:28 / /sys/fs/cgroup rw - tmpfs tmpfs rw,mode=755
33 31 0:30 / /sys/fs/cgroup/cpu,cpuacct rw - cgroup cgroup rw,cpu,cpuacct
35 31 0:32 /docker/abc /sys/fs/cgroup/memory rw shared:9 - cgroup cgroup rw,memory
"""


@pytest.fixture(autouse=True)
def folders_of_files(monkeypatch: pytest.MonkeyPatch) -> None:
    """A real group is removed with its files inside, which no other folder lets one do."""

    def remove(folder: Path) -> bool:
        shutil.rmtree(folder, ignore_errors=True)
        return True

    monkeypatch.setattr(cgroup_files, "_remove", remove)


def session(root: Path, group: str, **files: str) -> list[Hierarchy]:
    """A host of version 2 whose groups hold the given files; `__` stands for `/` in their names."""
    make_host(root, {"proc/self/mountinfo": UNIFIED, "proc/self/cgroup": f"0::{group}\n"})
    (root / "sys/fs/cgroup" / group.lstrip("/")).mkdir(parents=True)
    for name, text in files.items():
        make_host(root, {f"sys/fs/cgroup/{name.replace('__', '/')}": text})
    return hierarchies(root)


def controllers(root: Path, folder: str, available: str, switched_on: str) -> None:
    make_host(
        root,
        {
            f"sys/fs/cgroup/{folder}/cgroup.controllers": available,
            f"sys/fs/cgroup/{folder}/cgroup.subtree_control": switched_on,
        },
    )


def test_one_tree_of_version_2(tmp_path: Path) -> None:
    (tree,) = session(tmp_path, "/user.slice/app.scope")
    mount = tmp_path / "sys/fs/cgroup"
    assert tree == Hierarchy(2, frozenset(), mount, mount / "user.slice/app.scope")


def test_a_container_sees_its_own_group_as_the_top(tmp_path: Path) -> None:
    make_host(
        tmp_path,
        {
            "proc/self/mountinfo": LEGACY,
            "proc/self/cgroup": "4:memory:/docker/abc/inner\n2:cpu,cpuacct:/elsewhere\n0::/\n",
            "sys/fs/cgroup/memory/inner/tasks": "",
        },
    )
    top = tmp_path / "sys/fs/cgroup"
    assert hierarchies(tmp_path) == [
        Hierarchy(1, frozenset({"memory"}), top / "memory", top / "memory/inner"),
        # not there inside the container
        Hierarchy(1, frozenset({"cpu", "cpuacct"}), top / "cpu,cpuacct", top / "cpu,cpuacct"),
    ]


def test_a_host_without_groups_has_none(tmp_path: Path) -> None:
    assert hierarchies(tmp_path) == []
    make_host(tmp_path, {"proc/self/cgroup": "0::/../outside\n", "proc/self/mountinfo": "broken"})
    assert hierarchies(tmp_path) == []


def test_version_2_goes_beside_this_process_where_memory_may_be_limited(tmp_path: Path) -> None:
    trees = session(tmp_path, "/user.slice/app.slice/shell.scope")
    controllers(tmp_path, "user.slice/app.slice/shell.scope", "cpu pids", "")
    controllers(tmp_path, "user.slice/app.slice", "cpu memory pids", "memory pids")
    controllers(tmp_path, "user.slice", "cpu memory pids", "cpu memory pids")
    parents = [candidate.parent.name for candidate in groups_v2(LIMIT, trees)]
    assert parents == ["app.slice", "user.slice"]


def test_version_2_limits_memory_without_swap_and_reads_the_counters(tmp_path: Path) -> None:
    trees = session(tmp_path, "/")
    controllers(tmp_path, "", "memory", "")
    (candidate,) = groups_v2(LIMIT, trees)
    top = tmp_path / "sys/fs/cgroup"
    with candidate.open("springbench-x") as opened:
        group = top / "springbench-x"
        assert (top / "cgroup.subtree_control").read_text() == "+memory"
        assert (group / "memory.max").read_text() == str(LIMIT)
        assert opened.wrap(["java"])[-4:] == ["sh", str(group), "--", "java"]
        assert (opened.memory_peak_bytes(), opened.oom_killed(), opened.cpu_time_s()) == (
            None,
            False,
            None,
        )
        (group / "memory.peak").write_text("123456\n")
        (group / "memory.events").write_text("low 0\nmax 7\noom 1\noom_kill 1\n")
        (group / "cpu.stat").write_text("usage_usec 1500000\nuser_usec 1\n")
        assert opened.memory_peak_bytes() == 123456
        assert opened.oom_killed()
        assert opened.cpu_time_s() == 1.5
        opened.close()
    assert not group.exists()
    assert opened.cpu_time_s() == 1.5


def test_version_1_limits_memory_with_swap_counted_in(tmp_path: Path) -> None:
    memory, cpuacct = tmp_path / "memory", tmp_path / "cpuacct"
    memory.mkdir()
    cpuacct.mkdir()
    trees = [
        Hierarchy(1, frozenset({"memory"}), memory, memory),
        Hierarchy(1, frozenset({"cpu", "cpuacct"}), cpuacct, cpuacct),
    ]
    (candidate,) = groups_v1(LIMIT, trees)
    with candidate.open("springbench-x") as opened:
        group = memory / "springbench-x"
        assert (group / "memory.limit_in_bytes").read_text() == str(LIMIT)
        assert (group / "memory.swappiness").read_text() == "0"
        (group / "memory.max_usage_in_bytes").write_text("5\n")
        (group / "memory.oom_control").write_text("oom_kill_disable 0\nunder_oom 0\noom_kill 2\n")
        (cpuacct / "springbench-x/cpuacct.usage").write_text("2500000001\n")
        assert (opened.memory_peak_bytes(), opened.oom_killed()) == (5, True)
        assert opened.cpu_time_s() == 2.500000001
    assert not group.exists()
    assert not (cpuacct / "springbench-x").exists()


def test_version_2_holds_it_to_a_quota_and_reads_how_often_that_was_used_up(tmp_path: Path) -> None:
    trees = session(tmp_path, "/")
    controllers(tmp_path, "", "cpu memory", "memory")
    (candidate,) = groups_v2(LIMIT, trees, 0.25)
    top = tmp_path / "sys/fs/cgroup"
    with candidate.open("springbench-x") as opened:
        group = top / "springbench-x"
        assert (top / "cgroup.subtree_control").read_text() == "+cpu"
        assert (group / "cpu.max").read_text() == "25000 100000"
        assert opened.throttling() is None
        (group / "cpu.stat").write_text(
            "usage_usec 9\nnr_periods 40\nnr_throttled 38\nthrottled_usec 2500000\n"
        )
        assert opened.throttling() == Throttling(40, 38, 2.5)


def test_without_a_quota_nothing_is_throttled(tmp_path: Path) -> None:
    trees = session(tmp_path, "/")
    controllers(tmp_path, "", "cpu memory", "memory")
    (candidate,) = groups_v2(LIMIT, trees)
    with candidate.open("springbench-x") as opened:
        group = tmp_path / "sys/fs/cgroup/springbench-x"
        assert not (group / "cpu.max").exists()
        (group / "cpu.stat").write_text("nr_periods 0\nnr_throttled 0\nthrottled_usec 0\n")
        assert opened.throttling() is None


@pytest.mark.parametrize("together", [True, False])
def test_version_1_holds_it_to_a_quota(tmp_path: Path, together: bool) -> None:
    memory, cpu = tmp_path / "memory", tmp_path / "cpu"
    cpuacct = cpu if together else tmp_path / "cpuacct"
    for folder in {memory, cpu, cpuacct}:
        folder.mkdir()
    trees = [
        Hierarchy(1, frozenset({"memory"}), memory, memory),
        Hierarchy(1, frozenset({"cpu"}), cpu, cpu),
        Hierarchy(1, frozenset({"cpuacct"}), cpuacct, cpuacct),
    ]
    (candidate,) = groups_v1(LIMIT, trees, 1.5)
    with candidate.open("springbench-x") as opened:
        group = cpu / "springbench-x"
        assert (group / "cpu.cfs_period_us").read_text() == "100000"
        assert (group / "cpu.cfs_quota_us").read_text() == "150000"
        joined = opened.wrap(["java"])
        folders = dict.fromkeys(mount / "springbench-x" for mount in (memory, cpu, cpuacct))
        assert joined[joined.index("sh", 1) + 1 : -2] == [*map(str, folders)]
        (group / "cpu.stat").write_text("nr_periods 10\nnr_throttled 4\nthrottled_time 500000000\n")
        (cpuacct / "springbench-x/cpuacct.usage").write_text("2000000000\n")
        assert opened.throttling() == Throttling(10, 4, 0.5)
        assert opened.cpu_time_s() == 2.0
    assert not any(mount.exists() for mount in folders)


def test_without_the_cpu_controller_there_is_no_quota(tmp_path: Path) -> None:
    trees = session(tmp_path, "/")
    controllers(tmp_path, "", "memory", "memory")
    assert not list(groups_v2(LIMIT, trees, 0.5))
    assert not list(
        groups_v1(LIMIT, [Hierarchy(1, frozenset({"memory"}), tmp_path, tmp_path)], 0.5)
    )
    shell = FakeShell()
    assert choose_memory_limit(LIMIT, shell, tmp_path).enforced
    assert not choose_memory_limit(LIMIT, shell, tmp_path, 0.5).enforced
    controllers(tmp_path, "", "cpu memory", "memory")
    assert choose_memory_limit(LIMIT, shell, tmp_path, 0.5).enforced


def test_a_scope_has_a_quota_once_the_kernel_shows_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    trees = scope_host(tmp_path)
    scope, older = scopes(LIMIT, FakeShell(), tmp_path, trees, 0.25)
    for candidate in (scope, older):
        assert candidate.check[-2:] == (str(LIMIT), "25000 100000")
        with candidate.open("springbench-x") as opened:
            assert "--property=CPUQuota=25%" in opened.wrap(["java"])


def test_without_a_tree_for_cpu_time_the_limit_still_holds(tmp_path: Path) -> None:
    (candidate,) = groups_v1(LIMIT, [Hierarchy(1, frozenset({"memory"}), tmp_path, tmp_path)])
    with candidate.open("springbench-x") as opened:
        assert opened.cpu_time_s() is None


def scope_host(root: Path) -> list[Hierarchy]:
    (root / "run/systemd/system").mkdir(parents=True)
    return session(root, "/user.slice")


def test_a_user_gets_a_scope_of_their_own_manager(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    trees = scope_host(tmp_path)
    shell = FakeShell()
    shell.answer("systemctl", "--user", "show", stdout="/user.slice/x.scope\n")
    make_host(tmp_path, {"sys/fs/cgroup/user.slice/x.scope/cpu.stat": "usage_usec 7\n"})
    newer, older = scopes(LIMIT, shell, tmp_path, trees)
    with newer.open("springbench-x") as opened:
        command = opened.wrap(["java", "-jar"])
        assert opened.cpu_time_s() == 7e-6
        assert opened.cpu_time_s() == 7e-6
    assert command[:6] == [
        *("systemd-run", "--user", "--scope", "--quiet", "--collect"),
        "--unit=springbench-x.scope",
    ]
    assert {
        f"--property=MemoryMax={LIMIT}",
        "--property=MemorySwapMax=0",
        "--property=OOMPolicy=continue",
    } <= set(command)
    assert command[-2:] == ["java", "-jar"]
    assert not Path(command[-3]).exists()
    assert len(shell.calls) == 1, "where a scope is, is asked once"
    with older.open("springbench-y") as opened:
        assert not any("OOMPolicy" in word for word in opened.wrap(["java"]))


def test_the_pipe_of_a_killed_harness_is_removed_at_the_next_start(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    trees = scope_host(tmp_path)
    _, _, started, namespace, *_ = group_name("x").split("-")
    left = tmp_path / f"springbench-{2**22 + 1}-{started}-{namespace}-1-case.pipe"
    os.mkfifo(left)
    scope, _ = scopes(LIMIT, FakeShell(), tmp_path, trees)
    assert not left.exists()
    with scope.open(group_name("mine")):
        assert len(list(scopes(LIMIT, FakeShell(), tmp_path, trees))) == 2
        assert len(list(tmp_path.glob("*.pipe"))) == 1
    assert list(tmp_path.glob("*.pipe")) == []


def test_root_gets_a_scope_of_the_system(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    trees = scope_host(tmp_path)
    scope, _ = scopes(LIMIT, FakeShell(), tmp_path, trees)
    with scope.open("springbench-x") as opened:
        assert "--user" not in opened.wrap(["java"])


def test_a_scope_is_taken_only_after_the_kernel_has_shown_its_limit(tmp_path: Path) -> None:
    scope_host(tmp_path)
    shell = FakeShell()
    assert choose_memory_limit(LIMIT, shell, tmp_path).how == "systemd scope"
    assert any(f"sh {tmp_path}/sys/fs/cgroup {LIMIT}" in command for command in shell.commands)
    shell.answer("systemd-run", code=1, stderr="Failed to connect to bus")
    assert choose_memory_limit(LIMIT, shell, tmp_path).how == "flags of the JVM"
    shell.answer("systemd-run", error=subprocess.TimeoutExpired(["systemd-run"], 10))
    assert choose_memory_limit(LIMIT, shell, tmp_path).how == "flags of the JVM"


def test_an_older_systemd_that_knows_no_policy_for_scopes_still_serves(tmp_path: Path) -> None:
    scope_host(tmp_path)

    class Older(FakeShell):
        def run(self, command, **options):  # type: ignore[no-untyped-def]
            done = super().run(command, **options)
            refused = any("OOMPolicy" in word for word in command)
            return type(done)(int(refused), done.stdout, done.stderr)

    assert choose_memory_limit(LIMIT, Older(), tmp_path).how == "systemd scope"


def test_groups_where_systemd_does_not_run(tmp_path: Path) -> None:
    session(tmp_path, "/")
    controllers(tmp_path, "", "memory", "memory")
    shell = FakeShell()
    assert choose_memory_limit(LIMIT, shell, tmp_path).how == "cgroup v2"
    shell.answer("sh", code=125, stderr="cannot create cgroup.procs: Permission denied")
    assert choose_memory_limit(LIMIT, shell, tmp_path).how == "flags of the JVM"


def test_a_name_is_safe_and_says_whose_it_is() -> None:
    name = group_name("boot4-tomcat/pay/3000 §")
    assert name.startswith(f"springbench-{os.getpid()}-")
    assert name.endswith("-boot4-tomcat-pay-3000")
    assert group_name("x") != group_name("x")
    assert group_name("/").endswith("-group")
    assert len(group_name("x" * 500)) < 200


def test_only_groups_of_the_dead_are_swept(tmp_path: Path) -> None:
    living_group = group_name("alive")
    _, pid, started, namespace, *_ = living_group.split("-")
    dead = 2**22 + 1  # above the largest id that the kernel gives
    orphans = [
        f"springbench-{dead}-{started}-{namespace}-1-case",
        f"springbench-{dead}-{started}-{namespace}-1-case.scope",
        f"springbench-{pid}-{int(started) + 1}-{namespace}-1-id-given-again",
    ]
    retained = [
        living_group,
        f"springbench-{dead}-{started}-{int(namespace) + 1}-1-of-a-container",
        "springbench-notes",
        "user.slice",
    ]
    for name in (*orphans, *retained):
        (tmp_path / "deep" / name).mkdir(parents=True)
    assert sorted(sweep([tmp_path])) == sorted(orphans)
    assert sorted(folder.name for folder in (tmp_path / "deep").iterdir()) == sorted(retained)
