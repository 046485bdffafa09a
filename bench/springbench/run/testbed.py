"""The testbed of a run, a comparison or a self-check, from what was found on the host."""

from __future__ import annotations

from pathlib import Path

from springbench.host.shell import Shell
from springbench.measure.testbed import Testbed
from springbench.paths import ROOT
from springbench.run.host import Host
from springbench.run.tools import Tools


def prepare_testbed(
    host: Host,
    tools: Tools,
    shell: Shell,
    raw: Path,
    *,
    jars: Path | None = None,
    port: int | None = None,
) -> Testbed:
    """A testbed that can measure; services, observer and what runtimes make are added to it.

    `raw` is where raw output goes; `jars` a folder with built jars, instead of the modules' own.
    """
    return Testbed(
        root=ROOT,
        raw=raw,
        java=tools.jdk.java,
        java_major=tools.jdk.major or None,
        wrk=tools.wrk.path,
        oha=tools.oha.path if tools.oha else None,
        shell=shell,
        cpus=host.cpus,
        memory_limit=host.memory_limit,
        jars=jars,
        port=port,
        load_host=host.load_host.party if host.load_host else None,
        helpers=(host.load_host.connection.pid,) if host.load_host else (),
    )
