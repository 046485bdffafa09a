"""Figures of studies as the dashboard has them, in base units: `python -m` this, with a file.

The dashboard brings them along, for they are no results: they belong to no run and no host.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from springbench.matrix.load import load_matrix
from springbench.paths import MATRIX, STUDIES
from springbench.results.studies import Figure, Study, StudyFigures, axes_of
from springbench.results.study_file import load_studies

_SETTING = ("machine", "memory_limit_bytes", "boot_version", "jdk", "tool", "duration_s")


def as_json(studies: StudyFigures, runtimes: Sequence[str]) -> str:
    """The whole file as text. What a study does not say is left out."""
    document = [_study(study, runtimes) for study in studies.studies]
    return json.dumps(document, ensure_ascii=False, separators=(",", ":")) + "\n"


def of_this_clone() -> str:
    """That of the studies and the matrix of this clone."""
    matrix = load_matrix(MATRIX)
    return as_json(load_studies(STUDIES, matrix), [row.id for row in matrix.runtimes])


def _study(study: Study, runtimes: Sequence[str]) -> dict[str, Any]:
    setting = {name: getattr(study, name) for name in _SETTING}
    return {
        "id": study.id,
        "profile": study.profile,
        "setting": {name: value for name, value in setting.items() if value is not None},
        "figures": [_figure(figure, runtimes) for figure in study.figures],
    }


def _figure(figure: Figure, runtimes: Sequence[str]) -> dict[str, Any]:
    axes = axes_of(figure.variant, runtimes)
    load = {"workload": figure.workload, "connections": figure.connections}
    return {
        **asdict(axes),
        **{name: value for name, value in load.items() if value is not None},
        "metric": figure.metric,
        "unit": figure.base_unit,
        "published": figure.median,
        **({"about": True} if figure.about else {}),
    }


if __name__ == "__main__":
    Path(sys.argv[1]).write_text(of_this_clone(), encoding="utf-8")
