"""A bench on this host for servers that are built already; who needs a party adds it."""

from __future__ import annotations

from pathlib import Path

from springbench.host.shell import RealShell
from springbench.measure.testbed import Bench
from springbench.paths import ROOT
from springbench.run.host import Host, Tools, find_tools


def workbench(jars: Path, raw: Path) -> tuple[Bench, Host, Tools]:
    """Servers from a folder of jars; this process moves away from their CPUs."""
    shell, tools = RealShell(), find_tools(with_maven=False)
    host = Host.read(shell)
    host.pin_harness()
    bench = Bench(
        root=ROOT,
        raw=raw,
        java=tools.jdk.java,
        wrk=tools.wrk.path,
        shell=shell,
        cpus=host.cpus,
        jars=jars.resolve(),
        enclosure=host.enclosure,
    )
    return bench, host, tools
