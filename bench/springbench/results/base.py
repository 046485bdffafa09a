"""What all records have in common."""

from __future__ import annotations

from collections.abc import Iterable, Sized

from pydantic import BaseModel, ConfigDict


class Record(BaseModel):
    """Nothing is added to a record that its schema does not name."""

    model_config = ConfigDict(extra="forbid", defer_build=True)


def check_lengths(length: int, columns: Iterable[tuple[str, Sized]]) -> None:
    """Raises `ValueError` that names the first column with another length."""
    for name, column in columns:
        if len(column) != length:
            raise ValueError(f"{name} has {len(column)} entries, where {length} belong")


def check_indices(name: str, indices: Iterable[int | None], length: int) -> None:
    """Raises `ValueError` where one of them points at nothing."""
    for index in indices:
        if index is not None and not 0 <= index < length:
            raise ValueError(f"{name} points at entry {index} of {length}")
