"""The dashboard's figures of studies are those of studies.toml."""

from __future__ import annotations

import json

from springbench.matrix.rows import Matrix
from springbench.paths import STUDIES
from springbench.results.published_questions import studies_as_json
from springbench.results.study_file import load_studies


def test_every_figure_is_there_in_base_units(matrix: Matrix) -> None:
    studies = load_studies(STUDIES, matrix)
    runtimes = [row.id for row in matrix.runtimes]
    found = json.loads(studies_as_json(studies, runtimes))
    assert [item["id"] for item in found] == [study.id for study in studies.studies]
    for study, entry in zip(studies.studies, found, strict=True):
        for figure, row in zip(study.figures, entry["figures"], strict=True):
            variant = "-".join(row[axis] for axis in ("boot", "server", "model", "runtime"))
            assert variant == figure.variant
            assert row["runtime"] in runtimes
            assert row["published"] == figure.median
            assert row["unit"] == figure.base_unit
            assert row.get("workload") == figure.workload


def test_what_a_study_does_not_say_is_left_out(matrix: Matrix) -> None:
    studies = load_studies(STUDIES, matrix)
    for study, entry in zip(studies.studies, json.loads(studies_as_json(studies, [])), strict=True):
        assert ("machine" in entry["setting"]) == (study.machine is not None)
        assert None not in entry["setting"].values()
