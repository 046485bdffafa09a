#!/usr/bin/env bash
# Compares BASE with HEAD below results/; collect.sh takes what it has left, however it ended. The
# exit code is that of `springbench compare`: 1 for a regression where FAIL_ON says so, 4 when cases
# failed.
set -euo pipefail
# shellcheck source=.github/actions/options.sh
. "${BASH_SOURCE[0]%/*}/../options.sh"

options=(--prepare-host)
add_options PROFILE CONNECTIONS BUDGET FAIL_ON WAIT
add_globs "${ONLY-}"

mkdir -p results
# a ref may begin with a dash; what follows `--` is no option
exec springbench compare "${options[@]}" --results results -- "$BASE" "$HEAD"
