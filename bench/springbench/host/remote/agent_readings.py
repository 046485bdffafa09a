"""Readings of another host, taken there by `agent.py`.

For any Python from 3.8 on, with nothing but its standard library.
"""

from __future__ import annotations

import os
import platform
import resource
import socket
import time
from pathlib import Path
from typing import Any

# by its whole name: the package itself is not there
from springbench.host.facts.cpu_times import cpu_times
from springbench.host.topology import core_kinds

_SCHEDULER_CLOCK = 2
_PIECE_BYTES = 1 << 16


def look(pid: int) -> dict[str, Any]:
    """Bytes that a process has read, its writes and its CPU time, with the time of looking."""
    lines = read(f"/proc/{pid}/io").splitlines()
    at_s = time.perf_counter()
    counters = {name: int(value) for name, value in (line.split(": ") for line in lines)}
    read_bytes, requests = counters.get("rchar"), counters.get("syscw")
    return {"at": at_s, "read": read_bytes, "requests": requests, "cpu": cpu_time_s(pid)}


def cpu_time_s(pid: int) -> float | None:
    """CPU time of a process, as measure/readings/cputime.py has it; None once it is gone."""
    try:
        return time.clock_gettime((~pid << 3) | _SCHEDULER_CLOCK)
    except OSError:
        return None


def host_times(cpus: frozenset[int], ours: list[int]) -> dict[str, Any]:
    """What the hypervisor took of these CPUs, and what programs had there that are none of ours.

    In seconds since some moment; none where nothing tells.
    """
    times = cpu_times(cpus)
    if times is None:
        return {"stolen": None, "others": None}
    ours_s = time.process_time() + sum(cpu_time_s(pid) or 0.0 for pid in ours)
    return {"stolen": times.stolen_s, "others": times.worked_s - ours_s}


def catches(pid: int, number: int) -> bool:
    """Whether a process has a handler for a signal by now; True where nothing tells."""
    lines = read(f"/proc/{pid}/status").splitlines()
    caught = next((line.split()[1] for line in lines if line.startswith("SigCgt:")), None)
    return caught is None or bool(int(caught, 16) >> (number - 1) & 1)


def link_figures(link: socket.socket, round_trips: int, for_s: float) -> dict[str, Any]:
    """Seconds of the median round trip of a byte, and bytes a second that come this way."""
    times_s = []
    for _ in range(round_trips):
        begin_s = time.perf_counter()
        link.sendall(b"e")
        if not link.recv(1):
            raise OSError("the other end has closed the link")
        times_s.append(time.perf_counter() - begin_s)
    link.sendall(b"d")
    begin_s, received_bytes = time.perf_counter(), 0
    while time.perf_counter() - begin_s < for_s:
        piece = link.recv(_PIECE_BYTES)
        if not piece:
            break
        received_bytes += len(piece)
    took_s = time.perf_counter() - begin_s
    return {
        "round_trip_s": sorted(times_s)[len(times_s) // 2],
        "bytes_per_s": received_bytes / took_s,
    }


def facts() -> dict[str, Any]:
    """This host, as far as a load asks. The limit of open files is raised as far as it may be."""
    usable = os.sched_getaffinity(0) if hasattr(os, "sched_getaffinity") else set()
    _, files = resource.getrlimit(resource.RLIMIT_NOFILE)
    # each connection is a file
    resource.setrlimit(resource.RLIMIT_NOFILE, (files, files))
    return {
        "system": platform.system(),
        "kernel": platform.release(),
        "python": platform.python_version(),
        "cpu_model": _cpu_model(),
        "kinds": [[sorted(core) for core in kind] for kind in core_kinds(usable)],
        "memory_bytes": os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES"),
        "files": files,
        "ports": [int(port) for port in read("/proc/sys/net/ipv4/ip_local_port_range").split()],
        "cache": str(
            Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache", "springbench")
        ),
        "ssh_connection": os.environ.get("SSH_CONNECTION", "").split(),
    }


def _cpu_model() -> str:
    for line in read("/proc/cpuinfo").splitlines():
        name, _, value = line.partition(":")
        if name.strip() in ("model name", "Model"):
            return value.strip()
    return platform.processor()


def read(path: str) -> str:
    """A file's text; empty where there is none."""
    try:
        return Path(path).read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""
