"""Stacks of a sampling profiler: read from collapsed text, and kept as a tree."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Self

from pydantic import model_validator

from springbench.results.base import Record

Frames = tuple[str, ...]
Stack = tuple[Frames, int]
# how a frame was compiled
_KIND = re.compile(r"_\[[0-9a-z]\]$")
# what a JVM numbers in the order in which it makes it, so that each process has other numbers
_NUMBERED = re.compile(r"(?<=Proxy)\d+|(?<=Accessor)\d+|(?<=Accessor_)\d+")
# of a native library that a jar brings: it is unpacked under another name each time
_UNPACKED = re.compile(r"-?(?:[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|\d{6,})-?")
_LIBRARY = re.compile(r"(?:.*/)?(.+\.(?:so|dylib|dll|tmp))(?: \(deleted\))?$")
# Code of C1's runtime that tests types and has no frame of its own, by its names in JDK 25 and 17.
# async-profiler 4.6 takes an older frame for its caller: in one process another than in the next.
_WITHOUT_FRAME = re.compile(
    r"(?:C1 Runtime )?(?:slow_subtype_check|is_instance_of)(?:_blob| Runtime1 stub)"
)
_COMPILING = ("CompileBroker::", "Compilation::", "Compile::")
# a stack that was met once is not worth its bytes: it counts for the frames that others share
LEAST_SAMPLES = 2
# the place of frames that were met less often, so that their samples are not their caller's own
SELDOM = "…"
# follows the name of a method where what it calls is left out
ITSELF = " itself"
_NO_CALLER = -1


def parse(text: str) -> list[Stack]:
    """Collapsed stacks, `outer;inner 7` a line, each once. Lines of another form are left out."""
    totals: Counter[Frames] = Counter()
    for frames, weight in _stacks(text):
        totals[frames] += weight
    return list(totals.items())


def collapsed_text(stacks: Iterable[Stack]) -> str:
    """The same as text, each stack once."""
    totals: Counter[Frames] = Counter()
    for frames, weight in stacks:
        totals[frames] += weight
    return "".join(f"{';'.join(frames)} {weight}\n" for frames, weight in totals.items())


def _stacks(text: str) -> Iterator[Stack]:
    for line in text.splitlines():
        frames, _, weight = line.rpartition(" ")
        # one of no weight adds nothing, and says nothing
        if frames and weight.isdigit() and int(weight):
            yield tuple(map(_name, frames.split(";"))), int(weight)


def _name(frame: str) -> str:
    """The name that a frame has in every process."""
    if library := _LIBRARY.match(frame):
        return _UNPACKED.sub("", library[1])
    return _NUMBERED.sub("", _KIND.sub("", frame))


def without_compilers(stacks: Iterable[Stack]) -> list[Stack]:
    """The stacks of all but just-in-time compilers, whose time is no cost of a request."""
    return [
        (frames, weight)
        for frames, weight in stacks
        if not any(frame.startswith(_COMPILING) for frame in frames)
    ]


def java_frames(frames: Sequence[str]) -> Sequence[str]:
    """Those of Java, else what the JVM itself was at; that alone where its callers are unknown."""
    if _WITHOUT_FRAME.fullmatch(frames[-1]):
        return frames[-1:]
    java = [frame for frame in frames if "/" in frame and "." in frame]
    return java or [frame for frame in frames if "::" in frame] or frames


def with_itself(frames: Frames) -> Frames:
    """The frames, and after the innermost one what it does without calling another."""
    return frames[:-1] if frames[-1] == SELDOM else (*frames, frames[-1] + ITSELF)


class StackTree(Record):
    """Sampled stacks of one process, without its compilers, as two texts: they are long.

    `frames` are names, a line each. `nodes` are calls, a line each: the number of the node of its
    caller (an earlier one, or -1), that of its frame, and how many samples ended in it.
    """

    frames: str = ""
    nodes: str = ""

    @model_validator(mode="after")
    def _check_nodes(self) -> Self:
        frames = len(self.frames.split("\n"))
        for index, (caller, frame, samples) in enumerate(self._nodes):
            if not (_NO_CALLER <= caller < index and 0 <= frame < frames and samples >= 0):
                raise ValueError(f"node {index} is {caller} {frame} {samples}")
        return self

    @property
    def _nodes(self) -> list[tuple[int, int, int]]:
        """Raises `ValueError` where a line is none of three numbers."""
        nodes = []
        for line in self.nodes.splitlines():
            caller, frame, samples = map(int, line.split(" "))
            nodes.append((caller, frame, samples))
        return nodes

    @classmethod
    def of(cls, stacks: Iterable[Stack]) -> Self:
        """The tree of stacks; for frames that were met fewer than `LEAST_SAMPLES` times it has
        `SELDOM`, called by those that were met more often."""
        totals: Counter[Frames] = Counter()
        own: Counter[Frames] = Counter()
        for frames, samples in stacks:
            own[frames] += samples
            for depth in range(1, len(frames) + 1):
                totals[frames[:depth]] += samples
        kept = {frames for frames, samples in totals.items() if samples >= LEAST_SAMPLES}
        kept |= {frames[:1] for frames in totals}
        ended: Counter[Frames] = Counter()
        for frames, samples in own.items():
            depth = next(d for d in range(len(frames), 0, -1) if frames[:d] in kept)
            ended[(*frames[:depth], SELDOM) if depth < len(frames) else frames] += samples
        kept |= set(ended)
        names: dict[str, int] = {}
        places: dict[Frames, int] = {}
        lines = []
        # a caller is shorter than what it calls
        for frames in sorted(kept, key=lambda frames: (len(frames), frames)):
            caller = places[frames[:-1]] if len(frames) > 1 else _NO_CALLER
            places[frames] = len(places)
            frame = names.setdefault(frames[-1], len(names))
            lines.append(f"{caller} {frame} {ended[frames]}")
        return cls(frames="\n".join(names), nodes="\n".join(lines))

    @property
    def samples(self) -> int:
        """How many there are."""
        return sum(samples for _, _, samples in self._nodes)

    def stacks(self) -> list[Stack]:
        """Each stack with how often a sample ended in it."""
        names, nodes = self.frames.split("\n"), self._nodes
        stacks: list[Frames] = []
        for caller, frame, _ in nodes:
            outer = stacks[caller] if caller != _NO_CALLER else ()
            stacks.append((*outer, names[frame]))
        return [
            (frames, samples)
            for frames, (_, _, samples) in zip(stacks, nodes, strict=True)
            if samples
        ]
