"""Which published releases are meant: `4.0.3`, `3.5.0..3.5.16`, or `4.0.0..`. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Self

from springbench.errors import ConfigurationError

_VERSION = re.compile(r"(0|[1-9]\d{0,2})\.(0|[1-9]\d{0,2})\.(0|[1-9]\d{0,2})", re.ASCII)
_ALLOWED = "allowed: one release as 4.0.3, a range as 3.5.0..3.5.16, or an open one as `4.0.0..`"


@dataclass(frozen=True, order=True)
class Version:
    """A release; milestones and candidates are none."""

    major: int
    minor: int
    patch: int

    @classmethod
    def parse(cls, text: str) -> Self | None:
        """None for what is no release, as `4.1.0-RC1`."""
        found = _VERSION.fullmatch(text)
        return cls(*map(int, found.groups())) if found else None

    def __str__(self) -> str:
        return f"{self.major}.{self.minor}.{self.patch}"


@dataclass(frozen=True)
class Span:
    """Releases from `first` to `last`, both with it; without a last one all that came after."""

    text: str
    first: Version
    last: Version | None

    def has(self, version: Version) -> bool:
        """Whether the release lies in it."""
        return self.first <= version and (self.last is None or version <= self.last)


def parse_span(text: str) -> Span:
    """Raises `ConfigurationError` for what names no releases."""
    begin, dots, end = text.strip().partition("..")
    first = Version.parse(begin)
    last = Version.parse(end) if end else None
    if first is None or (end and last is None):
        wrong = begin if first is None else end
        raise ConfigurationError(
            f"{text!r}: {wrong!r} is no release of Spring Boot; {_ALLOWED}. "
            "Milestones and release candidates are not measured"
        )
    if last and last < first:
        raise ConfigurationError(f"{text!r}: ends before it begins; write {last}..{first}")
    return Span(text, first, None if dots and not end else last or first)


def chosen(spans: Sequence[Span], published: Iterable[str]) -> list[Version]:
    """The releases that are meant, oldest first.

    Numbers that a list of what is published leaves out are among them: a mirror may have what its
    list does not name, and where it has not, that is said.

    Raises `ConfigurationError` for a span without any, with those that are nearest.
    """
    known = _known(published)
    for span in spans:
        if not any(span.has(each) for each in known):
            raise ConfigurationError(
                f"{span.text!r}: no such release is published; {_nearest(span, known)}"
            )
    return [each for each in _without_gaps(known) if any(span.has(each) for span in spans)]


def how_far(base: Version, head: Version, published: Iterable[str]) -> int:
    """How many releases head is after base: 1 where none lies between, measured or not."""
    return sum(base < each <= head for each in _without_gaps(_known(published)))


def _known(published: Iterable[str]) -> list[Version]:
    return sorted({found for text in published if (found := Version.parse(text))})


def _without_gaps(known: Sequence[Version]) -> list[Version]:
    """Each patch of each minor up to the last that is known."""
    last: dict[tuple[int, int], int] = {}
    for each in known:
        last[each.major, each.minor] = each.patch
    return sorted(Version(*minor, patch) for minor, end in last.items() for patch in range(end + 1))


def _nearest(span: Span, known: Sequence[Version]) -> str:
    before = [each for each in known if each < span.first][-1:]
    after = [each for each in known if each > (span.last or span.first)][:1]
    names = ", ".join(map(str, [*before, *after]))
    return f"the nearest: {names}" if names else "none is known at all"
