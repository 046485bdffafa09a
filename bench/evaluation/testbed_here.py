"""A testbed on this host for servers that are built already; callers add services."""

from __future__ import annotations

from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path

import typer

from evaluation.slowdown import Quota, with_quota
from springbench.host.shell import RealShell
from springbench.measure.testbed import Testbed
from springbench.plan.plan import Plan
from springbench.run.host import Host
from springbench.run.services import Services
from springbench.run.testbed import prepare_testbed
from springbench.run.tools import Tools, find_tools


def testbed_here(jars: Path, raw: Path) -> tuple[Testbed, Host, Tools]:
    """Servers from a folder of jars; this process moves away from their CPUs."""
    shell, tools = RealShell(), find_tools(with_maven=False)
    host = Host.read(shell)
    host.pin_harness()
    return prepare_testbed(host, tools, shell, raw, jars=jars.resolve()), host, tools


def slowed_testbed(plan: Plan, jars: Path, raw: Path, quota: Quota, stack: ExitStack) -> Testbed:
    """The same with the services that a plan needs, which end with `stack`, and a quota on each
    server."""
    testbed, host, tools = testbed_here(jars, raw)
    services = Services(stack, plan, tools, testbed.shell, host, raw, jars)
    slower = with_quota(host.memory_limit, quota) if quota.ratio < 1 else host.memory_limit
    return replace(
        testbed,
        memory_limit=slower,
        database=services.start_database(typer.echo),
        upstream=services.start_upstream(),
    )
