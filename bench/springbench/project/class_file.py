"""Annotations of a Java class, as its file has them (JVM specification, chapter 4)."""

from __future__ import annotations

import struct
from collections.abc import Iterator
from dataclasses import dataclass

Annotations = dict[str, dict[str, object]]
"""Values by name, of each annotation by its type, as in `Ljava/lang/Deprecated;`."""
_MAGIC = 0xCAFEBABE
_UTF8 = 1
# bytes of a constant behind its tag; long and double count as two constants
_CONSTANT_BYTES = {
    **dict.fromkeys((7, 8, 16, 19, 20), 2),
    15: 3,
    **dict.fromkeys((3, 4, 9, 10, 11, 12, 17, 18), 4),
    **dict.fromkeys((5, 6), 8),
}
_WIDE = (5, 6)


@dataclass(frozen=True)
class AnnotatedClass:
    """The annotations of a class or interface, and of each of its methods."""

    annotations: Annotations
    methods: tuple[Annotations, ...]


def read_class(data: bytes) -> AnnotatedClass | None:
    """The class in a file; None for what is none."""
    try:
        return _Reader(data).read()
    except (struct.error, KeyError, IndexError, UnicodeDecodeError):
        return None


class _Reader:
    def __init__(self, data: bytes) -> None:
        self._data = data
        self._at = 0
        self._texts: dict[int, str] = {}

    def read(self) -> AnnotatedClass | None:
        if self._take("I") != _MAGIC:
            return None
        self._at += 4
        self._read_constants()
        self._at += 6
        interfaces = self._take("H")
        self._at += 2 * interfaces
        # fields
        list(self._members())
        methods = tuple(self._members())
        return AnnotatedClass(self._annotations(), methods)

    def _take(self, form: str) -> int:
        [value] = struct.unpack_from(f">{form}", self._data, self._at)
        self._at += struct.calcsize(form)
        return int(value)

    def _read_constants(self) -> None:
        count, index = self._take("H"), 1
        while index < count:
            tag = self._take("B")
            if tag == _UTF8:
                size = self._take("H")
                text = self._data[self._at : self._at + size]
                self._texts[index] = text.decode("utf-8", "replace")
                self._at += size
            else:
                self._at += _CONSTANT_BYTES[tag]
            index += 2 if tag in _WIDE else 1

    def _members(self) -> Iterator[Annotations]:
        for _ in range(self._take("H")):
            self._at += 6
            yield self._annotations()

    def _annotations(self) -> Annotations:
        """Of the member or class whose attributes begin here."""
        found: Annotations = {}
        for _ in range(self._take("H")):
            name, size = self._texts[self._take("H")], self._take("I")
            end = self._at + size
            if name == "RuntimeVisibleAnnotations":
                found |= dict(self._annotation() for _ in range(self._take("H")))
            self._at = end
        return found

    def _annotation(self) -> tuple[str, dict[str, object]]:
        kind = self._texts[self._take("H")]
        pairs = range(self._take("H"))
        return kind, {self._texts[self._take("H")]: self._value() for _ in pairs}

    def _value(self) -> object:
        match chr(self._take("B")):
            case "e":
                self._take("H")
                return self._texts[self._take("H")]
            case "@":
                return self._annotation()
            case "[":
                return [self._value() for _ in range(self._take("H"))]
            case _:
                # a number is a constant of another kind: it has no text
                return self._texts.get(self._take("H"))
