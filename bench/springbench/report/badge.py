"""A badge: one label and one value, as an SVG for a README. Pure.

It is shown through proxies of others: no script, no font, nothing from elsewhere. White letters
have a contrast of at least 4.5 to 1 on its colours.
"""

from __future__ import annotations

from typing import Literal
from xml.sax.saxutils import escape, quoteattr

from springbench.untrusted import clipped, one_line

Tone = Literal["good", "bad", "plain"]
_COLOURS: dict[Tone, str] = {"good": "#0b6b52", "bad": "#b3261e", "plain": "#0b5a9d"}
_LABEL_COLOUR = "#484f58"
HEIGHT = 20
MOST_LETTERS = 60
# the usual letter of a sans-serif of 11 px; what is narrower is stretched to it by textLength
_LETTER_WIDTH = 6.4
_PADDING = 6


def render(label: str, value: str, tone: Tone) -> str:
    """The picture. Words of others are cut at `MOST_LETTERS`."""
    left, right = (clipped(one_line(text), MOST_LETTERS) for text in (label, value))
    split, end = _width(left), _width(left) + _width(right)
    name = f"{left}: {right}"
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{end}" height="{HEIGHT}" role="img" '
        f"aria-label={quoteattr(name)}><title>{escape(name)}</title>"
        f'<clipPath id="r"><rect width="{end}" height="{HEIGHT}" rx="3"/></clipPath>'
        f'<g clip-path="url(#r)"><rect width="{split}" height="{HEIGHT}" fill="{_LABEL_COLOUR}"/>'
        f'<rect x="{split}" width="{end - split}" height="{HEIGHT}" fill="{_COLOURS[tone]}"/></g>'
        '<g fill="#fff" font-family="Verdana,DejaVu Sans,sans-serif" font-size="11" '
        f'text-anchor="middle">{_words(left, 0, split)}{_words(right, split, end)}</g></svg>\n'
    )


def _width(text: str) -> int:
    return round(len(text) * _LETTER_WIDTH) + 2 * _PADDING


def _words(text: str, start: int, end: int) -> str:
    length = end - start - 2 * _PADDING
    return f'<text x="{(start + end) / 2:g}" y="14" textLength="{length}">{escape(text)}</text>'
