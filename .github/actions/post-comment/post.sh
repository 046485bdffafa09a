#!/usr/bin/env bash
# Posts REPORT. The event alone says to which pull request; nothing that the other run has uploaded
# takes part in finding it.
set -euo pipefail

if [ "${BY_SERVICE-}" = true ]; then
  exec springbench comment "$REPORT" --by-service --event "$GITHUB_EVENT_PATH" --failed compare
fi
if [ -f "$REPORT/comparison.json" ]; then
  exec springbench comment "$REPORT" --event "$GITHUB_EVENT_PATH"
fi
# nothing was downloaded, whatever the folder may hold
exec springbench comment "$REPORT/none" --event "$GITHUB_EVENT_PATH" --failed compare
