#!/usr/bin/env bash
# Plans which suspicions on BRANCH, below HISTORY_PATH, are checked now, with the options that are set: DAILY_MINUTES,
# RUNNER_LABELS; SPREAD, a flag. springbench itself writes the step's outputs and its summary.
set -euo pipefail
# shellcheck source=.github/actions/options.sh
. "${BASH_SOURCE[0]%/*}/../options.sh"
# shellcheck source=.github/actions/git-access.sh
. "${BASH_SOURCE[0]%/*}/../git-access.sh"

options=(--remote "$remote" "${place[@]}")
add_options DAILY_MINUTES RUNNER_LABELS
if [ "${SPREAD-}" = true ]; then
  options+=(--spread)
fi
with_access springbench confirmations --github "${options[@]}"
