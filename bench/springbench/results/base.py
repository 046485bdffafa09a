"""What all records have in common."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict


class Record(BaseModel):
    """Nothing is added to a record that its schema does not name."""

    model_config = ConfigDict(extra="forbid")
