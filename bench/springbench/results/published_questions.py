"""The questions as the dashboard has them: `python -m` this, with a file.

The dashboard brings them along: it lists those too that nobody has measured on a host class, and
those belong to no run.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from springbench.matrix.load import load_matrix
from springbench.paths import MATRIX, QUESTIONS
from springbench.results.question_file import load_questions
from springbench.results.questions import Question


def of_this_clone() -> str:
    """The whole file as text: ids, the questions in both languages, what measures each."""
    questions = load_questions(QUESTIONS, load_matrix(MATRIX)).questions
    return json.dumps([_row(each) for each in questions], ensure_ascii=False, indent=2) + "\n"


def _row(question: Question) -> dict[str, Any]:
    return {
        "id": question.id,
        "en": question.question,
        "zh": (question.in_chinese() or question).question,
        "command": f"springbench {question.command} {question.id}",
    }


if __name__ == "__main__":
    Path(sys.argv[1]).write_text(of_this_clone(), encoding="utf-8")
