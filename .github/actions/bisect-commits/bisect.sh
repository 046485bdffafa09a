#!/usr/bin/env bash
# Bisects GOOD to BAD below results/ by METRIC of CASE; collect.sh takes the comparisons that it has
# made, however it ended. What it says goes into the summary too.
set -euo pipefail
# shellcheck source=.github/actions/options.sh
. "${BASH_SOURCE[0]%/*}/../options.sh"

options=(--prepare-host)
add_options CASE METRIC PROFILE BUDGET WAIT

mkdir -p results
# a ref may begin with a dash; what follows `--` is no option
code=0
springbench bisect "${options[@]}" --results results -- "$GOOD" "$BAD" | tee said || code=$?
{
  echo '```text'
  # nothing that was said can end the block
  sed 's/`/ˋ/g' said
  echo '```'
} >>"$GITHUB_STEP_SUMMARY"
exit "$code"
