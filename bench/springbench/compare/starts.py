"""How the sides are started, where that is not the same: a commit may change it, too."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from springbench.compare.sides import RequestedSide
from springbench.plan.cases import Variant
from springbench.plan.plan import Plan
from springbench.results.run import Caution

_MOST_NAMED = 3


def started_differently(plan: Plan, sides: Sequence[RequestedSide]) -> Iterator[Caution]:
    """Words that only one side's command has, with the variants that they are of."""
    base, head = sides
    if base.variant or head.variant:
        # who asks for two variants knows that they differ
        return
    found: dict[str, list[str]] = {}
    for name, cases in plan.by_variant().items():
        before, after = (_words(side.own(cases[0].variant)) for side in (base, head))
        gone = [word for word in before if word not in after]
        new = [word for word in after if word not in before]
        if gone or new:
            found.setdefault(f"head with {_listed(new)}, base with {_listed(gone)}", []).append(
                name
            )
    for difference, names in found.items():
        more = len(names) - _MOST_NAMED
        of = ", ".join(names[:_MOST_NAMED]) + (f" and {more} more" if more > 0 else "")
        yield Caution(
            code="started-differently",
            message=f"started differently, {difference}: {of}",
        )


def _words(variant: Variant) -> list[str]:
    """The words of its command before its places are filled in, and what it gets beside them."""
    model, server = variant.model, variant.server
    return [
        *variant.runtime.start,
        *(f"{key}={value}" for key, value in server.environment.items()),
        *(f"{name} of the caller" for name in server.pass_env),
        *(f"-D{key}={value}" for key, value in model.system_properties.items()),
        *(f"--{key}={value}" for key, value in model.properties_for(server.id, 1).items()),
    ]


def _listed(words: Sequence[str]) -> str:
    return " ".join(words) or "nothing instead"
