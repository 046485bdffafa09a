"""JSON Schemas, generated from the models: `python -m springbench.results.schema <folder>`."""

from __future__ import annotations

import json
import sys
from pathlib import Path

from springbench.results.model import Run


def schemas() -> dict[str, str]:
    """File name and text of each schema."""
    document = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        **Run.model_json_schema(by_alias=True, mode="serialization"),
    }
    return {"run.schema.json": json.dumps(document, indent=2) + "\n"}


def write(folder: Path) -> None:
    """Write every schema into `folder`."""
    for name, text in schemas().items():
        (folder / name).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    write(Path(sys.argv[1]))
