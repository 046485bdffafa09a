#!/bin/sh
# Builds the Python package into dist/: a wheel with the report page in it, which needs no clone.
#
# usage: bench/wheel.sh        after bench/bootstrap.sh and site/build.sh
set -eu

top=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd)
page=$top/site/report/report.html
inside=$top/bench/springbench/page
if [ ! -f "$page" ]; then
  printf '%s\n' 'springbench: the report page is missing: "make wheel" builds it' >&2
  exit 3
fi
mkdir -p "$inside" "$top/dist"
trap 'rm -rf "$inside"' EXIT
cp "$page" "$inside/report.html"
cd "$top/bench"
# one time in the archive: the same sources give the same bytes
SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-1767225600}
export SOURCE_DATE_EPOCH
"$top/.venv/bin/python" -c '
import sys
from flit_core.buildapi import build_wheel
print("dist/" + build_wheel(sys.argv[1]))
' "$top/dist"
