"""Whether a service that does not get ready waits for another one, which it tries again and again.

Pure: times and readings come from the caller.
"""

from __future__ import annotations

from springbench.measure.server.log import unreached

# who gives up by itself and starts without the other, as clients of Kafka do and pools of
# connections, does so within 40 s
WAITING_S = 45.0
# attempts with longer pauses between them are none of a row
LONGEST_PAUSE_S = 20.0
# who still works on its start, while something in it tries in vain, has more than that
WAITING_CPUS = 0.25


class Attempts:
    """Attempts of a service to reach others, as its log and its connections show them."""

    def __init__(self) -> None:
        self.address = ""
        """To which a connection was last seen to be opened; empty where none was seen."""
        self._read = 0
        self._began_s = self._last_s = self._had_s = 0.0
        self._seen = False

    def is_waiting(self, log: str, opening: str, now_s: float, cpu_s: float) -> bool:
        """Whether it has done nothing but that for `WAITING_S`.

        `log` is all that it has printed, `opening` the address of a connection that is being opened
        at `now_s`, if any, and `cpu_s` the CPU time that it has had.
        """
        end = log.rfind("\n") + 1
        lines, self._read = log[self._read : end].splitlines(), max(end, self._read)
        self.address = opening or self.address
        if not opening and not unreached(lines):
            return False
        if not self._seen or now_s - self._last_s > LONGEST_PAUSE_S:
            self._seen, self._began_s, self._had_s = True, now_s, cpu_s
        self._last_s = now_s
        took_s = now_s - self._began_s
        return took_s >= WAITING_S and cpu_s - self._had_s < WAITING_CPUS * took_s
