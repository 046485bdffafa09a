"""The compiler threads of a process: distinguished by their names, moved alone."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from springbench.host.ports import free_port
from springbench.host.tools.find import jdks
from springbench.measure.readings.perfdata import is_there
from springbench.measure.server.compilers import FIRST_NICE, SEARCH_EVERY_S, Compilers

PID = 4711
# a process that keeps one thread busy under the name of a compiler, and another under no such name
BUSY = """
import ctypes, threading, time
def work(name):
    ctypes.CDLL(None).prctl(15, name, 0, 0, 0)
    while True:
        sum(range(10_000))
for name in (b"C2 CompilerThread0", b"http-nio-worker"):
    threading.Thread(target=work, args=(name,), daemon=True).start()
time.sleep(60)
"""
linux_only = pytest.mark.skipif(
    not sys.platform.startswith("linux"), reason="only Linux tells of the threads of a process"
)


def thread(proc: Path, number: int, name: str, cpu_s: float | None, ticks: str = "") -> Path:
    """A thread as /proc shows it; `ticks` for a kernel without statistics of its scheduler."""
    folder = proc / str(PID) / "task" / str(number)
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "comm").write_text(f"{name}\n")
    if cpu_s is not None:
        (folder / "schedstat").write_text(f"{round(cpu_s * 1e9)} 5 6\n")
    if ticks:
        (folder / "stat").write_text(f"{number} ({name}) S 1 1 1 0 -1 0 0 0 0 0 {ticks} 0 0 20 0\n")
    return folder


@pytest.mark.parametrize(
    "name",
    [
        "C1 CompilerThre",
        "C2 CompilerThre",
        "C1 Comp..hread0",
        "C2 Comp..read12",
        "JVMCI CompilerT",
        "JVMCI C..hread0",
        "JIT Compilation",
    ],
)
def test_compilers_are_known_by_the_names_of_their_threads(tmp_path: Path, name: str) -> None:
    thread(tmp_path, 1, "java", 9.0)
    thread(tmp_path, 2, name, 1.5)
    thread(tmp_path, 3, "C2 client", 9.0)
    assert Compilers(PID, tmp_path).cpu_time_s() == pytest.approx(1.5)


def test_a_process_without_any_tells_nothing(tmp_path: Path) -> None:
    thread(tmp_path, 1, "server", 9.0)
    assert Compilers(PID, tmp_path).cpu_time_s() is None
    assert Compilers(PID + 1, tmp_path).cpu_time_s() is None


def test_a_kernel_without_statistics_tells_it_in_ticks(tmp_path: Path) -> None:
    hertz = os.sysconf("SC_CLK_TCK")
    thread(tmp_path, 2, "C1 CompilerThre", None, ticks=f"{2 * hertz} {hertz}")
    # a name with a bracket and blanks in it
    thread(tmp_path, 3, "C2 CompilerThre", None, ticks=f"{hertz} {hertz}")
    assert Compilers(PID, tmp_path).cpu_time_s() == pytest.approx(5.0)


def test_what_a_thread_had_is_kept_when_it_ends(tmp_path: Path) -> None:
    thread(tmp_path, 2, "C1 CompilerThre", 1.0)
    second = thread(tmp_path, 3, "C2 CompilerThre", 2.0)
    compilers = Compilers(PID, tmp_path)
    assert compilers.cpu_time_s() == pytest.approx(3.0)
    for file in second.iterdir():
        file.unlink()
    second.rmdir()
    thread(tmp_path, 2, "C1 CompilerThre", 1.25)
    assert compilers.cpu_time_s() == pytest.approx(3.25)


def test_a_thread_that_comes_later_is_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    now_s = 100.0
    monkeypatch.setattr("springbench.measure.server.compilers.time.monotonic", lambda: now_s)
    thread(tmp_path, 2, "C1 CompilerThre", 1.0)
    compilers = Compilers(PID, tmp_path)
    assert compilers.cpu_time_s() == pytest.approx(1.0)
    thread(tmp_path, 3, "C2 CompilerThre", 2.0)
    now_s += SEARCH_EVERY_S / 2
    assert compilers.cpu_time_s() == pytest.approx(1.0)
    now_s += SEARCH_EVERY_S
    assert compilers.cpu_time_s() == pytest.approx(3.0)


def test_who_has_work_is_known_by_the_state_of_its_thread(tmp_path: Path) -> None:
    thread(tmp_path, 2, "C1 CompilerThre", 1.0, ticks="0 0")
    second = thread(tmp_path, 3, "C2 CompilerThre", 1.0, ticks="0 0")
    compilers = Compilers(PID, tmp_path)
    assert compilers.cpu_time_s() == pytest.approx(2.0)
    assert compilers.runnable() == 0
    stat = (second / "stat").read_text()
    (second / "stat").write_text(stat.replace(") S ", ") R "))
    assert compilers.runnable() == 1


def test_those_of_a_server_that_is_held_to_its_cpus_are_never_moved(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    moved: list[int] = []
    for name in ("sched_setaffinity", "setpriority"):
        monkeypatch.setattr(os, name, lambda *words: moved.append(len(words)), raising=False)
    thread(tmp_path, 2, "C2 CompilerThre", 1.0)
    compilers = Compilers(PID, tmp_path, held=True)
    compilers.widen_affinity(frozenset({0}))
    compilers.restore_affinity(frozenset({1}))
    assert moved == []
    assert compilers.cpu_time_s() == pytest.approx(1.0)


@contextmanager
def busy() -> Iterator[int]:
    with subprocess.Popen([sys.executable, "-c", BUSY]) as process:
        try:
            yield process.pid
        finally:
            process.kill()


@pytest.mark.process
@linux_only
@pytest.mark.parametrize(("options", "unknown"), [([], False), (["-Xint"], True)])
def test_those_of_each_jdk_of_this_host_are_known(options: list[str], unknown: bool) -> None:
    # since 18 a JDK has a program that goes on: a server of files
    found = [jdk for jdk in jdks() if jdk.major >= 18]
    assert found
    for jdk in found:
        program = ["-m", "jdk.httpserver", "-b", "127.0.0.1", "-p", str(free_port())]
        with subprocess.Popen(
            [jdk.java, *options, *program], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        ) as process:
            try:
                compilers = Compilers(process.pid)
                until_s = time.monotonic() + 10
                while (compilers.cpu_time_s() is None) is not unknown or not is_there(process.pid):
                    assert time.monotonic() < until_s, jdk.version
                    time.sleep(0.05)
                assert compilers.are_unknown() is unknown, jdk.version
            finally:
                process.kill()


def named(pid: int, name: str) -> int | None:
    for task in Path(f"/proc/{pid}/task").iterdir():
        if (task / "comm").read_text().strip() == name:
            return int(task.name)
    return None


def found(pid: int, name: str) -> int:
    """The thread of that name, once it is there."""
    end_s = time.monotonic() + 20
    while (task := named(pid, name)) is None:
        assert time.monotonic() < end_s
        time.sleep(0.02)
    return task


@pytest.mark.process
@linux_only
def test_they_alone_are_moved_and_come_back() -> None:
    cpus = frozenset(os.sched_getaffinity(0))
    one_cpu = frozenset({min(cpus)})
    with busy() as pid:
        compiler, worker = found(pid, "C2 CompilerThre"), found(pid, "http-nio-worker")
        before = os.getpriority(os.PRIO_PROCESS, compiler)
        compilers = Compilers(pid)
        first_s = compilers.cpu_time_s()
        assert first_s is not None
        compilers.widen_affinity(one_cpu)
        assert os.sched_getaffinity(compiler) == one_cpu
        assert os.sched_getaffinity(worker) == cpus
        assert os.getpriority(os.PRIO_PROCESS, worker) == before
        if os.geteuid() == 0:
            assert os.getpriority(os.PRIO_PROCESS, compiler) == FIRST_NICE
        end_s = time.monotonic() + 20
        while (compilers.cpu_time_s() or 0.0) <= first_s:
            assert time.monotonic() < end_s
            time.sleep(0.02)
        compilers.restore_affinity(cpus)
        assert os.sched_getaffinity(compiler) == cpus
        assert os.getpriority(os.PRIO_PROCESS, compiler) == 0
    # a process that has ended has nobody to be moved
    compilers.widen_affinity(one_cpu)
