"""The disk with the results is full: one clear line, and what was saved before is whole."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from springbench.errors import ConfigurationError
from springbench.results.store import load_run
from tests.conftest import left_behind
from tests.processes import QUICK, faulty, on_fakes, running

pytestmark = pytest.mark.system

FIRST, SECOND = faulty("fine"), faulty("fine", 9)
SIZE = 512 << 10


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """The folder of the results, on a file system of half a megabyte."""
    folder = tmp_path / "results"
    folder.mkdir()
    if not sys.platform.startswith("linux") or os.geteuid() != 0:
        pytest.skip("only root on Linux can mount a small disk")
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", f"size={SIZE}", "tmpfs", folder],
        capture_output=True,
        text=True,
        check=False,
    )
    if mounted.returncode:
        pytest.skip(f"this host lets nobody mount a small disk: {mounted.stderr.splitlines()[:1]}")
    yield folder
    subprocess.run(["umount", folder], check=True)


def test_a_full_disk_ends_the_run_and_leaves_what_was_saved(
    tmp_path: Path, small_disk: Path
) -> None:
    filler = small_disk / "filler"
    options = (*on_fakes(FIRST, SECOND), "--profile", "faults")
    with running(tmp_path, *options, patch=QUICK) as springbench:
        springbench.wait_until(lambda: _measured(small_disk) == 1)
        _fill(filler)
        code, _, err = springbench.end()
    assert code == 3
    assert err == (
        f"springbench: {small_disk}: No space left on device; what was saved before is whole: "
        f"make room, then go on with `springbench run --resume {small_disk}/latest`\n"
    )
    assert left_behind() == []
    assert _measured(small_disk) == 1
    [first] = load_run(small_disk / "latest").results
    assert (first.case, first.status) == (FIRST, "ok")
    assert sorted(entry.name for entry in (small_disk / "latest").iterdir()) == ["raw", "run.json"]

    # what the line says is true
    filler.unlink()
    resume = (*on_fakes(), "--resume", small_disk / "latest")
    with running(tmp_path, *resume, patch=QUICK) as springbench:
        code, _, err = springbench.end()
    assert (code, err) == (0, "")
    # with a report page, where there is room for it too
    assert springbench.statuses == {FIRST: "ok", SECOND: "ok"}
    assert springbench.run.results[0].forks == first.forks


def _measured(results: Path) -> int:
    """How many cases `run.json` has."""
    try:
        return len(load_run(results / "latest").results)
    except ConfigurationError:
        return 0


def _fill(file: Path) -> None:
    with pytest.raises(OSError, match="No space left"), file.open("wb", buffering=0) as stream:
        while True:
            stream.write(b"x" * 4096)
