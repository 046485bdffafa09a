"""Which cores are of one kind, by the files of real machines."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from springbench.host.topology import core_kinds

Values = Mapping[int, int]


def machine(
    root: Path,
    online: str,
    pairs: int = 0,
    *,
    types: Mapping[str, str] | None = None,
    **values: Values,
) -> Path:
    """The files of one whose first `pairs` of CPUs are threads of one core each.

    `types` are Intel's kinds; a value for each CPU by the name of its file, `/` as `__`.
    """
    topology = root / "sys/devices/system/cpu"
    write(topology / "online", online)
    for core in range(pairs):
        both = f"{2 * core}-{2 * core + 1}"
        for cpu in (2 * core, 2 * core + 1):
            write(topology / f"cpu{cpu}/topology/thread_siblings_list", both)
    for name, cpus in (types or {}).items():
        write(root / "sys/devices" / name / "cpus", cpus)
    for name, by_cpu in values.items():
        for cpu, value in by_cpu.items():
            write(topology / f"cpu{cpu}" / name.replace("__", "/"), str(value))
    return topology


def write(file: Path, text: str) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text + "\n", encoding="ascii")


def values_by_cpu(*values: tuple[int, int]) -> dict[int, int]:
    """So many CPUs in a row have a value."""
    listed = [value for count, value in values for _ in range(count)]
    return dict(enumerate(listed))


def kinds(topology: Path, usable: set[int]) -> list[list[int]]:
    """The usable CPUs of each kind."""
    return [sorted(cpu for core in kind for cpu in core) for kind in core_kinds(usable, topology)]


def span(first: int, last: int) -> list[int]:
    return list(range(first, last + 1))


CORE_ATOM = {"cpu_core": "0-3", "cpu_atom": "4-11"}
# by the boost that firmware ranks them with: the favoured core, the others, the second chiplet
RANKS_7950X = values_by_cpu(*((2, rank) for rank in range(236, 160, -5)))


@pytest.mark.parametrize(
    ("description", "expected"),
    [
        pytest.param(
            {
                "online": "0-11",
                "pairs": 2,
                "types": CORE_ATOM,
                "cpufreq__cpuinfo_max_freq": values_by_cpu((4, 5_000_000), (8, 3_700_000)),
            },
            [span(0, 3), span(4, 11)],
            id="i7-1355U",
        ),
        pytest.param(
            {
                "online": "0-31",
                "pairs": 8,
                "types": {"cpu_core": "0-15", "cpu_atom": "16-31"},
                # ITMT: two of the fast cores are clocked higher than the other six
                "cpufreq__cpuinfo_max_freq": values_by_cpu(
                    (8, 5_500_000), (4, 5_800_000), (4, 5_500_000), (16, 4_300_000)
                ),
            },
            [span(0, 15), span(16, 31)],
            id="i9-13900K",
        ),
        pytest.param(
            {
                "online": "0-21",
                "pairs": 6,
                "types": {"cpu_core": "0-11", "cpu_atom": "12-21"},
                "cpufreq__cpuinfo_max_freq": values_by_cpu(
                    (12, 4_800_000), (8, 3_800_000), (2, 2_500_000)
                ),
            },
            [span(0, 11), span(12, 19), span(20, 21)],
            id="Core Ultra 7 155H, with two cores of low power",
        ),
        pytest.param(
            {"online": "0-11", "pairs": 2, "types": CORE_ATOM},
            [span(0, 3), span(4, 11)],
            id="hybrid, without clock rates",
        ),
        pytest.param(
            {
                "online": "0-11",
                "pairs": 2,
                "cpufreq__cpuinfo_max_freq": values_by_cpu((4, 5_000_000), (8, 3_700_000)),
            },
            [span(0, 3), span(4, 11)],
            id="hybrid, by its clock rates alone",
        ),
        pytest.param(
            {"online": "0-7", "cpu_capacity": values_by_cpu((4, 414), (2, 1024), (2, 1002))},
            [span(4, 7), span(0, 3)],
            id="RK3588",
        ),
        pytest.param(
            {"online": "0-7", "cpu_capacity": values_by_cpu((4, 459), (4, 1024))},
            [span(4, 7), span(0, 3)],
            id="Apple M1",
        ),
        pytest.param(
            {"online": "0-7", "cpu_capacity": values_by_cpu((4, 250), (3, 871), (1, 1024))},
            [[7], span(4, 6), span(0, 3)],
            id="Snapdragon 865: three capacities",
        ),
        pytest.param(
            {
                "online": "0-5",
                "cpu_capacity": values_by_cpu((6, 1024)),
                "cpufreq__cpuinfo_max_freq": values_by_cpu((4, 1_416_000), (2, 1_800_000)),
            },
            [span(4, 5), span(0, 3)],
            id="a device tree without capacities",
        ),
        pytest.param(
            {
                "online": "0-11",
                "cpu_capacity": values_by_cpu((12, 1024)),
                "cpufreq__cpuinfo_max_freq": values_by_cpu((8, 3_800_000), (4, 4_200_000)),
            },
            [span(0, 11)],
            id="Snapdragon X Elite: four favoured cores",
        ),
        pytest.param(
            {
                "online": "0-31",
                "pairs": 16,
                "cpufreq__cpuinfo_max_freq": values_by_cpu((16, 5_881_000), (16, 5_500_000)),
                "acpi_cppc__highest_perf": RANKS_7950X,
            },
            [span(0, 31)],
            id="7950X: preferred cores",
        ),
        pytest.param(
            {"online": "0-31", "pairs": 16, "acpi_cppc__highest_perf": RANKS_7950X},
            [span(0, 31)],
            id="7950X, by its ranks alone",
        ),
        pytest.param(
            {
                "online": "0-11",
                "pairs": 6,
                "cpufreq__cpuinfo_max_freq": values_by_cpu((4, 4_900_000), (8, 3_500_000)),
            },
            [span(0, 3), span(4, 11)],
            id="7545U: Zen 4 and Zen 4c",
        ),
        pytest.param(
            {
                "online": "0-11",
                "pairs": 6,
                "acpi_cppc__highest_perf": values_by_cpu((4, 196), (8, 132)),
            },
            [span(0, 3), span(4, 11)],
            id="Zen 4 and Zen 4c, by ranks alone",
        ),
        pytest.param({"online": "0-63", "pairs": 32}, [span(0, 63)], id="a server that tells less"),
        pytest.param(
            {"online": "0-3", "cpufreq__cpuinfo_max_freq": {0: 5_000_000, 1: 3_000_000}},
            [span(0, 3)],
            id="some tell and others do not",
        ),
        pytest.param(
            {"online": "0-3", "cpu_capacity": values_by_cpu((2, 0), (2, 1024))},
            [span(0, 3)],
            id="a capacity of nothing",
        ),
    ],
)  # fmt: skip
def test_the_kinds_of_real_machines(
    tmp_path: Path, description: dict[str, object], expected: list[list[int]]
) -> None:
    topology = machine(tmp_path, **description)  # type: ignore[arg-type]
    assert kinds(topology, {cpu for kind in expected for cpu in kind}) == expected


def test_a_host_that_tells_nothing_has_one_kind_and_each_cpu_is_a_core(tmp_path: Path) -> None:
    assert core_kinds({0, 1, 5}, tmp_path / "nothing/here") == [
        [frozenset({0}), frozenset({1}), frozenset({5})]
    ]


def test_threads_of_a_core_stay_together(tmp_path: Path) -> None:
    topology = machine(tmp_path, "0-11", 2, types=CORE_ATOM)
    fast, slow = core_kinds(set(range(12)), topology)
    assert fast == [frozenset({0, 1}), frozenset({2, 3})]
    assert slow == [frozenset({cpu}) for cpu in range(4, 12)]


@pytest.mark.parametrize(
    ("usable", "found"),
    [
        ({0, 1, 4, 5}, [[0, 1], [4, 5]]),
        ({4, 5, 6}, [[], [4, 5, 6]]),
        ({1, 3}, [[1, 3], []]),
    ],
)
def test_a_container_has_some_of_the_cpus(
    tmp_path: Path, usable: set[int], found: list[list[int]]
) -> None:
    assert kinds(machine(tmp_path, "0-11", 2, types=CORE_ATOM), usable) == found


def test_the_best_and_the_worst_of_a_chip_are_of_one_kind_where_the_others_are_not_ours(
    tmp_path: Path,
) -> None:
    topology = machine(tmp_path, "0-31", 16, acpi_cppc__highest_perf=RANKS_7950X)
    assert kinds(topology, {0, 1, 30, 31}) == [[0, 1, 30, 31]]


def test_cpus_that_are_offline_count_for_nothing(tmp_path: Path) -> None:
    rates = {cpu: 5_000_000 if cpu < 4 else 3_700_000 for cpu in (0, 2, *range(4, 8))}
    topology = machine(
        tmp_path, "0,2,4-7", types={"cpu_core": "0,2"}, cpufreq__cpuinfo_max_freq=rates
    )
    assert kinds(topology, {0, 2, 4, 5, 6, 7}) == [[0, 2], [4, 5, 6, 7]]
