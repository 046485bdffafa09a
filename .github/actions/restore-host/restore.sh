#!/usr/bin/env bash
# Puts back every value in the file that prepare-host/prepare.sh wrote, and forgets it.
# HOST_ROOT and STATE as there. Ends with 1 when a value could not be put back.
set -euo pipefail

root=${HOST_ROOT-}
# not in the job's own folder, which is emptied between jobs
state=${STATE:-$HOME/.local/state/springbench/host.state}
[ -f "$state" ] || exit 0

code=0
# the last change first
while IFS=$'\t' read -r file old; do
  if printf '%s\n' "$old" 2>/dev/null >"$root$file"; then
    echo "restore-host: $file is '$old' again"
  else
    echo "restore-host: $file could not be set back to '$old'" >&2
    code=1
  fi
done < <(tac "$state")
rm -f "$state"
exit "$code"
