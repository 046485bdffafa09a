#!/usr/bin/env bash
# Compares BASE with HEAD and leaves report/comparison.json. The exit code is that of
# `springbench compare`: 1 for a regression where FAIL_ON says so, 4 when cases failed.
set -euo pipefail
# shellcheck source=.github/actions/options.sh
. "${BASH_SOURCE[0]%/*}/../options.sh"

options=()
add_options PROFILE CONNECTIONS BUDGET FAIL_ON WAIT
add_globs "${ONLY-}"

code=0
mkdir -p results
# a ref may begin with a dash; what follows `--` is no option
springbench compare "${options[@]}" --results results -- "$BASE" "$HEAD" || code=$?
found=$(find results -mindepth 2 -maxdepth 2 -name comparison.json | sort | tail -n 1)
if [ -n "$found" ]; then
  mkdir -p report
  cp -- "$found" report/comparison.json
  cat -- "${found%/*}.md" >>"$GITHUB_STEP_SUMMARY" || true
fi
exit "$code"
