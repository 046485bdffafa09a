#!/usr/bin/env bash
# Measures ONLY of PROFILE with the jars in JARS, into the run folder results/ID.
# The exit code is that of `springbench run`: 4 when cases failed, and the folder is there all the same.
set -euo pipefail
# shellcheck source=.github/actions/options.sh
. "${BASH_SOURCE[0]%/*}/../options.sh"

# a server that could not be built fails, and takes no other one with it
options=(--keep-going --prepare-host)
add_options ID PROFILE CONNECTIONS FORKS DURATION MATRIX JARS WAIT
add_globs "${ONLY-}"

code=0
springbench run "${options[@]}" || code=$?
if [ -f "results/$ID/run.json" ]; then
  springbench report "results/$ID" --format markdown >>"$GITHUB_STEP_SUMMARY"
fi
exit "$code"
