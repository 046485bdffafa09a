"""A second, independent client: shares no code with wrk, and times what it receives itself.

A closed loop over plain sockets on one event loop. It is slower than wrk, and only has to be
right: it confirms a rate that wrk reported, at loads that an interpreter can carry.
"""

from __future__ import annotations

import asyncio

from springbench.measure.services.http import HOST

# beyond this an interpreter is the limit itself
MAX_RATE_RPS = 4000.0


def measure_rate(
    port: int, connections: int, delay_s: float, window_s: float, host: str = HOST
) -> float:
    """Answers per second of a target that delays each answer by `delay_s`.

    Each connection times whole cycles, from one answer to another, so that no answer is cut by
    the edge of a window; the first two are left out. Raises `OSError` when refused.
    """
    cycles = max(2, round(window_s / delay_s))
    return asyncio.run(_measure(host, port, connections, cycles))


async def _measure(host: str, port: int, connections: int, cycles: int) -> float:
    streams = [await asyncio.open_connection(host, port) for _ in range(connections)]
    rates = await asyncio.gather(*(_rate(reader, writer, cycles) for reader, writer in streams))
    for _, writer in streams:
        writer.close()
    return sum(rates)


async def _rate(reader: asyncio.StreamReader, writer: asyncio.StreamWriter, cycles: int) -> float:
    """Answers per second of one connection."""
    loop = asyncio.get_running_loop()
    request = f"GET / HTTP/1.1\r\nHost: {HOST}\r\n\r\n".encode("ascii")
    answered_at_s: list[float] = []
    for _ in range(2 + cycles):
        writer.write(request)
        head = await reader.readuntil(b"\r\n\r\n")
        await reader.readexactly(_body_bytes(head))
        answered_at_s.append(loop.time())
    return cycles / (answered_at_s[-1] - answered_at_s[1])


def _body_bytes(head: bytes) -> int:
    for line in head.split(b"\r\n"):
        name, _, value = line.partition(b":")
        if name.lower() == b"content-length":
            return int(value)
    return 0
