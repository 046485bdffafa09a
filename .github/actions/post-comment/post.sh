#!/usr/bin/env bash
# Posts REPORT. The event alone says to which pull request; nothing that the other run has uploaded
# takes part in finding it.
set -euo pipefail
# shellcheck source=.github/actions/options.sh
. "${BASH_SOURCE[0]%/*}/../options.sh"

options=(--event "$GITHUB_EVENT_PATH")
add_options PAGE
if [ "${BY_SERVICE-}" = true ]; then
  exec springbench comment "$REPORT" "${options[@]}" --by-service --failed compare
fi
if [ -f "$REPORT/comparison.json" ]; then
  exec springbench comment "$REPORT" "${options[@]}"
fi
# nothing was downloaded, whatever the folder may hold
exec springbench comment "$REPORT/none" "${options[@]}" --failed compare
