"""What is seen between two looks at a host, and on trees that tell more or less."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest

from springbench.host.facts.activity import (
    SAMPLE_INTERVAL_S,
    Activity,
    Processes,
    governors,
    power_source,
    running_processes,
)
from tests.host.facts.test_facts import make_host

STAT = "cpu  {user} 0 100 {idle} 5 0 5 {steal} 70 0\ncpu0 1 2 3 4 5 6 7 8 9 10\n"
THROTTLED = "sys/devices/system/cpu/cpu{cpu}/thermal_throttle/core_throttle_count"


def none() -> Processes:
    return {}


def test_two_looks_tell_what_lies_between(tmp_path: Path) -> None:
    first = {"proc/stat": STAT.format(user=1000, idle=8880, steal=10)}
    second = {"proc/stat": STAT.format(user=1050, idle=9020, steal=20)}
    make_host(tmp_path, {**first, THROTTLED.format(cpu=0): "3\n", THROTTLED.format(cpu=1): "0\n"})
    pauses: list[float] = []

    def pause(span_s: float) -> None:
        pauses.append(span_s)
        make_host(tmp_path, {**second, THROTTLED.format(cpu=1): "2\n"})

    seen = Activity.watch(tmp_path, processes=none, pause=pause)

    assert pauses == [SAMPLE_INTERVAL_S]
    assert seen.steal_ratio == pytest.approx(10 / 200)
    assert seen.steal_ratio_since_boot == pytest.approx(20 / 10_200)
    assert (seen.after.throttled, seen.throttled) == (5, 2)


def test_a_silent_host_is_not_guessed_at(tmp_path: Path) -> None:
    seen = Activity.watch(tmp_path, processes=none, pause=lambda _: None)
    assert (seen.steal_ratio, seen.steal_ratio_since_boot) == (None, None)
    assert (seen.after.throttled, seen.throttled) == (None, 0)
    assert seen.busy == []
    assert power_source(tmp_path) is None
    assert governors(tmp_path) == {}


def test_an_old_kernel_without_steal_is_silent_about_it(tmp_path: Path) -> None:
    make_host(tmp_path, {"proc/stat": "cpu  1 2 3 4 5 6 7\n"})
    assert Activity.watch(tmp_path, processes=none, pause=lambda _: None).steal_ratio is None


def test_who_worked_between_the_looks_the_busiest_first(tmp_path: Path) -> None:
    looks = iter(
        [
            {1: ("init", 5.0), 7: ("java", 100.0), 8: ("gone", 1.0), 9: ("cc1", 2.0)},
            {1: ("init", 5.0), 7: ("java", 101.0), 9: ("cc1", 5.0), 10: ("new", 9.0)},
        ]
    )
    seen = Activity.watch(
        tmp_path, processes=lambda: next(looks), pause=lambda _: time.sleep(0.01)
    ).busy
    assert [(process.pid, process.name) for process in seen] == [(9, "cc1"), (7, "java")]
    assert seen[0].cpu_ratio == pytest.approx(3 * seen[1].cpu_ratio)


def test_this_process_is_not_its_own_neighbour() -> None:
    found = running_processes()
    assert os.getpid() not in found
    assert os.getppid() in found


def test_each_governor_is_counted(tmp_path: Path) -> None:
    cpufreq = "sys/devices/system/cpu/cpufreq/policy{}/scaling_governor"
    texts = ("powersave\n", "powersave\n", "performance\n")
    make_host(tmp_path, {cpufreq.format(at): text for at, text in enumerate(texts)})
    assert governors(tmp_path) == {"powersave": 2, "performance": 1}


def test_an_older_kernel_has_a_governor_for_each_cpu(tmp_path: Path) -> None:
    make_host(tmp_path, {"sys/devices/system/cpu/cpu3/cpufreq/scaling_governor": "ondemand\n"})
    assert governors(tmp_path) == {"ondemand": 1}


@pytest.mark.parametrize(
    ("supplies", "source"),
    [
        ({}, "no battery"),
        ({"AC/type": "Mains", "AC/online": "1"}, "no battery"),
        ({"BAT0/type": "Battery", "BAT0/status": "Full"}, "mains"),
        ({"BAT0/type": "Battery", "BAT0/status": "Discharging"}, "battery"),
        (
            {
                "BAT0/type": "Battery",
                "BAT0/status": "Discharging",
                "AC/type": "Mains",
                "AC/online": "1",
            },
            "mains",
        ),
        (
            {"mouse/type": "Battery", "mouse/scope": "Device", "mouse/status": "Discharging"},
            "no battery",
        ),
    ],
)
def test_where_the_power_comes_from(tmp_path: Path, supplies: dict[str, str], source: str) -> None:
    folder = tmp_path / "sys/class/power_supply"
    folder.mkdir(parents=True)
    make_host(folder, {name: f"{text}\n" for name, text in supplies.items()})
    assert power_source(tmp_path) == source
