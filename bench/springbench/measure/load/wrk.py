"""wrk, the load generator in a closed loop. What it prints is kept raw beside this."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import NamedTuple

from pydantic import ValidationError

from springbench.errors import CaseError
from springbench.matrix.templates import (
    ENCODING,
    ERRORS,
    Column,
    Escape,
    Number,
    Part,
    Random,
    RequestTemplate,
)
from springbench.measure.load.drawn_requests import mixed_order
from springbench.measure.load.generator import (
    IDS_SEED,
    TIMEOUT_S,
    Place,
    Requests,
    RunningLoad,
    private_file,
    removed_unless_started,
)
from springbench.results.records import LoadSummary

SPREAD_SCRIPT = Path(__file__).with_name("wrk_spread.lua")
REPORT_SCRIPT = Path(__file__).with_name("wrk_report.lua")
_MARK = "SPRINGBENCH "
# what the socket of a new connection takes at once, on any link; wrk has nothing else under way
ONE_WRITE_BYTES = 16 << 10


@dataclass(frozen=True)
class Wrk:
    """wrk, as the host of the load has it."""

    program: str = "wrk"

    def start(self, requests: Requests, place: Place) -> RunningLoad[LoadSummary]:
        stdout = place.output.open("wb")
        private = self._private_script(requests, place)
        files = (private,) if private else ()
        with removed_unless_started(place.host, files):
            running = place.host.start(self.command(requests, place, private), stdout)
        size_bytes = mean_bytes(requests.templates, place.authority)
        return RunningLoad(
            self.program,
            place,
            running,
            stdout,
            lambda load: parse(load.printed),
            private=files,
            # one request may take several writes: what is written is counted instead
            counted=lambda sample: sample.counted_by(
                size_bytes if size_bytes > ONE_WRITE_BYTES else None
            ),
        )

    def command(self, requests: Requests, place: Place, private: Path | None = None) -> list[str]:
        """The command line; wrk takes whole seconds, and the load must outlast the window.

        A plain GET stands on it. All other requests are in a script of their own, because whoever
        lists processes reads command lines.
        """
        place.host.bring(REPORT_SCRIPT)  # other scripts read it from beside themselves
        threads = _threads(requests, place)
        route = "/" if private else requests.templates[0].title.partition(" ")[2]
        return [
            place.host.wrk,
            f"--threads={threads}",
            f"--connections={requests.connections}",
            f"--duration={max(1, math.ceil(requests.duration_s))}s",
            f"--timeout={TIMEOUT_S}s",
            "--latency",
            f"--script={place.host.bring(private or _report_of(requests))}",
            f"{place.base_url}{route}",
            "--",
            *_arguments(requests, threads),
        ]

    def _private_script(self, requests: Requests, place: Place) -> Path | None:
        """The script with all that is asked; None where that is a plain GET."""
        [first, *tail] = requests.templates
        if first.is_plain and not tail:
            return None
        place.host.bring(REPORT_SCRIPT)
        report = place.host.bring(_report_of(requests))
        text = script(requests, place.authority, _threads(requests, place), report)
        return private_file(text.encode(), ".lua")


def _threads(requests: Requests, place: Place) -> int:
    return max(1, min(place.threads, requests.connections))


def _report_of(requests: Requests) -> Path:
    """The script that reports in JSON, and has connections begin as they are asked to."""
    return SPREAD_SCRIPT if requests.begin_over_s else REPORT_SCRIPT


def _arguments(requests: Requests, threads: int) -> list[str]:
    """Arguments of its script; the first is for the report, which all have."""
    connections = str(requests.connections)
    if requests.begin_over_s:
        over_ms = f"{1000 * requests.begin_over_s:g}"
        return [connections, str(requests.connections // threads), str(threads), over_ms]
    return [connections]


def parse(output: str) -> LoadSummary:
    """The summary in wrk's output. Raises `CaseError` with wrk's last words when there is none."""
    for line in output.splitlines():
        if line.startswith(_MARK):
            try:
                return LoadSummary.model_validate(json.loads(line.removeprefix(_MARK)))
            except (json.JSONDecodeError, ValidationError) as error:
                raise CaseError(f"wrk's summary cannot be read: {line[:200]}") from error
    last = " | ".join(output.strip().splitlines()[-3:]) or "nothing"
    raise CaseError(f"wrk gave no summary; it printed: {last}")


# --- Requests as a script of wrk: whatever is the same each time is written out beforehand --------
# A constant request takes no CPU time of its own: wrk asks a script once for it. Where requests
# differ wrk calls the script for each, which is CPU time of the load generator.


# of a concatenation: Lua has registers for some two hundred
_MOST_OPERANDS = 40
_BODY_METHODS = ("POST", "PUT", "PATCH")
# of a number of a request, as loads have them
_NUMBER_LENGTH = 8
_PLAIN = frozenset(range(0x20, 0x7F)) - {ord('"'), ord("\\")}


def script(requests: Requests, authority: str, threads: int, report: str) -> str:
    """The script of a load. `report` is the path of the script that it builds on."""
    templates = requests.templates
    lines = [
        f"dofile({_literal(report)})",
        "local begun, placed, threads = init, setup, 0",
        "function setup(thread)",
        "  placed(thread)",
        '  thread:set("number", threads)',
        "  threads = threads + 1",
        "end",
        "function init(args)",
        "  begun(args)",
        f"  math.randomseed({IDS_SEED} + number)",
        f"  local first, step = {requests.first_number} + number, {threads}",
        "  local made = {}",
    ]
    for index, template in enumerate(templates, start=1):
        lines += [f"  {line}" for line in _maker(index, template, authority)]
    if len(templates) > 1:
        order = ",".join(str(index + 1) for index in mixed_order(templates))
        lines += [
            f"  local order = {{{order}}}",
            f"  local at = math.floor(number * #order / {threads})",
            "  function request()",
            "    at = at % #order + 1",
            "    local one = made[order[at]]",
            '    return type(one) == "string" and one or one()',
            "  end",
        ]
    elif is_constant(templates[0]):
        # without a function request() wrk asks once
        lines.append("  wrk.format = function() return made[1] end")
    else:
        lines.append("  request = made[1]")
    return "\n".join([*lines, "end", ""])


def is_constant(template: RequestTemplate) -> bool:
    """Whether it is the same each time."""
    return all(isinstance(part, str) for part in template.parts)


def mean_bytes(templates: Sequence[RequestTemplate], authority: str) -> float:
    """The mean size of a request of a load, as wrk writes it."""
    sizes = [_size_bytes(template, authority) for template in templates]
    weights = [template.weight for template in templates]
    return sum(size * weight for size, weight in zip(sizes, weights, strict=True)) / sum(weights)


class Piece(NamedTuple):
    """A part, and how its value is written where it stands."""

    part: Part
    escape: Escape


def _head(template: RequestTemplate, authority: str) -> list[Piece]:
    """Request line and headers, each with its end."""
    text, path = partial(Piece, escape="none"), partial(Piece, escape="path")
    pieces = [text(f"{template.method} "), *map(path, template.path), text(" HTTP/1.1\r\n")]
    if "host" not in {name.lower() for name, _ in template.headers}:
        pieces.append(text(f"Host: {authority}\r\n"))
    for name, value in template.headers:
        pieces += [text(f"{name}: "), *map(text, value), text("\r\n")]
    return pieces


def _body(template: RequestTemplate) -> list[Piece]:
    return [Piece(part, template.escape) for part in template.body or ()]


def _end_of_head(template: RequestTemplate, length: int) -> str:
    has_body = template.body is not None or template.method in _BODY_METHODS
    return f"Content-Length: {length}\r\n\r\n" if has_body else "\r\n"


def _size_bytes(template: RequestTemplate, authority: str) -> float:
    head, body = (
        sum(_mean_length(piece, template) for piece in pieces)
        for pieces in (_head(template, authority), _body(template))
    )
    return head + len(_end_of_head(template, round(body))) + body


def _mean_length(piece: Piece, template: RequestTemplate) -> float:
    part = piece.part
    if isinstance(part, Random):
        return part.mean_length
    if isinstance(part, Number):
        return _NUMBER_LENGTH
    rows = range(len(template.rows)) if isinstance(part, Column) else range(1)
    lengths = [len(_bytes(template.values(part, row, piece.escape) or "")) for row in rows]
    return sum(lengths) / len(lengths)


def _written(template: RequestTemplate, authority: str, row: int = 0) -> str:
    """The request in a row, of parts that are texts and columns."""
    head, body = (
        "".join(template.values(part, row, escape) or "" for part, escape in pieces)
        for pieces in (_head(template, authority), _body(template))
    )
    return f"{head}{_end_of_head(template, len(_bytes(body)))}{body}"


def _maker(index: int, template: RequestTemplate, authority: str) -> Iterator[str]:
    """Lines that set `made[index]`: a text, or a function that makes one."""
    kinds = {type(part) for part in template.parts}
    if kinds <= {str}:
        yield f"made[{index}] = {_literal(_written(template, authority))}"
        return
    rows = len(template.rows)
    yield "do"
    yield "  local n = first - step"
    if kinds <= {str, Column}:
        written = (_written(template, authority, row) for row in range(rows))
        yield f"  local rows = {{{','.join(map(_literal, written))}}}"
        yield f"  made[{index}] = function() n = n + step; return rows[n % {rows} + 1] end"
        yield "end"
        return
    head, body = _head(template, authority), _body(template)
    columns = [piece for piece in [*head, *body] if isinstance(piece.part, Column)]
    names = {piece: f"column{at}" for at, piece in enumerate(dict.fromkeys(columns))}
    for piece, name in names.items():
        values = (template.values(piece.part, row, piece.escape) or "" for row in range(rows))
        yield f"  local {name} = {{{','.join(map(_literal, values))}}}"
    yield f"  made[{index}] = function()"
    yield "    n = n + step"
    if names:
        yield f"    local row = n % {rows} + 1"
    if body:
        yield f"    local body = {_expression(body, names)}"
        head.append(Piece("Content-Length: ", "none"))
        yield f'    return {_expression(head, names)} .. #body .. "\\r\\n\\r\\n" .. body'
    else:
        end = Piece(_end_of_head(template, 0), "none")
        yield f"    return {_expression([*head, end], names)}"
    yield "  end"
    yield "end"


def _expression(pieces: Sequence[Piece], columns: Mapping[Piece, str]) -> str:
    """The pieces as one text of Lua."""
    merged: list[str | Piece] = []
    for piece in pieces:
        if not isinstance(piece.part, str):
            merged.append(piece)
        elif merged and isinstance(merged[-1], str):
            merged[-1] += piece.part
        else:
            merged.append(piece.part)
    operands = [
        _literal(element) if isinstance(element, str) else _operand(element, columns)
        for element in merged
    ]
    groups = [
        " .. ".join(operands[at : at + _MOST_OPERANDS])
        for at in range(0, len(operands), _MOST_OPERANDS)
    ]
    return groups[0] if len(groups) == 1 else " .. ".join(f"({group})" for group in groups)


def _operand(piece: Piece, columns: Mapping[Piece, str]) -> str:
    part = piece.part
    if isinstance(part, Random):
        return f"math.random({part.least}, {part.most})"
    return f"{columns[piece]}[row]" if isinstance(part, Column) else "n"


def _bytes(text: str) -> bytes:
    return text.encode(ENCODING, ERRORS)


def _literal(text: str) -> str:
    """The text as one of Lua, byte for byte."""
    plain = (chr(byte) if byte in _PLAIN else f"\\{byte:03d}" for byte in _bytes(text))
    return f'"{"".join(plain)}"'
