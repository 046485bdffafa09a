"""Makes the recordings that tests take their measurements from.

    python -m tests.recordings.record              # all of them, in about half an hour
    python -m tests.recordings.record aa cpu       # these
    python -m tests.recordings.record --list

Each row below is one real run or comparison, with real servers and a real wrk, as short as it can
be: tests use what it measured as an input, and no number in it is a claim. Run it on a host with
nothing else to do, after a change of `run.json` or `comparison.json`; the golden files that show
what follows from a recording change with it (`pytest --update-golden`).
"""

from __future__ import annotations

import gzip
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import typer

from springbench.paths import ROOT

RECORDINGS = Path(__file__).parent
SERVICES = RECORDINGS.parent / "services"
FAKES = ("--matrix", str(SERVICES / "matrix.toml"), "--jars", str(SERVICES))
HELLO = ("--only", "boot4-tomcat-virtual-jvm/hello/*")
ORDERS = """\
name = "orders"
command = ["python3", "serve.py", "--server.port={port}"]
[[routes]]
path = "/hello"
"""
# where the service of `orders` becomes slower
FAST = 'while b"\\r\\n\\r\\n" in self.received:\n'
SLOW = f"{FAST}            sum(range(4000))\n"
# more digits than any of the clocks behind them
DIGITS = 6


@dataclass(frozen=True)
class Row:
    """One recording: what it shows, and the command that measures it.

    `inject` are options of `evaluation.injected_change` for head, of the servers of this clone.
    `busy` puts other programs beside it.
    """

    name: str
    shows: str
    command: tuple[str, ...]
    inject: tuple[str, ...] | None = None
    service: str | None = None
    busy: bool = False


ROWS = (
    Row(
        "quick",
        "all seven servers, interleaved: CPU-bound, thread caps, the theoretical maximum",
        ("run", "--profile", "quick", "--forks", "1", "--duration", "5"),
    ),
    Row("smoke", "the cases of the workflow tests", ("run", "--profile", "smoke")),
    Row(
        "smoke-disturbed",
        "the same beside other programs",
        ("run", "--profile", "smoke"),
        busy=True,
    ),
    Row(
        "faults",
        "servers that end, hang, fail, run out of memory, or leave connections waiting",
        ("run", *FAKES, "--profile", "faults"),
    ),
    Row(
        "rounds",
        "two interleaved rounds in which one server dies and one never starts",
        ("run", *FAKES, "--profile", "rounds"),
    ),
    Row("orders", "a service of one's own", ("run", "--forks", "2"), service="fast"),
    Row("orders-slow", "the same, slower", ("run", "--forks", "2"), service="slow"),
    Row("aa", "identical builds", ("compare", *HELLO, "--budget", "100"), inject=()),
    Row(
        "cpu",
        "a quarter more CPU a request, with an explanation",
        ("compare", *HELLO, "--budget", "170"),
        inject=("--hello-cpu", "1.60"),
    ),
    Row(
        "cap",
        "at most 100 requests at once, and one answer in 5,000 an error",
        ("compare", "--only", "boot4-tomcat-virtual-jvm/*", "--budget", "170", "--no-explain"),
        inject=("--change", "pay_at_once=100", "--change", "hello_fail_every=5000"),
    ),
    Row(
        "bytes",
        "a longer answer, and more garbage a request",
        ("compare", *HELLO, "--budget", "110", "--no-explain"),
        inject=("--change", "hello_bytes=20", "--change", "hello_garbage_bytes=2048"),
    ),
    Row(
        "start",
        "a slower start, and more memory at idle",
        ("compare", *HELLO, "--budget", "110", "--no-explain"),
        inject=("--change", "start_ms=1500", "--change", "idle_bytes=60000000"),
    ),
    Row(
        "broken",
        "head does not start",
        ("compare", *HELLO, "--budget", "60", "--no-explain"),
        inject=("--property", "server.port=none"),
    ),
    Row(
        "models",
        "one thread model beside another",
        (
            *("compare", "boot4-tomcat-platform-jvm", "boot4-tomcat-virtual-jvm"),
            *("--only", "boot4-tomcat-*/pay/*", "--budget", "100", "--no-explain"),
        ),
    ),
    Row(
        "orders-regression",
        "a service of one's own that becomes slower",
        ("compare", "--budget", "130", "--no-explain", "fast", "slow"),
        service="both",
    ),
)


