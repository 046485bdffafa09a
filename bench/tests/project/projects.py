"""Files of a small project."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path


def lay_out(folder: Path, files: Mapping[str, str]) -> Path:
    """The folder with these files in it."""
    for name, text in files.items():
        file = folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
    return folder
