"""The programs that a run needs, or what brings them where they are missing."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from springbench.build.availability import needed_java
from springbench.build.oha import provide_oha
from springbench.errors import HostError
from springbench.host.shell import Shell
from springbench.host.tools.find import (
    MIN_JDK_MAJOR,
    NO_JDK,
    Jdk,
    Tool,
    find_asked_jdk,
    find_jdk,
    find_maven,
    find_named_jdks,
    find_wrk,
    read_jdk,
)
from springbench.host.tools.packages import remedy, this_platform
from springbench.host.tools.search import Search
from springbench.plan.plan import Plan
from springbench.results.run import Caution

logger = logging.getLogger(__name__)

_NAMES = {"jdk": f"a JDK {MIN_JDK_MAJOR} or newer", "wrk": "wrk", "maven": "Maven 3.8 or newer"}


@dataclass(frozen=True)
class Tools:
    """The programs that a run needs. Maven is there only when something is to be built, oha only
    where the plan has loads at a constant rate.

    The JDK is that of the servers, and `NO_JDK` where none is needed and none was found.
    """

    jdk: Jdk
    wrk: Tool
    maven: Tool | None
    oha: Tool | None = None
    h2load: Tool | None = None
    """Only where the plan has HTTP/2."""
    own_jdk: Jdk | None = None
    """Of springbench's own programs, where a user's service runs on another JDK."""
    jdks: Mapping[str, Jdk] = field(default_factory=dict)
    """By release: those that variants name, as far as they are here."""

    @property
    def harness_jdk(self) -> Jdk:
        """The JDK that builds springbench's own servers and runs its services."""
        return self.own_jdk or self.jdk

    @property
    def builder(self) -> Tool:
        """Maven, for a build. Raises `HostError` where there is none."""
        if self.maven is None:
            raise HostError(_missing("maven"))
        return self.maven


def find_tools(
    *,
    with_maven: bool,
    optional_maven: bool = False,
    with_java: bool = True,
    plan: Plan | None = None,
    artifacts: Iterable[Path] = (),
) -> Tools:
    """The tools of this host. Raises `HostError` with a line for each that is missing.

    With `optional_maven` Maven is used where it is there. Without `with_java` neither a JDK nor
    Maven is asked for; they are used where both are there.
    Where `plan` is of a user's service, its JDK is the requested one, as
    `find_asked_jdk` has it, for `artifacts` as far as they are there. Of the JDKs that variants
    name, those that are there are in `jdks`.
    """
    tools = _find_tools(with_maven, optional_maven, with_java, plan, artifacts)
    releases = plan.jdks if plan else ()
    return replace(tools, jdks=find_named_jdks(releases, [tools.jdk]))


def _find_tools(
    with_maven: bool,
    optional_maven: bool,
    with_java: bool,
    plan: Plan | None,
    artifacts: Iterable[Path],
) -> Tools:
    jdk, wrk = find_jdk(), find_wrk()
    maven = find_maven() if with_maven or optional_maven else None
    if plan is not None and plan.is_of_a_service:
        return _for_service(plan, artifacts, jdk, wrk, maven, with_maven=with_maven)
    if not with_java and (jdk is None or (with_maven and maven is None)):
        jdk, maven, with_maven = NO_JDK, None, False
    required_tools = {"jdk": jdk, "wrk": wrk} | ({"maven": maven} if with_maven else {})
    missing = [name for name, found in required_tools.items() if found is None]
    if jdk is None or wrk is None or missing:
        raise HostError("\n".join(map(_missing, missing)))
    return Tools(jdk, wrk, maven)


def _for_service(
    plan: Plan,
    artifacts: Iterable[Path],
    own_jdk: Jdk | None,
    wrk: Tool | None,
    maven: Tool | None,
    *,
    with_maven: bool,
) -> Tools:
    """Maven and a JDK of springbench's own are required only where the plan needs them."""
    needs_own = plan.needs("upstream") or plan.needs("database")
    names_none = any(
        case.variant.runtime.needs_java and not case.variant.settings.jdk for case in plan.cases
    )
    try:
        jdk = find_asked_jdk(max(map(needed_java, artifacts), default=0))
    except HostError:
        if names_none:
            raise
        jdk = own_jdk
    missing = [_missing("wrk")] if wrk is None else []
    if jdk is None and names_none:
        missing.append(
            "missing: a JDK that can run the service; install one, and set JAVA_HOME to its folder"
        )
    if needs_own and own_jdk is None:
        missing.append(_missing("jdk"))
    elif needs_own and with_maven and maven is None:
        missing.append(_missing("maven"))
    if wrk is None or missing:
        raise HostError("\n".join(missing))
    return Tools(jdk or NO_JDK, wrk, maven if own_jdk else None, own_jdk=own_jdk)


def jdk_cautions(tools: Tools) -> Iterator[Caution]:
    """Where JAVA_HOME names a JDK, and another one ran."""
    home = Search.of_host().java_home
    if not home or tools.jdk is NO_JDK or Path(home).resolve() == tools.jdk.home.resolve():
        return
    named_jdk = read_jdk(Path(home))
    named = f"JDK {named_jdk.version}" if named_jdk else "no JDK"
    yield Caution(
        code="jdk",
        message=f"JAVA_HOME is {home}, {named}; springbench's own servers need {MIN_JDK_MAJOR} or "
        f"newer, and ran on {tools.jdk.version} in {tools.jdk.home}",
        remedy=f"set JAVA_HOME to a JDK {MIN_JDK_MAJOR} or newer, or unset it",
    )


def with_oha(tools: Tools, plan: Plan, shell: Shell) -> tuple[Tools, list[Caution]]:
    """Tools with oha where the plan asks for constant rates; without it all else is measured."""
    if not plan.has_rates:
        return tools, []
    try:
        return replace(tools, oha=provide_oha(shell)), []
    except HostError as error:
        caution = Caution(
            code="no-constant-rate",
            message=f"nothing was measured at a constant rate: {error}",
        )
        logger.info(f"warning: {caution.message}")
        return tools, [caution]


def _missing(name: str) -> str:
    return f"missing: {_NAMES[name]}; {remedy(name, this_platform())}"
