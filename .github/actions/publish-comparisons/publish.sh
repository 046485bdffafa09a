#!/usr/bin/env bash
# Publishes the comparisons below COMPARISONS to BRANCH of this repository, for PURPOSE. A job that
# left none costs the others nothing; fewer than EXPECTED is said.
set -euo pipefail
# shellcheck source=.github/actions/git-access.sh
. "${BASH_SOURCE[0]%/*}/../git-access.sh"

# say TEXT: in the log and in the step's summary
say() {
  echo "publish-comparisons: $1" | tee -a "$GITHUB_STEP_SUMMARY"
}

options=(--purpose "$PURPOSE" --push "$remote" --branch "$BRANCH")
options+=(--url "$remote/actions/runs/$GITHUB_RUN_ID")
count=0
if [ -d "$COMPARISONS" ]; then
  while IFS= read -r -d '' file; do
    options+=(--comparison "${file%/*}")
    count=$((count + 1))
  done < <(find "$COMPARISONS" -name comparison.json -type f -print0 | sort -z)
fi
if [ -n "${EXPECTED-}" ] && [ "$count" -lt "$EXPECTED" ]; then
  say "$count of $EXPECTED comparisons left a result; the logs of the other jobs say why"
fi
if [ "$count" -eq 0 ]; then
  say 'nothing to publish'
  exit 0
fi
exec springbench publish "${options[@]}"