def main(
    names: Annotated[list[str] | None, typer.Argument(help="Which; all if left out.")] = None,
    work: Annotated[Path | None, typer.Option(help="Keep builds and raw output here.")] = None,
    list_: Annotated[bool, typer.Option("--list", help="Say what there is.")] = False,
) -> None:
    """Measure anew what tests take as measured."""
    rows_by_name = {row.name: row for row in ROWS}
    if unknown := [name for name in names or () if name not in rows_by_name]:
        raise typer.BadParameter(
            f"no recording {unknown[0]!r}; there are: {', '.join(rows_by_name)}"
        )
    if list_:
        for row in ROWS:
            typer.echo(f"{row.name:18} {row.shows}")
        return
    with tempfile.TemporaryDirectory() as folder:
        for name in names or rows_by_name:
            _record(rows_by_name[name], (work or Path(folder)).resolve())


def _record(row: Row, work: Path) -> None:
    results = work / "results" / row.name
    results.mkdir(parents=True, exist_ok=True)
    cwd, sides = work, list[str]()
    if row.inject is not None:
        sides = [str(_injected(work, "base")), str(_injected(work, row.name, row.inject))]
    if row.service:
        cwd = _services(work, row.service)
    command = [*row.command, *sides, "--results", str(results)]
    typer.echo(f"{row.name}: springbench {' '.join(command)}")
    with _background_load(busy=row.busy):
        done = subprocess.run([sys.executable, "-m", "springbench", *command], cwd=cwd, check=False)
    files = sorted(results.glob("*/run.json")) + sorted(results.glob("*/comparison.json"))
    if not files:
        raise SystemExit(f"{row.name}: nothing was measured, exit code {done.returncode}")
    write(row.name, json.loads(files[-1].read_text(encoding="utf-8")), work)


def write(name: str, document: Any, work: Path) -> Path:
    """Keep what was measured, without where it was: `<name>.json.gz`."""
    text = json.dumps(_rounded(document), ensure_ascii=False, separators=(",", ":"))
    for path, word in ((str(work), "WORK"), (str(ROOT), "CLONE"), (tempfile.gettempdir(), "TMP")):
        text = text.replace(path, word)
    file = RECORDINGS / f"{name}.json.gz"
    # the same measurement gives the same bytes
    file.write_bytes(gzip.compress(text.encode("utf-8"), mtime=0))
    typer.echo(f"{name}: {file.stat().st_size} bytes")
    return file


def _rounded(value: Any) -> Any:
    if isinstance(value, float):
        return float(f"{value:.{DIGITS}g}")
    if isinstance(value, dict):
        return {key: _rounded(element) for key, element in value.items()}
    return [_rounded(element) for element in value] if isinstance(value, list) else value


def _injected(work: Path, name: str, options: Sequence[str] = ()) -> Path:
    """A folder of jars with that change in them."""
    out = work / "servers"
    out.mkdir(exist_ok=True)
    subprocess.run(
        [sys.executable, "-m", "evaluation.injected_change", str(out), "--name", name, *options],
        cwd=ROOT / "bench",
        check=True,
    )
    return out / name


def _services(work: Path, which: str) -> Path:
    """A folder with the service as it was, as it became, or with both checkouts."""
    text = (SERVICES / "fake_server.py").read_text(encoding="utf-8")
    assert FAST in text
    folder = work / "orders"
    for name, source in (("fast", text), ("slow", text.replace(FAST, SLOW))):
        checkout = folder / name
        checkout.mkdir(parents=True, exist_ok=True)
        (checkout / "serve.py").write_text(source, encoding="utf-8")
        (checkout / "springbench.toml").write_text(ORDERS, encoding="utf-8")
    (folder / "springbench.toml").write_text(ORDERS, encoding="utf-8")
    (folder / "serve.py").write_text(text, encoding="utf-8")
    return folder if which == "both" else folder / which


@contextmanager
def _background_load(*, busy: bool) -> Iterator[None]:
    """Other programs, one for each CPU, where they are asked for."""
    loop = [sys.executable, "-c", "while True: pass"]
    processes = [subprocess.Popen(loop) for _ in range(os.cpu_count() or 1)] if busy else []
    try:
        yield
    finally:
        for process in processes:
            process.kill()
            process.wait()


if __name__ == "__main__":
    typer.run(main)
