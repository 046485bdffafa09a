"""Servers that are another one by a known amount, to see whether a comparison finds it.

    python -m evaluation.injected_change OUT
    python -m evaluation.injected_change OUT --name cap --change pay_at_once=100
    python -m evaluation.injected_change OUT --name cpu --hello-cpu 1.10
    python -m evaluation.injected_change OUT --name filter --filter-cpu 1.03
    python -m evaluation.injected_change OUT --name lib --library DispatcherServlet.doDispatch=900
    springbench compare OUT/base OUT/cap
    python -m evaluation.injected_change.table OUT    # all of them, compared again and again

The sources are copied, their routes call what `Injected.java` does, and the copy is built once.
Every change is a folder with the same jars and a file of its own, which servers read where they
start: `--change` sets one of its numbers, `--property` one of Spring's. Without either, and for
`base`, the servers are as they always were. `--hello-cpu` and `--idle-memory` are ratios of what
the recorded comparisons measured; `--filter-cpu` puts that work into a filter around each request
of a servlet; `--hello-cost-us` is a request's CPU time on this host instead,
as a comparison of `base` with itself measures it. `--library` makes a method of a library take so
many nanoseconds more itself, without a call that a profiler could name: its class is changed.
"""

from __future__ import annotations

import io
import os
import re
import shutil
import statistics
import subprocess
import tempfile
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Annotated

import typer

from evaluation.recorded import load
from springbench.bench.tools import find_tools
from springbench.paths import ROOT
from springbench.results.comparison import SideRecord

SOURCES = {
    "Injected.java": Path("servers/endpoints-common/src/main/java/dev/springbench/common"),
    "InjectedFilter.java": Path("servers/endpoints-mvc/src/main/java/dev/springbench/mvc"),
}
SLOWER = Path(__file__).with_name("SlowerMethod.java")
SETTINGS = "injected.properties"
SPRING = "application.properties"
MODULES = (
    "servers/boot4/tomcat",
    "servers/boot4/jetty",
    "servers/boot4/netty",
    "servers/boot3/undertow",
    "servers/slow-upstream",
    "servers/database",
)
HELLO = "hello"
CALL = "dev.springbench.common.Injected"
# by file: what is replaced, by what, each exactly once
PATCHES: Mapping[str, Sequence[tuple[str, str]]] = {
    "endpoints-mvc/src/main/java/dev/springbench/mvc/Routes.java": (
        (r"this\.upstream = upstream;", rf"\g<0>\n        {CALL}.start();"),
        (r"return Texts\.HELLO;", f"{CALL}.hello();\n        return {CALL}.text(Texts.HELLO);"),
        (r"Thread\.sleep\(Delays\.PAY\)", f"{CALL}.sleep(Delays.PAY)"),
    ),
    "endpoints-reactive/src/main/java/dev/springbench/reactive/Routes.java": (
        (r"this\.upstream = upstream;", rf"\g<0>\n        {CALL}.start();"),
        (
            r"return Mono\.just\(Texts\.HELLO\);",
            f"{CALL}.hello();\n        return Mono.just({CALL}.text(Texts.HELLO));",
        ),
        (r"Mono\.delay\(Delays\.PAY\)", f"Mono.delay({CALL}.longer(Delays.PAY))"),
    ),
    "endpoints-mvc/src/main/java/dev/springbench/mvc/JpaUsers.java": (
        (
            r"return repository\.findById\(id\)",
            rf"{CALL}.again(() -> repository.findById(id));\n        \g<0>",
        ),
    ),
}


def main(
    out: Annotated[Path, typer.Argument(help="Where the folders of jars go.")],
    name: Annotated[str, typer.Option(help="The folder of this change.")] = "base",
    change: Annotated[list[str] | None, typer.Option(help="NAME=NUMBER of Injected.java.")] = None,
    property_: Annotated[
        list[str] | None, typer.Option("--property", help="NAME=VALUE of Spring.")
    ] = None,
    hello_cpu: Annotated[float, typer.Option(help="Ratio of CPU per request of hello.")] = 1.0,
    filter_cpu: Annotated[float, typer.Option(help="The same ratio, spent by a filter.")] = 1.0,
    hello_cost_us: Annotated[
        float | None, typer.Option(help="That CPU here, in µs; as recorded if left out.", min=1)
    ] = None,
    idle_memory: Annotated[float, typer.Option(help="Ratio of memory at idle.")] = 1.0,
    library: Annotated[
        str | None, typer.Option(help="CLASS.METHOD=NANOSECONDS of a library: each call.")
    ] = None,
) -> None:
    """Build the servers where that was not done, and make the folder of a change."""
    built = out / "built"
    if not built.is_dir():
        _build(built)
    settings, properties = list(change or []), list(property_ or [])
    sides = [side for pairs in load().values() for pair in pairs for side in pair.sides.values()]
    cost_ns = 1000 * (hello_cost_us or hello_cost_s(sides) * 1e6)
    if hello_cpu != 1:
        settings.append(f"hello_ns={round((hello_cpu - 1) * cost_ns)}")
    if filter_cpu != 1:
        properties.append(f"injected.filter-ns={round((filter_cpu - 1) * cost_ns)}")
    if idle_memory != 1:
        settings.append(f"idle_bytes={round((idle_memory - 1) * idle_memory_bytes(sides))}")
    folder = out / name
    folder.mkdir(exist_ok=True)
    for jar in built.glob("*.jar"):
        link = folder / jar.name
        # a folder of that name may have jars of another change
        link.unlink(missing_ok=True)
        link.symlink_to(jar.resolve())
    for file, lines in ((SETTINGS, settings), (SPRING, properties)):
        _write(folder / file, lines)
    changes = [*settings, *properties]
    if library:
        slower = [f"{library} in {jar}" for jar in _slow_down(folder, library)]
        if not slower:
            raise SystemExit(f"--library {library}: no library of these servers has that class")
        changes += slower
    typer.echo(f"{folder}: {', '.join(changes) or 'nothing changed'}")


