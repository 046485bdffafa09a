"""The questions and claims as the dashboard has them: `python -m` this, with a folder.

The dashboard brings them along: it lists those too that nobody has measured on a host class, and
those belong to no run.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from springbench.matrix.load import load_matrix
from springbench.paths import CLAIMS, MATRIX, QUESTIONS, STUDIES
from springbench.results.claim_file import load_claims
from springbench.results.claims import Claim, Source
from springbench.results.question_file import load_questions
from springbench.results.questions import Question
from springbench.results.study_file import read_studies


def of_this_clone() -> dict[str, str]:
    """Files by name: ids, words, and the command that measures each."""
    matrix = load_matrix(MATRIX)
    questions = load_questions(QUESTIONS, matrix).questions
    claims = load_claims(CLAIMS, matrix, read_studies(STUDIES).studies)
    rows = [_claim(each, claims.source(each)) for each in claims.claims]
    return {"questions.json": _text(map(_question, questions)), "claims.json": _text(rows)}


def _text(rows: Iterable[dict[str, Any]]) -> str:
    return json.dumps([*rows], ensure_ascii=False, indent=2) + "\n"


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


if __name__ == "__main__":
    for name, text in of_this_clone().items():
        (Path(sys.argv[1]) / name).write_text(text, encoding="utf-8")
