"""A command that ends with the process that started it, however early that one dies."""

from __future__ import annotations

import functools
import os
import shutil
import subprocess
import sys

import pytest

from springbench.host.ends_with import ends_with_this
from tests.processes import is_gone, until

pytestmark = [
    pytest.mark.process,
    pytest.mark.skipif(
        not (sys.platform.startswith("linux") and shutil.which("setpriv")),
        reason="only Linux with setpriv tells a process that its parent is gone",
    ),
]
# ends at once, whether or not what it started has got to its own first instruction
STARTER = """
import os, subprocess, sys, time
from springbench.host.ends_with import ends_with_this
child = subprocess.Popen([*ends_with_this("KILL"), "sleep", "600"], stdout=subprocess.DEVNULL)
time.sleep(float(sys.argv[1]))
print(child.pid, flush=True)
os._exit(0)
"""


@pytest.mark.parametrize("after_s", [0, 0.001, 0.003, 0.2])
def test_it_ends_with_its_parent(after_s: float) -> None:
    for _ in range(5):
        out = subprocess.check_output([sys.executable, "-c", STARTER, str(after_s)], text=True)
        assert until(functools.partial(is_gone, int(out)), 20.0)


def test_who_was_gone_before_it_could_be_watched_is_seen() -> None:
    """As if its parent had died between the start and the first helper: it has another one."""
    prefix = ends_with_this("KILL")
    other = ["1" if word == str(os.getpid()) else word for word in prefix]
    assert other != prefix
    done = subprocess.run([*other, "echo", "lives"], capture_output=True, check=False)
    assert (done.returncode, done.stdout) == (-9, b"")


def test_its_words_and_its_process_id_are_the_commands_own() -> None:
    text = "import os, sys; print(os.getpid(), sys.argv[1:])"
    words = [sys.executable, "-c", text, "a b", "$0", ""]
    with subprocess.Popen([*ends_with_this("KILL"), *words], stdout=subprocess.PIPE) as process:
        out, _ = process.communicate()
    assert out.decode() == f"{process.pid} {words[3:]}\n"


def test_a_command_that_is_not_there_is_reported_as_ever() -> None:
    done = subprocess.run(
        [*ends_with_this("KILL"), "./nowhere"], capture_output=True, text=True, check=False
    )
    assert done.returncode == 127
    assert "./nowhere: No such file" in done.stderr
