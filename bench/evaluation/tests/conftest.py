"""The set-up that these tests share with those of the harness."""

from __future__ import annotations

from tests.conftest import (
    matrix,
    nothing_left_behind,
    pytest_collection_modifyitems,
    pytest_runtest_protocol,
)

__all__ = [
    "matrix",
    "nothing_left_behind",
    "pytest_collection_modifyitems",
    "pytest_runtest_protocol",
]
