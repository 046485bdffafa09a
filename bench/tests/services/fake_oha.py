"""A program with oha's command line that writes a list of answers without asking anybody.

FAKE_OHA: `fine`; `fails` ends with 1; `silent` writes nothing; `hangs` until it is interrupted, and
then has half of the answers.
"""

from __future__ import annotations

import os
import signal
import sys
import time
from pathlib import Path

HEAD = "request-start,DNS,DNS+dialup,Response-delay,request-duration,bytes,status"


def main() -> int:
    options = dict(word.split("=", 1) for word in sys.argv if "=" in word)
    rate_rps, requests = float(options["-q"]), int(options["-n"])
    behaviour = os.environ["FAKE_OHA"]
    if behaviour == "hangs":
        ended: list[int] = []
        signal.signal(signal.SIGINT, lambda *_: ended.append(1))
        while not ended:
            time.sleep(0.01)
        requests //= 2
    if behaviour == "fails":
        sys.stdout.write("too many open files\n")
        return 1
    if behaviour == "silent":
        return 0
    rows = (f"{index / rate_rps},0,0,0.01,0.01,5,200" for index in range(requests))
    Path(options["--output"]).write_text("\n".join([HEAD, *rows]) + "\n", encoding="ascii")
    return 0


if __name__ == "__main__":
    sys.exit(main())
