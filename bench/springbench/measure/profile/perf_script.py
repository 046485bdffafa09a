"""What `perf script` prints, as collapsed stacks. Pure."""

from __future__ import annotations

import re
from collections import Counter

# an address, a name or [unknown], and in brackets the file that it is in
_FRAME = re.compile(r"^\s+[0-9a-f]+ (?P<name>.*) \((?P<file>.*)\)$")
_UNKNOWN = "[unknown]"


def collapsed(text: str) -> str:
    """A line for each stack: frames from the outermost with `;` between, and how often it was seen.

    Frames without a name are told by their file, and once where several follow one another. Lines
    of another form are passed over.
    """
    seen: Counter[str] = Counter()
    frames: list[str] = []
    for line in [*text.splitlines(), ""]:
        if found := _FRAME.match(line):
            frames.append(_named(found["name"], found["file"]))
        elif not line.strip() and frames:
            outermost_first = frames[::-1]
            kept = [
                name
                for at, name in enumerate(outermost_first)
                if not (at and name.startswith("[") and outermost_first[at - 1] == name)
            ]
            seen[";".join(kept)] += 1
            frames = []
    return "".join(f"{stack} {count}\n" for stack, count in sorted(seen.items()))


def _named(name: str, file: str) -> str:
    """The name without what separates frames from one another."""
    if name == _UNKNOWN:
        name = f"[{file.rpartition('/')[2].strip('[]')}]"
    return name.replace(";", ",")
