"""Places in a clone. The package is installed in place, so it knows its clone."""

from __future__ import annotations

from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
MATRIX = ROOT / "bench" / "matrix.toml"
STUDIES = ROOT / "bench" / "studies.toml"
RESULTS = ROOT / "results"


def shown(path: Path) -> str:
    """A path for a person: relative to where they are, when it lies below."""
    try:
        return str(path.relative_to(Path.cwd()))
    except ValueError:
        return str(path)
