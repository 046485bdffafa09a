"""What is read of hyperfine's export."""

from __future__ import annotations

from springbench.harnesses import hyperfine
from tests.harnesses import samples


def test_a_command_has_its_times_and_a_value_for_each_run() -> None:
    memory = samples.hyperfine(memory_usage_byte=[1024, 2048, 3072], parameters={"jobs": "4"})
    found = hyperfine.read({"results": [memory]}).found
    assert [
        (measurement.figure, measurement.value, list(measurement.values)) for measurement in found
    ] == [
        ("time", 2.0, [1.9, 2.0, 2.1]),
        ("user time", 1.5, []),
        ("system time", 0.25, []),
        ("peak memory", 2048.0, [1024.0, 2048.0, 3072.0]),
    ]
    assert {measurement.title.split(", ")[1] for measurement in found} == {"jobs=4"}


def test_a_command_of_which_a_run_failed_is_left_out() -> None:
    failed = samples.hyperfine(command="false", exit_codes=[0, 1, None])
    results = hyperfine.read({"results": [failed, samples.hyperfine()]})
    assert {measurement.benchmark for measurement in results.found} == {"mvn package"}
    assert results.left_out == [
        "false is left out: 2 of 3 runs failed (they ended by a signal, with 1); repair the "
        "command, and leave --ignore-failure out"
    ]
