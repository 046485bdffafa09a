"""Publishers killed at random moments, and many at once: what is on the branch afterwards.

    python -m evaluation.publishing --kills 50 --publishers 20

Each kill hits a publisher of a run of its own on the way into a local bare repository. After each
the repository is checked by git, and the derived files are compared with those that a rebuild
makes of the runs that are there. The killed run is then published again, which must succeed.
"""

from __future__ import annotations

import random
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path
from typing import Annotated

import typer

from evaluation.counted_git import git
from evaluation.made_up_history import made_up
from springbench.history.files import Folder
from springbench.history.update import rebuild

LONGEST_S = 1.6
CASES = 12
PUBLISH = """
import sys
from pathlib import Path
from springbench.history.push import push_run
from springbench.history.remote import Remote
from springbench.host.shell import RealShell
from springbench.results.published_run import PublishedRun
run = PublishedRun.model_validate_json(Path(sys.argv[1]).read_text())
push_run(RealShell(), Remote(sys.argv[2]), run)
"""


def main(
    kills: Annotated[int, typer.Option(help="How many publishers are killed, one by one.")] = 50,
    publishers: Annotated[int, typer.Option(help="How many then publish at once.")] = 20,
) -> None:
    """Kill publishers, let others race, and say what was lost."""
    chance = random.Random(time.time_ns())  # noqa: S311 - no secret
    with tempfile.TemporaryDirectory() as name:
        base = Path(name)
        remote = base / "remote.git"
        git("init", "--quiet", "--bare", remote)
        git("-C", remote, "config", "uploadpack.allowFilter", "true")
        outcomes: Counter[str] = Counter()
        for number in range(kills):
            outcomes[_kill_one(base, number, chance)] += 1
        typer.echo(f"{kills} kills: {dict(outcomes)}; each run published afterwards")
        begin_s = time.monotonic()
        racing = [_start(base, number, chance) for number in range(kills, kills + publishers)]
        failed = sum(process.wait() != 0 for process in racing)
        typer.echo(
            f"{publishers} publishers at once: {failed} failed, "
            f"{time.monotonic() - begin_s:.0f} s until the last"
        )
        held = _check(base)
        typer.echo(f"the history holds {held} of {kills + publishers} runs")
        if held != kills + publishers or failed:
            raise typer.Exit(1)


def _kill_one(base: Path, number: int, chance: random.Random) -> str:
    before = _tip(base)
    process = _start(base, number, chance)
    time.sleep(chance.uniform(0.1, LONGEST_S))
    process.send_signal(signal.SIGKILL)
    ended = process.wait()
    # what the killed one had started may still be on its way
    time.sleep(0.3)
    _check(base)
    came = _tip(base)
    again = _start(base, number, chance).wait()
    if again:
        raise typer.Exit(1)
    if ended == 0:
        return "had ended before"
    return "killed before the push" if came == before else "killed after the push"


def _tip(base: Path) -> str:
    return git("-C", base / "remote.git", "for-each-ref", "--format=%(objectname)").strip()


def _start(base: Path, number: int, chance: random.Random) -> subprocess.Popen[bytes]:
    file = base / f"run-{number}.json"
    if not file.exists():
        run = made_up(number, CASES, chance)
        file.write_text(run.model_dump_json(by_alias=True, exclude_none=True))
    address = (base / "remote.git").as_uri()
    return subprocess.Popen([sys.executable, "-c", PUBLISH, str(file), address])


def _check(base: Path) -> int:
    """The number of runs. Ends the script where the branch is not what its runs make."""
    remote = base / "remote.git"
    git("-C", remote, "fsck", "--strict", "--no-dangling")
    if not _tip(base):
        return 0
    with tempfile.TemporaryDirectory(dir=base) as name:
        clone, fresh = Path(name) / "clone", Path(name) / "fresh"
        git("clone", "--quiet", "--branch", "gh-pages", remote, clone)
        held = _contents(clone)
        runs = {path: text for path, text in held.items() if path.startswith("data/runs/")}
        for path, text in runs.items():
            Folder(fresh).write(path, text)
        rebuild(Folder(fresh))
        if held != _contents(fresh):
            typer.echo("the derived files differ from a rebuild", err=True)
            raise typer.Exit(1)
        return len(runs)


def _contents(folder: Path) -> dict[str, str]:
    return {
        name: Folder(folder).read(name) or ""
        for file in (folder / "data").rglob("*")
        if file.is_file() and (name := str(file.relative_to(folder)))
    }


if __name__ == "__main__":
    typer.run(main)
