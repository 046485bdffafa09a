"""Showing a file to a person, where there is a screen to show it on."""

from __future__ import annotations

import os
import sys
import webbrowser
from pathlib import Path

_SCREENS = ("DISPLAY", "WAYLAND_DISPLAY")


def has_screen() -> bool:
    """Whether somebody sits here: a terminal, a screen beside it, and no job of a CI."""
    if os.environ.get("CI") or os.environ.get("SSH_CONNECTION") or not sys.stdout.isatty():
        return False
    return sys.platform == "darwin" or any(os.environ.get(name) for name in _SCREENS)


def show(file: Path) -> bool:
    """Open a file in the browser. Whether there was a screen, and a browser that took it."""
    if not has_screen():
        return False
    try:
        return webbrowser.open(file.resolve().as_uri())
    except (webbrowser.Error, OSError):
        return False
