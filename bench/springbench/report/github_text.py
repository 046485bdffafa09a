"""Text of strangers in a comment that GitHub renders, mails and searches for mentions. Pure."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from springbench.untrusted import clipped

# a backslash is no defence there: GitHub looks for mentions and links in what was rendered.
# Inside a code span it looks for nothing, and these cannot end the span, the cell or the line.
_STAND_INS = str.maketrans(
    {"`": "'", "|": "¦", "<": "‹", ">": "›", "@": "＠", "$": "＄", "\\": "∖", "#": "＃"}
)
# blanks, brackets and quotes would end a link, or begin something else
_ADDRESS = re.compile(r"https?://[A-Za-z0-9._~:/?#@!$&*+,;=%-]{1,500}")
NAME_LIMIT = 120
SENTENCE_LIMIT = 300


def code(text: str, limit: int = NAME_LIMIT) -> str:
    """The text as a code span of at most `limit` characters: no markup, mention, link or HTML."""
    # enough for the limit, and no more work than that on a text of megabytes
    printable = "".join(c if c.isprintable() else " " for c in text[: 4 * limit])
    clipped_text = clipped(" ".join(printable.split()), limit)
    # addresses are made links even in the mails, where no span protects them
    sanitize = clipped_text.translate(_STAND_INS).replace("://", ":∕∕").replace("www.", "www․")
    return f"`{sanitize or '–'}`"


def sentence(text: str) -> str:
    """The same for what may be longer than a name."""
    return code(text, SENTENCE_LIMIT)


def is_address(text: str) -> bool:
    """Whether it is a web address that can stand in a link and do nothing else there."""
    return _ADDRESS.fullmatch(text) is not None


def link(text: str, address: str | None) -> str:
    """`text`, which is harmless already, as a link; the text alone without a fit address."""
    return f"[{text}]({address})" if address and is_address(address) else text


# --- How much more fits into a text whose length is limited ---------------------------------------


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
