"""How often statistical tests draw: all of it in `make test-all`, a third of it before."""

from __future__ import annotations

from hypothesis import settings

FULL_EXAMPLES, QUICK_EXAMPLES = 60, 15


def draws(full: int) -> int:
    """So many, or a third where the quick profile of hypothesis is in force."""
    return full if settings().max_examples >= FULL_EXAMPLES else full // 3
