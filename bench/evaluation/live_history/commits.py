"""The commits of a live history: most change nothing that counts, one slows `hello` down."""

from __future__ import annotations

import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from springbench.host.tools.find import Jdk

ROUTES = Path("servers/endpoints-mvc/src/main/java/dev/springbench/mvc/Routes.java")
NOTES = Path("servers/README.md")
PLAIN = "        return Texts.HELLO;\n"
# what a cost of real code is like: it is dearer where less is compiled, and leaves garbage behind
SLOWER = """        int sum = 0;
        for (int round = 0; round < {rounds}; round++) {{
            sum += Integer.toString(round * 7919).hashCode();
        }}
        if (sum == 1) {{
            return "";
        }}
"""
Kind = Literal["words", "refactoring", "slower", "back"]


@dataclass(frozen=True)
class Push:
    """Commits that arrive together; the newest is measured."""

    commits: tuple[Kind, ...]


def pushes(count: int, *, changes: bool) -> list[Push]:
    """So many pushes. With changes the seventh brings three commits, the second of which slows
    `hello` down, and the tenth takes it back; all else changes nothing that counts."""
    quiet: list[Kind] = ["refactoring", "words"]
    result = [Push((quiet[number % 2],)) for number in range(count)]
    if changes:
        result[6] = Push(("refactoring", "slower", "refactoring"))
        result[9] = Push(("back",))
    return result


def edit(work: Path, kind: Kind, number: int, rounds: int) -> None:
    """Change the work tree as a commit of that kind does."""
    if kind == "words":
        _append(work / NOTES, f"\nRevision {number}.\n")
    elif kind == "refactoring":
        # built anew, and the same instructions
        _append(work / ROUTES, f"// revision {number}\n")
    else:
        _switch(work / ROUTES, SLOWER.format(rounds=rounds), on=kind == "slower")


def round_cost_s(jdk: Jdk) -> float:
    """Seconds that one round of the work in `SLOWER` takes on this host."""
    source = Path(__file__).with_name("Rounds.java")
    output = subprocess.run(
        [str(jdk.java), str(source)], capture_output=True, text=True, check=True
    ).stdout
    return float(output) * 1e-9


def commit_words(commits: Sequence[Kind]) -> str:
    """The commits of a push in words."""
    return ", ".join(commits)


def _append(file: Path, text: str) -> None:
    file.write_text(file.read_text(encoding="utf-8") + text, encoding="utf-8")


def _switch(file: Path, slower: str, *, on: bool) -> None:
    text = file.read_text(encoding="utf-8")
    old, new = (PLAIN, slower + PLAIN) if on else (slower + PLAIN, PLAIN)
    if text.count(old) != 1:
        raise SystemExit(f"{file.name}: {old!r} is not there once")
    file.write_text(text.replace(old, new), encoding="utf-8")
