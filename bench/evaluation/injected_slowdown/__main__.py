"""Servers that are worse by a known amount, to see whether a comparison finds it.

    python -m evaluation.injected_slowdown OUT --hello-cpu 1.10
    python -m evaluation.injected_slowdown OUT --idle-memory 1.20

The sources are copied, the handler of `hello` keeps the CPU busy for a while, the process holds
memory from its start, and the copy is built. How much each server gets follows from what the
recorded comparisons measured of it.
"""

from __future__ import annotations

import os
import re
import shutil
import statistics
import subprocess
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from evaluation.recorded import load
from springbench.paths import ROOT
from springbench.results.records import SideRecord
from springbench.run.tools import find_tools

SOURCE = Path(__file__).with_name("InjectedSlowdown.java")
COMMON = Path("servers/endpoints-common/src/main/java/dev/springbench/common")
HELLO = "hello"
UPSTREAM = Path("servers/slow-upstream")


def main(
    out: Annotated[Path, typer.Argument(help="Where the jars go.")],
    hello_cpu: Annotated[float, typer.Option(help="Ratio of CPU per request of hello.")] = 1.0,
    idle_memory: Annotated[float, typer.Option(help="Ratio of memory at idle.")] = 1.0,
) -> None:
    """Build the slowed servers of the recorded comparisons."""
    out.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as scratch:
        copy = _copy_with_slowdown(Path(scratch))
        modules = []
        for variant, pairs in load().items():
            sides = [side for pair in pairs for side in pair.sides.values()]
            hello_ns = round((hello_cpu - 1) * hello_cost_s(sides) * 1e9)
            idle_bytes = round((idle_memory - 1) * idle_memory_bytes(sides))
            boot, server, *_ = variant.split("-")
            modules.append(copy / "servers" / boot / server)
            resources = modules[-1] / "src" / "main" / "resources"
            resources.mkdir(parents=True, exist_ok=True)
            settings = f"hello_ns={hello_ns}\nidle_bytes={idle_bytes}\n"
            (resources / "injected-slowdown.properties").write_text(settings, encoding="utf-8")
            typer.echo(f"{boot}-{server}: {hello_ns} ns more for /hello, {idle_bytes} bytes held")
        _build(copy, [*modules, copy / UPSTREAM])
        for module in modules:
            shutil.copy(module / "target" / f"{module.parent.name}-{module.name}.jar", out)
        shutil.copy(copy / UPSTREAM / "target" / "slow-upstream.jar", out)


def hello_cost_s(sides: Sequence[SideRecord]) -> float:
    """Median CPU per request of `hello` over recorded processes."""
    return statistics.median(
        burst.cpu_per_request_s
        for side in sides
        for case, bursts in side.bursts.items()
        for burst in bursts
        if HELLO in case.split("/") and burst.cpu_per_request_s
    )


def idle_memory_bytes(sides: Sequence[SideRecord]) -> float:
    """Median resident memory at idle over recorded processes."""
    return statistics.median(side.memory_idle_bytes for side in sides if side.memory_idle_bytes)


def _copy_with_slowdown(scratch: Path) -> Path:
    """A copy of the sources in which both `Routes` classes use the injected slowdown."""
    shutil.copytree(ROOT / "servers", scratch / "servers", ignore=shutil.ignore_patterns("target"))
    shutil.copy(ROOT / "pom.xml", scratch)
    shutil.copy(SOURCE, scratch / COMMON)
    slowdown = "dev.springbench.common.InjectedSlowdown"
    field = f"private final {slowdown} slowdown = new {slowdown}();"
    for routes in (scratch / "servers").glob("endpoints-*/src/main/java/**/Routes.java"):
        text = routes.read_text(encoding="utf-8")
        text, fields = re.subn(r"^class Routes \{$", rf"\g<0>\n    {field}", text, flags=re.M)
        text, burns = re.subn(r"return [^;]*Texts\.HELLO", r"slowdown.burn();\n        \g<0>", text)
        if not (fields == burns == 1):
            raise SystemExit(f"{routes.name} is not what it was: nothing to put the slowdown into")
        routes.write_text(text, encoding="utf-8")
    return scratch


def _build(copy: Path, modules: Sequence[Path]) -> None:
    tools = find_tools(with_maven=True)
    if tools.maven is None:
        raise SystemExit("Maven is missing; run: make setup")
    names = ",".join(module.relative_to(copy).as_posix() for module in modules)
    command = [str(tools.maven.path), "-B", "-ntp", "-q", "-DskipTests", "package"]
    command += ["-pl", names, "-am"]
    subprocess.run(command, cwd=copy, env=tools.jdk.env(os.environ), check=True)


if __name__ == "__main__":
    typer.run(main)
