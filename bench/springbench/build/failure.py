"""A build that failed: the lines of its log that say why, and where the rest of it stands."""

from __future__ import annotations

import re
from collections.abc import Sequence

from springbench.errors import BuildError

SHOWN_LINES = 20
# of compilers, linkers, native-image, Maven, shells and the kernel
_TELLING = re.compile(
    r"\berror\b|\bfatal\b|\bexception\b|\bundefined (?:reference|symbol)|\bcannot (?:find|open)\b"
    r"|\bno such file\b|\bnot found\b|\bout ?of ?memory|\bkilled\b|\bno space left\b"
    r"|\bcaused by\b|\bpermission denied\b|\bsegmentation fault\b|\bunresolved\b",
    re.IGNORECASE,
)
# what Maven says after any failure, and where it read something of that name
_TRAILER = re.compile(
    r"^\[ERROR\] *(?:$|->|\[Help|To see the full|Re-run Maven|For more information|After correcting"
    r"|mvn <args>|COMPILATION ERROR|BUILD FAILURE)|^\[INFO\]|^\s+at "
)
_COLOURS = re.compile(r"\x1b\[[0-9;]*m")


def build_error(what: str, log: str, lines: Sequence[str]) -> BuildError:
    """The error of a build: what failed, the lines that say why, and the file with the rest.

    Without a line that says why, the last lines of the log stand there.
    """
    plain = [_COLOURS.sub("", line).rstrip() for line in lines]
    found = [line for line in plain if _TELLING.search(line) and not _TRAILER.search(line)]
    # the first ones: what comes after them follows from them
    told = list(dict.fromkeys(found))[:SHOWN_LINES]
    if told:
        return BuildError("\n".join([f"{what}; of {log}:", *told]))
    return BuildError("\n".join([f"{what}; {log} ends:", *plain[-SHOWN_LINES:]]))
