"""A digest of what git knows or would add below some paths, of the tools, and of their names.

Usage: digest.py PATH...: prints it. `check.sh` keeps it beside a step that has passed.
"""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
from pathlib import Path

TOP = Path(__file__).resolve().parent.parent


def digest(paths: list[str], top: Path = TOP) -> str:
    """Of names and contents, and of what else decides: the JDK and this file's version of it."""
    command = ["git", "-C", str(top), "ls-files", "-co", "--exclude-standard", "-z", "--", *paths]
    listed = subprocess.run(command, capture_output=True, check=True).stdout.decode()
    total = hashlib.sha256(os.environ.get("JAVA_HOME", "").encode())
    for name in sorted(filter(None, listed.split("\0"))):
        file = top / name
        content = file.read_bytes() if file.is_file() else b"gone"
        # lengths, so that no content can pass for the start of the next name
        total.update(f"{len(name)} {len(content)} {name}".encode() + content)
    return total.hexdigest()


if __name__ == "__main__":
    sys.stdout.write(digest(sys.argv[1:]) + "\n")
