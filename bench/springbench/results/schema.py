"""JSON Schemas and the registry of metrics: `python -m springbench.results.schema <folder>`."""

from __future__ import annotations

import json
import sys
from functools import cache
from pathlib import Path

from pydantic import BaseModel
from pydantic.json_schema import JsonSchemaMode

from springbench.matrix.rows import Matrix
from springbench.matrix.service_rows import Service
from springbench.results.compared import ComparedFile
from springbench.results.comparison import Comparison
from springbench.results.history import Index, Month, Series
from springbench.results.metrics import registry
from springbench.results.published_comparison import EvidenceFile, PublishedComparison
from springbench.results.published_run import PublishedRun
from springbench.results.run import UNRANKED, Run
from springbench.results.steps import Context, Steps

# a run names every field; a published file leaves out what has nothing to say
SCHEMAS: dict[str, tuple[type[BaseModel], JsonSchemaMode]] = {
    "run": (Run, "serialization"),
    "comparison": (Comparison, "serialization"),
    "published-run": (PublishedRun, "validation"),
    "published-comparison": (PublishedComparison, "validation"),
    "index": (Index, "validation"),
    "month": (Month, "validation"),
    "series": (Series, "validation"),
    "steps": (Steps, "validation"),
    "context": (Context, "validation"),
    "compared": (ComparedFile, "validation"),
    "evidence": (EvidenceFile, "validation"),
    "matrix": (Matrix, "validation"),
    "springbench": (Service, "validation"),
}


@cache
def schemas() -> dict[str, str]:
    """File name and text of each schema, and of the registry of metrics."""
    texts = {f"{name}.schema.json": _text(model, mode) for name, (model, mode) in SCHEMAS.items()}
    return {**texts, "metrics.json": _metrics()}


def write(folder: Path) -> None:
    """Write every schema into `folder`."""
    for name, text in schemas().items():
        (folder / name).write_text(text, encoding="utf-8")


def _text(model: type[BaseModel], mode: JsonSchemaMode) -> str:
    document = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        **model.model_json_schema(by_alias=True, mode=mode),
    }
    return json.dumps(document, indent=2) + "\n"


def _metrics() -> str:
    """With the bottlenecks of a throughput that is not what the server can do."""
    document = {**registry(), "unranked": sorted(UNRANKED)}
    return json.dumps(document, indent=2, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    write(Path(sys.argv[1]))
