#!/usr/bin/env bash
# Plans with the options that are set: PROFILE, PROFILE_FROM, ONLY, CONNECTIONS, FORKS, DURATION,
# MATRIX, SHARDS, RUNNER_LABELS; SPREAD, a flag; BASE and HEAD only say whether something is to be compared.
# springbench itself writes the step's outputs, and a mistake to its summary.
set -euo pipefail
# shellcheck source=.github/actions/options.sh
. "${BASH_SOURCE[0]%/*}/../options.sh"

# refuse TEXT: in the log and in the step's summary
refuse() {
  echo "::error::$1"
  echo "**Error:** $1" >>"${GITHUB_STEP_SUMMARY:-/dev/null}"
  exit 2
}

if [ -n "${HEAD-}" ] && [ -z "${BASE-}" ]; then
  refuse 'head is set and base is not: name both to compare them, or start the workflow from head'
fi
if [ -n "${BASE-}" ] && [ -n "${FORKS-}${DURATION-}" ]; then
  refuse 'forks and duration are of a measurement; a comparison has its budget: leave them empty with base'
fi

options=()
add_options PROFILE PROFILE_FROM CONNECTIONS FORKS DURATION MATRIX SHARDS RUNNER_LABELS
add_globs "${ONLY-}"
if [ "${SPREAD-}" = true ]; then
  options+=(--spread)
fi
exec springbench plan --github "${options[@]}"
