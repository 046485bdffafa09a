"""Questions, claims, studies and names as the dashboard has them: `python -m` this, with a folder.

The dashboard brings them along: it lists those too that nobody has measured on a host class, and
they belong to no run and no host.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from springbench.matrix.load import load_matrix
from springbench.matrix.servers import Runtime, Server
from springbench.paths import CLAIMS, MATRIX, QUESTIONS, STUDIES
from springbench.results.claim_file import load_claims
from springbench.results.claims import Claim, Source
from springbench.results.question_file import load_questions
from springbench.results.questions import Question
from springbench.results.studies import Figure, Study, StudyFigures, axes_of
from springbench.results.study_file import load_studies

_SETTING = ("machine", "memory_limit_bytes", "boot_version", "jdk", "tool", "duration_s")


def of_this_clone() -> dict[str, str]:
    """Files by name: ids, words, and the command that measures each; figures of studies."""
    matrix = load_matrix(MATRIX)
    questions = load_questions(QUESTIONS, matrix).questions
    studies = load_studies(STUDIES, matrix)
    claims = load_claims(CLAIMS, matrix, studies.studies)
    rows = [_claim(claim, claims.source(claim)) for claim in claims.claims]
    return {
        "questions.json": _text([*map(_question, questions)]),
        "claims.json": _text(rows),
        "names.json": _text(
            {
                "servers": _names(matrix.servers),
                "runtimes": _names(matrix.runtimes),
            }
        ),
        "studies.json": studies_as_json(studies, [row.id for row in matrix.runtimes]),
    }


def _text(document: object) -> str:
    return json.dumps(document, ensure_ascii=False, indent=2) + "\n"


def _names(rows: Iterable[Server | Runtime]) -> dict[str, str]:
    return {row.id: row.name or row.id for row in rows}


def _question(question: Question) -> dict[str, Any]:
    return {
        "id": question.id,
        "en": question.question,
        "zh": (question.in_chinese() or question).question,
        "command": f"springbench {question.command} {question.id}",
    }


def _claim(claim: Claim, source: Source) -> dict[str, Any]:
    return {
        "id": claim.id,
        "claim": claim.claim,
        "source": source.title,
        "address": source.address,
        **({"date": source.date} if source.date else {}),
        "command": f"springbench {claim.command} {claim.id}",
    }


def studies_as_json(studies: StudyFigures, runtimes: Sequence[str]) -> str:
    """Figures of studies in base units. What a study does not say is left out."""
    document = [_study(study, runtimes) for study in studies.studies]
    return json.dumps(document, ensure_ascii=False, separators=(",", ":")) + "\n"


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
    for name, text in of_this_clone().items():
        (Path(sys.argv[1]) / name).write_text(text, encoding="utf-8")
