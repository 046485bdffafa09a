"""How much more fits into a text whose length is limited. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field


@dataclass
class ByteBudget:
    """Bytes that are left; lines are taken in while they fit."""

    left: int
    full: bool = field(default=False, init=False)

    def take(self, lines: Sequence[str]) -> list[str]:
        """The lines that fit, up to the first that does not."""
        taken: list[str] = []
        for line in lines:
            if self.full or size([line]) > self.left:
                self.full = True
                break
            self.left -= size([line])
            taken.append(line)
        return taken


def size(lines: Sequence[str]) -> int:
    """Bytes of the lines with their ends."""
    return sum(len(line.encode("utf-8", "replace")) + 1 for line in lines)