def _slow_down(folder: Path, what: str) -> Iterator[str]:
    """Give the jars that have the class a slower one; their names."""
    parts = re.fullmatch(r"(\w+)\.(\w+)=([1-9]\d*)", what)
    if parts is None:
        raise SystemExit(f"--library {what}: CLASS.METHOD=NANOSECONDS is what is allowed")
    class_, method, slower_ns = parts.groups()
    for jar in sorted(folder.glob("*.jar")):
        with tempfile.TemporaryDirectory() as scratch:
            libraries = _libraries(jar, Path(scratch))
            found = next(_places(libraries, f"/{class_}.class"), None)
            if found is None:
                continue
            (library, place), slower = found, Path(scratch) / "slower.class"
            command = [str(find_tools(with_maven=False).jdk.java), str(SLOWER), scratch]
            command += [place.removesuffix(".class"), method, slower_ns, str(slower)]
            subprocess.run(command, check=True)
            changed = _with_entry(library.read_bytes(), place, slower.read_bytes())
            inner = f"BOOT-INF/lib/{library.name}"
            content = _with_entry(jar.read_bytes(), inner, changed)
            # the link's own file is that of every other change
            jar.unlink()
            jar.write_bytes(content)
            yield jar.name


def _libraries(jar: Path, to: Path) -> list[Path]:
    """The jars in one of Spring Boot."""
    with zipfile.ZipFile(jar) as archive:
        names = [name for name in archive.namelist() if name.startswith("BOOT-INF/lib/")]
        jars = {to / Path(name).name: archive.read(name) for name in names if name.endswith(".jar")}
    for library, content in jars.items():
        library.write_bytes(content)
    return list(jars)


def _places(jars: Sequence[Path], end: str) -> Iterator[tuple[Path, str]]:
    """Entries whose names end so, with the jars that have them."""
    for jar in jars:
        with zipfile.ZipFile(jar) as archive:
            yield from ((jar, name) for name in archive.namelist() if name.endswith(end))


def _with_entry(archive: bytes, name: str, content: bytes) -> bytes:
    """The archive with this content of an entry, and all others as they are."""
    changed = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(archive)) as old, zipfile.ZipFile(changed, "w") as new:
        for entry in old.infolist():
            # as it was: Spring Boot reads jars in a jar that are stored alone
            new.writestr(entry, content if entry.filename == name else old.read(entry))
    return changed.getvalue()


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


def _write(file: Path, lines: Sequence[str]) -> None:
    for line in lines:
        if not re.fullmatch(r"[\w.-]+=\S*", line):
            raise SystemExit(f"{line!r}: NAME=VALUE is what is allowed")
    file.unlink(missing_ok=True)
    if lines:
        file.write_text("\n".join(lines) + "\n", encoding="utf-8")


def _build(to: Path) -> None:
    """Jars of patched sources, in a folder that is there only when all of them are."""
    tools = find_tools(with_maven=True)
    if tools.maven is None:
        raise SystemExit("Maven is missing; run: make setup")
    with tempfile.TemporaryDirectory() as scratch:
        copy = _patched(Path(scratch))
        command = [str(tools.maven.path), "-B", "-ntp", "-q", "-DskipTests", "package"]
        command += ["-pl", ",".join(MODULES), "-am"]
        subprocess.run(command, cwd=copy, env=tools.jdk.env(os.environ), check=True)
        jars = [jar for module in MODULES for jar in (copy / module / "target").glob("*.jar")]
        unfinished = to.with_suffix(".unfinished")
        shutil.rmtree(unfinished, ignore_errors=True)
        unfinished.mkdir(parents=True)
        for jar in jars:
            if not jar.name.startswith("original-"):
                shutil.copy(jar, unfinished)
        unfinished.rename(to)


def _patched(scratch: Path) -> Path:
    """A copy of the sources whose routes call `Injected`."""
    shutil.copytree(ROOT / "servers", scratch / "servers", ignore=shutil.ignore_patterns("target"))
    shutil.copy(ROOT / "pom.xml", scratch)
    shutil.copytree(ROOT / ".mvn", scratch / ".mvn")
    for name, folder in SOURCES.items():
        shutil.copy(Path(__file__).with_name(name), scratch / folder)
    for name, patches in PATCHES.items():
        file = scratch / "servers" / name
        text = file.read_text(encoding="utf-8")
        for old, new in patches:
            text, count = re.subn(old, new, text)
            if count != 1:
                raise SystemExit(f"{file.name} is not what it was: {old} is there {count} times")
        file.write_text(text, encoding="utf-8")
    return scratch


if __name__ == "__main__":
    typer.run(main)
