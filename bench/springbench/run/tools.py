"""The programs that a run needs, or what brings them where they are missing."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from springbench.build.oha import provide_oha
from springbench.errors import HostError
from springbench.host.shell import Shell
from springbench.host.tools.find import NO_JDK, Jdk, Tool, find_jdk, find_maven, find_wrk
from springbench.host.tools.packages import remedy
from springbench.host.tools.platforms import this_platform
from springbench.plan.plan import Plan
from springbench.results.run import Caution

_NAMES = {"jdk": "a JDK 25 or newer", "wrk": "wrk", "maven": "Maven 3.8 or newer"}


@dataclass(frozen=True)
class Tools:
    """The programs that a run needs. Maven is there only when something is to be built, oha only
    where a load at a constant rate is asked for.

    The JDK is `NO_JDK` where nothing asks for one and there is none.
    """

    jdk: Jdk
    wrk: Tool
    maven: Tool | None
    oha: Tool | None = None

    @property
    def builder(self) -> Tool:
        """Maven, where a build is asked for. Raises `HostError` where there is none."""
        if self.maven is None:
            raise HostError(_missing("maven"))
        return self.maven


def find_tools(*, with_maven: bool, with_java: bool = True) -> Tools:
    """The tools of this host. Raises `HostError` with a line for each that is missing.

    Without `with_java` neither a JDK nor Maven is asked for; they are used where both are there.
    """
    jdk, wrk = find_jdk(), find_wrk()
    maven = find_maven() if with_maven else None
    if not with_java and (jdk is None or (with_maven and maven is None)):
        jdk, maven, with_maven = NO_JDK, None, False
    needed = {"jdk": jdk, "wrk": wrk} | ({"maven": maven} if with_maven else {})
    missing = [name for name, found in needed.items() if found is None]
    if jdk is None or wrk is None or missing:
        raise HostError("\n".join(map(_missing, missing)))
    return Tools(jdk, wrk, maven)


def with_oha(
    tools: Tools, plan: Plan, shell: Shell, tell: Callable[[str], None]
) -> tuple[Tools, list[Caution]]:
    """Tools with oha where the plan asks for constant rates; without it all else is measured."""
    if not plan.has_rates:
        return tools, []
    try:
        return replace(tools, oha=provide_oha(shell, tell)), []
    except HostError as error:
        caution = Caution(
            code="no-constant-rate",
            message=f"nothing was measured at a constant rate: {error}",
        )
        tell(f"warning: {caution.message}")
        return tools, [caution]


def _missing(name: str) -> str:
    return f"missing: {_NAMES[name]}; {remedy(name, this_platform())}"
