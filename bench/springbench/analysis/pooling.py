"""Several affected series of one step as one number: how much of the claimed step is there. Pure.

An affected series that claims +8 % and of which +6 % is measured shows a share of 0.76, as
logarithms: 0 where nothing has changed, 1 where all of it is there, below 0 where it went the
other way.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Share:
    """Share of a claimed step, with its standard error and the degrees of freedom behind it.

    `group` names the processes that it was measured on: what comes from the same ones goes wrong
    together.
    """

    group: Hashable
    value: float
    error: float
    degrees: float

    def p_above(self, bound: float) -> float:
        """How probable so large a share is where the true one is `bound`, or less."""
        from scipy.special import stdtr  # noqa: PLC0415 - see intervals.py

        return float(stdtr(self.degrees, (bound - self.value) / self.error))

    def p_below(self, bound: float) -> float:
        """How probable so small a share is where the true one is `bound`, or more."""
        return 1 - self.p_above(bound)


def pooled(shares: Sequence[Share]) -> Share:
    """One share from all, the surest weighing most. Raises ValueError without any.

    Within a group errors are taken to be the same error, so that more metrics of the same
    processes make nothing surer. Between groups they are independent.
    """
    if not shares:
        raise ValueError("no shares")
    groups: dict[Hashable, list[Share]] = {}
    for share in shares:
        groups.setdefault(share.group, []).append(share)
    return _of_groups([_of_one_group(members) for members in groups.values()])


def added(shares: Sequence[Share]) -> Share:
    """One share from those of steps that follow on one another, measured by different processes;
    the degrees of freedom are Satterthwaite's (1946). Raises ValueError without any."""
    if not shares:
        raise ValueError("no shares")
    variances = [share.error**2 for share in shares]
    doubt = sum(
        variance**2 / share.degrees for variance, share in zip(variances, shares, strict=True)
    )
    return Share(
        shares[0].group,
        sum(share.value for share in shares),
        math.sqrt(sum(variances)),
        sum(variances) ** 2 / doubt,
    )


def _of_one_group(members: Sequence[Share]) -> Share:
    weights = [_weight(member) for member in members]
    return Share(
        members[0].group,
        _mean([member.value for member in members], weights),
        _mean([member.error for member in members], weights),
        min(member.degrees for member in members),
    )


def _of_groups(groups: Sequence[Share]) -> Share:
    """Inverse variances as weights. That these are estimates too widens the error (Meier, 1953);
    the degrees of freedom are Satterthwaite's (1946)."""
    weights = [_weight(group) for group in groups]
    total = sum(weights)
    parts = [weight / total for weight in weights]
    doubt = sum(
        part * (1 - part) / group.degrees for part, group in zip(parts, groups, strict=True)
    )
    return Share(
        None,
        _mean([group.value for group in groups], weights),
        math.sqrt((1 + 4 * doubt) / total),
        1 / sum(part**2 / group.degrees for part, group in zip(parts, groups, strict=True)),
    )


def _weight(share: Share) -> float:
    return 1 / share.error**2


def _mean(values: Sequence[float], weights: Sequence[float]) -> float:
    pairs = zip(values, weights, strict=True)
    return sum(value * weight for value, weight in pairs) / sum(weights)
