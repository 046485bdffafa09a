"""Words of others, such as the last lines of a server, made harmless before they are shown."""

from __future__ import annotations

from springbench.untrusted import clipped, one_line

__all__ = ["clipped", "one_line"]
