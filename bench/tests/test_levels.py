"""The set-up of the tests themselves: exclusive ones are alone, and each has one level."""

from __future__ import annotations

import itertools
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from springbench.paths import ROOT

TESTS = """\
import json, os, time
from pathlib import Path
import pytest
from tests.levels import pytest_collection_modifyitems, pytest_runtest_protocol

def note(name):
    began = time.monotonic()
    time.sleep({nap_s})
    with open({log!r}, "a") as log:
        log.write(json.dumps([name, began, time.monotonic()]) + "\\n")

@pytest.mark.exclusive
@pytest.mark.parametrize("n", range(3))
def test_alone(n):
    note("alone")

@pytest.mark.parametrize("n", range(12))
def test_beside(n):
    note("beside")
"""


@pytest.mark.process
def test_exclusive_tests_run_while_no_other_does(tmp_path: Path) -> None:
    log = tmp_path / "log"
    for name in ("test_one.py", "test_two.py"):
        (tmp_path / name).write_text(TESTS.format(nap_s=0.05, log=str(log)))
    (tmp_path / "conftest.py").write_text(
        "from tests.levels import pytest_collection_modifyitems, pytest_runtest_protocol\n"
    )
    (tmp_path / "pytest.ini").write_text("[pytest]\nmarkers = exclusive: alone\n")
    environment = {k: v for k, v in os.environ.items() if not k.startswith("PYTEST_")}
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-n", "3", "-p", "no:cacheprovider", str(tmp_path)],
        cwd=tmp_path,
        env={**environment, "PYTHONPATH": str(ROOT / "bench")},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout
    ran = [json.loads(line) for line in log.read_text().splitlines()]
    assert len(ran) == 30
    alone = [(began, ended) for name, began, ended in ran if name == "alone"]
    for begin, end in alone:
        overlapping = [test_run for test_run in ran if test_run[1] < end and test_run[2] > begin]
        assert len(overlapping) == 1
    # the others did not have to: several ran at once
    shared_runs = sorted((began, ended) for name, began, ended in ran if name == "beside")
    assert any(second[0] < first[1] for first, second in itertools.pairwise(shared_runs))


def test_every_test_that_starts_processes_has_a_level(request: pytest.FixtureRequest) -> None:
    """What asks for a tool, a jar or a second host is no unit test."""
    costly = {"tools", "jars", "other_host"}
    wrong = [
        item.nodeid
        for item in request.session.items
        if costly & set(getattr(item, "fixturenames", ()))
        and not (item.get_closest_marker("process") or item.get_closest_marker("system"))
    ]
    assert wrong == []


@pytest.mark.process
def test_a_unit_test_that_starts_a_process_fails(tmp_path: Path) -> None:
    (tmp_path / "test_one.py").write_text(
        "import subprocess\nimport pytest\n"
        "def test_unit():\n    subprocess.run(['true'])\n"
        "@pytest.mark.process\ndef test_process():\n    subprocess.run(['true'])\n"
    )
    (tmp_path / "conftest.py").write_text(
        "from tests.levels import pytest_collection_modifyitems, pytest_runtest_protocol\n"
    )
    (tmp_path / "pytest.ini").write_text("[pytest]\nmarkers = process: one\n")
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", str(tmp_path)],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(ROOT / "bench")},
        capture_output=True,
        text=True,
        check=False,
    )
    assert "1 failed, 1 passed" in done.stdout
    assert "mark this one with pytest.mark.process" in done.stdout
