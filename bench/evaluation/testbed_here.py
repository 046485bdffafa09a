"""A testbed on this host for servers that are built already; callers add services."""

from __future__ import annotations

from pathlib import Path

from springbench.host.shell import RealShell
from springbench.measure.testbed import Testbed
from springbench.run.host import Host
from springbench.run.testbed import prepare_testbed
from springbench.run.tools import Tools, find_tools


def testbed_here(jars: Path, raw: Path) -> tuple[Testbed, Host, Tools]:
    """Servers from a folder of jars; this process moves away from their CPUs."""
    shell, tools = RealShell(), find_tools(with_maven=False)
    host = Host.read(shell)
    host.pin_harness()
    return prepare_testbed(host, tools, shell, raw, jars=jars.resolve()), host, tools
