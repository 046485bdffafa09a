"""The JSON Schemas in bench/schema are those of the models."""

from __future__ import annotations

import json
from pathlib import Path

import jsonschema
import pytest

from springbench.matrix.rows import Matrix
from springbench.paths import ROOT
from springbench.results.schema import schemas, write
from tests.samples import empty_run, full_run

FOLDER = ROOT / "bench" / "schema"


def test_the_stored_schemas_are_not_stale() -> None:
    stored = {file.name: file.read_text(encoding="utf-8") for file in FOLDER.glob("*.json")}
    assert stored == schemas(), "cd bench && python -m springbench.results.schema schema"


def test_writing_writes_them_all(tmp_path: Path) -> None:
    write(tmp_path)
    assert {file.name: file.read_text(encoding="utf-8") for file in tmp_path.iterdir()} == schemas()


def test_the_schema_of_a_run_is_one() -> None:
    schema = json.loads(schemas()["run.schema.json"])
    jsonschema.Draft202012Validator.check_schema(schema)


def test_a_run_keeps_to_the_schema(matrix: Matrix) -> None:
    schema = json.loads(schemas()["run.schema.json"])
    for run in (empty_run(), full_run(matrix)):
        jsonschema.validate(json.loads(run.model_dump_json(by_alias=True)), schema)


def test_what_the_schema_does_not_name_is_refused(matrix: Matrix) -> None:
    schema = json.loads(schemas()["run.schema.json"])
    data = json.loads(full_run(matrix).model_dump_json(by_alias=True))
    data["results"][0]["forks"][0]["load"]["more"] = 1
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(data, schema)
