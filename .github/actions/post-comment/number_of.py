"""Prints the number of the pull request whose last commit is the argument, from a list of GitHub.

usage: number_of.py SHA <list.json      Prints nothing where there is none.
"""

from __future__ import annotations

import json
import sys

for pull in json.load(sys.stdin):
    if pull["head"]["sha"] == sys.argv[1]:
        sys.stdout.write(f"{int(pull['number'])}\n")
        break
