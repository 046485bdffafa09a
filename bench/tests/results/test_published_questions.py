"""The dashboard's questions and claims are those of questions.toml and claims.toml."""

from __future__ import annotations

from springbench.matrix.rows import Matrix
from springbench.paths import QUESTIONS, ROOT
from springbench.results.published_questions import of_this_clone
from springbench.results.question_file import load_questions

GENERATED = ROOT / "site" / "src" / "generated"


def test_the_stored_files_are_not_stale() -> None:
    renewed_by = "python -m springbench.results.published_questions ../site/src/generated"
    stored = {name: (GENERATED / name).read_text(encoding="utf-8") for name in of_this_clone()}
    assert stored == of_this_clone(), renewed_by


def test_each_question_has_chinese_words(matrix: Matrix) -> None:
    for question in load_questions(QUESTIONS, matrix).questions:
        chinese = question.in_chinese()
        assert chinese is not None
        assert chinese.question != question.question
        assert [*chinese.steps] == [*question.steps]
        assert len(chinese.answer) == len(question.answer)
