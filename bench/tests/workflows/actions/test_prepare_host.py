"""prepare-host and restore-host, on a made-up host."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.workflows.actions.scripts import script

GOVERNOR = "sys/devices/system/cpu/cpu{}/cpufreq/scaling_governor"
PAGES = "sys/kernel/mm/transparent_hugepage/enabled"


@pytest.fixture
def host(tmp_path: Path) -> dict[str, Path]:
    root = tmp_path / "host"
    for number in (0, 1):
        switch(root / GOVERNOR.format(number), "powersave")
    switch(root / PAGES, "[always] madvise never")
    return {"HOST_ROOT": root, "STATE": tmp_path / "state" / "host.state"}


def switch(file: Path, value: str) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(f"{value}\n", encoding="utf-8")


def value(host: dict[str, Path], name: str) -> str:
    return (host["HOST_ROOT"] / name).read_text(encoding="utf-8").strip()


def test_what_was_changed_is_put_back(host: dict[str, Path]) -> None:
    done = script("prepare-host/prepare.sh", **host)
    assert (done.returncode, done.stderr) == (0, "")
    assert value(host, GOVERNOR.format(1)) == "performance"
    assert value(host, PAGES) == "madvise"
    assert "frequency governor: 'powersave' is now 'performance'" in done.stdout
    restored = script("restore-host/restore.sh", **host)
    assert (restored.returncode, restored.stderr) == (0, "")
    assert value(host, GOVERNOR.format(0)) == "powersave"
    assert value(host, PAGES) == "always"
    assert not host["STATE"].exists()


def test_a_job_that_was_killed_does_not_make_its_values_the_hosts(host: dict[str, Path]) -> None:
    script("prepare-host/prepare.sh", **host)
    again = script("prepare-host/prepare.sh", **host)
    assert "an earlier job did not restore this host" in again.stdout
    script("restore-host/restore.sh", **host)
    assert value(host, GOVERNOR.format(0)) == "powersave"


@pytest.mark.skipif(os.getuid() == 0, reason="root may write everything")
def test_what_may_not_be_written_is_named_and_left(host: dict[str, Path]) -> None:
    (host["HOST_ROOT"] / PAGES).chmod(0o444)
    done = script("prepare-host/prepare.sh", **host)
    assert done.returncode == 0
    assert "left at 'always'" in done.stdout


def test_a_host_without_these_switches_is_left_alone(tmp_path: Path) -> None:
    place = {"HOST_ROOT": tmp_path / "none", "STATE": tmp_path / "state" / "host.state"}
    done = script("prepare-host/prepare.sh", **place)
    assert (done.returncode, done.stdout) == (0, "")
    assert script("restore-host/restore.sh", **place).returncode == 0
